import { FUNCTION_WORDS } from '../../reranker/phrase-vector.js';
import { type CellSamples, indexCells, type QuestionValue, questionValues } from './question-values.js';
import { type QuestionWord, questionWords, schemaWords, type SchemaWords, withoutOverlaps } from './words.js';

/** A place of the question that names a table or column, wholly or in part. */
export interface Mention {
  /** Positions of its first and last word. */
  readonly first: number;
  readonly last: number;
  /** Share of the name's words that are there; 1 is the whole name. */
  readonly share: number;
  /** Position in `tokens` of the question. */
  readonly token: number;
}

/** One word of a question as examples are compared by: a stem, or what replaces a name or value. */
type QuestionToken = Pick<QuestionValue, 'text' | 'first' | 'last'>;

/** A question with its links to a schema; `columns` and `tables` as in `SchemaWords`. */
export interface LinkedQuestion {
  readonly schema: SchemaWords;
  readonly words: readonly QuestionWord[];
  readonly columns: readonly (readonly Mention[])[];
  readonly tables: readonly (readonly Mention[])[];
  readonly values: readonly QuestionValue[];
  readonly tokens: readonly QuestionToken[];
}

type Place = Omit<Mention, 'token'>;
type Positions = ReadonlyMap<string, readonly number[]>;

/** Words that a name's words may be apart beyond their number. */
const SLACK = 3;
/** Shares of a name below this are no link. */
const MIN_SHARE = 1 / 3;

function positionsOf(words: readonly QuestionWord[]): Positions {
  const positions = new Map<string, number[]>();
  words.forEach(({ kind, stem }, at) => {
    if (kind === 'word') positions.set(stem, [...(positions.get(stem) ?? []), at]);
  });
  return positions;
}

/** The fullest place that starts at a word: the name's words within a window. */
function placeAt(first: number, stems: readonly string[], words: readonly QuestionWord[]): Place {
  const missing = new Set(stems);
  const wanted = missing.size;
  let last = first;
  for (let at = first; at < Math.min(words.length, first + stems.length + SLACK); at++) {
    if (words[at]?.kind === 'word' && missing.delete(words[at]?.stem ?? '')) last = at;
  }
  return { first, last, share: (wanted - missing.size) / wanted };
}

/** Where a name is in the question: for each part of it the fullest place, the fullest first. */
function placesOf(stems: readonly string[], words: readonly QuestionWord[], positions: Positions): Place[] {
  const starts = [...new Set(stems)].flatMap((stem) => positions.get(stem) ?? []);
  const places = starts.map((at) => placeAt(at, stems, words)).filter(({ share }) => share >= MIN_SHARE);
  places.sort((a, b) => b.share - a.share || a.last - a.first - (b.last - b.first) || a.first - b.first);
  return withoutOverlaps(places);
}

/** Drops what is within a longer whole name: "name" in "song name". */
function withoutNested(all: readonly Place[][]): Place[][] {
  const whole = all.flat().filter(({ share, first, last }) => share === 1 && last > first);
  const isNested = ({ first, last, share }: Place): boolean =>
    whole.some(
      (other) => other.first <= first && other.last >= last && (other.last - other.first > last - first || share < 1),
    );
  return all.map((places) => places.filter((place) => !isNested(place)));
}

interface Marks {
  readonly columns: readonly (readonly Place[])[];
  readonly tables: readonly (readonly Place[])[];
  readonly values: readonly QuestionValue[];
}

/** Shares from which a word is replaced by COL or TAB. */
const MIN_REPLACED = 0.5;

/** The spans that are replaced: values, then whole names, columns before tables, the longest first. */
function replacedSpans({ columns, tables, values }: Marks): QuestionToken[] {
  const spans = (places: readonly Place[], text: string): (QuestionToken & { rank: number })[] =>
    places
      .filter(({ share }) => share >= MIN_REPLACED)
      .map(({ first, last, share }) => ({ text, first, last, rank: share * 10 + last - first }));
  const names = [...spans(tables.flat(), 'TAB'), ...spans(columns.flat(), 'COL')];
  names.sort((a, b) => b.rank - a.rank);
  const marked = values.map(({ kind, first, last }) => ({ text: kind === 'number' ? 'NUM' : 'VAL', first, last }));
  return withoutOverlaps([...marked, ...names]).map(({ text, first, last }) => ({ text, first, last }));
}

function tokensOf(words: readonly QuestionWord[], marks: Marks): QuestionToken[] {
  const spans = new Map(replacedSpans(marks).map((span) => [span.first, span]));
  const tokens: QuestionToken[] = [];
  for (let at = 0; at < words.length; at++) {
    const span = spans.get(at);
    tokens.push(span ?? { text: words[at]?.stem ?? '', first: at, last: at });
    at = span?.last ?? at;
  }
  return tokens;
}

function withTokens(all: readonly (readonly Place[])[], tokens: readonly QuestionToken[]): Mention[][] {
  return all.map((places) =>
    places.map((place) => ({ ...place, token: tokens.findIndex(({ last }) => last >= place.first) })),
  );
}

/** Links the words of a question to the tables, columns and cells of a schema by their stems. */
export class SchemaLinker {
  readonly #schema: SchemaWords;
  readonly #cells: ReturnType<typeof indexCells>;

  constructor(database: SchemaWords['database'], samples: CellSamples) {
    this.#schema = schemaWords(database);
    this.#cells = indexCells(this.#schema, samples);
  }

  link(question: string): LinkedQuestion {
    const words = questionWords(question);
    const positions = positionsOf(words.map((word) => (FUNCTION_WORDS.has(word.text) ? { ...word, stem: '' } : word)));
    const { columns: named, tables: titled } = this.#schema;
    const columns = withoutNested(named.map(({ stems }) => placesOf(stems, words, positions)));
    const tables = withoutNested(titled.map((stems) => placesOf(stems, words, positions)));
    const whole = [...columns, ...tables].flat().filter(({ share }) => share === 1);
    const isName = (at: number): boolean => whole.some(({ first, last }) => first <= at && at <= last);
    const values = questionValues(question, words, this.#cells, isName);
    const tokens = tokensOf(words, { columns, tables, values });
    return {
      schema: this.#schema,
      words,
      columns: withTokens(columns, tokens),
      tables: withTokens(tables, tokens),
      values,
      tokens,
    };
  }
}

/** Runs of words that examples are compared by. */
const LONGEST_RUN = 3;

/** Returns a question's terms to find and classify it: runs of one to three tokens, its begin, its number of links. */
export function questionTerms({ tokens }: LinkedQuestion): readonly string[] {
  const texts = ['^', ...tokens.map(({ text }) => text), '$'];
  const terms: string[] = [];
  for (let length = 1; length <= LONGEST_RUN; length++) {
    for (let at = 0; at + length <= texts.length; at++) terms.push(texts.slice(at, at + length).join(' '));
  }
  for (const name of ['COL', 'TAB', 'VAL', 'NUM']) {
    terms.push(`#${name}=${Math.min(3, texts.filter((text) => text === name).length)}`);
  }
  return terms;
}

/** Stems of a question's words but for articles, prepositions and the like. */
export function contentStems({ words }: LinkedQuestion): readonly string[] {
  return words.flatMap(({ kind, text, stem }) => (kind === 'word' && !FUNCTION_WORDS.has(text) ? [stem] : []));
}

/** Returns the context of a mention, for the classifier of its role. */
export function mentionContext({ tokens, words }: LinkedQuestion, { token, first, last }: Mention): readonly string[] {
  const at = (offset: number): string => tokens[token + offset]?.text ?? (token + offset < 0 ? '^' : '$');
  const before = [at(-1), at(-2), at(-3)];
  const after = [at(1), at(2), at(3)];
  const stems = words.slice(first, last + 1).map(({ stem }) => `M=${stem}`);
  return [
    'bias',
    ...stems,
    ...before.map((text, i) => `L${i + 1}=${text}`),
    ...after.map((text, i) => `R${i + 1}=${text}`),
    `LL=${before[1]} ${before[0]}`,
    `LLL=${before[2]} ${before[1]} ${before[0]}`,
    `RR=${after[0]} ${after[1]}`,
    `LR=${before[0]} ${after[0]}`,
    ...before.map((text) => `L=${text}`),
    ...after.map((text) => `R=${text}`),
    `Q=${tokens[0]?.text ?? ''} ${tokens[1]?.text ?? ''}`,
    `P=${Math.floor((4 * token) / Math.max(1, tokens.length))}`,
    ...['VAL', 'NUM']
      .filter((name) => tokens.slice(token + 1, token + 6).some(({ text }) => text === name))
      .map((name) => `F=${name}`),
  ];
}
