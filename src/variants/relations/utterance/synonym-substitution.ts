import { whereReadable } from '../../../sql/sql-fault.js';
import { itemAt, mustGet } from '../../../present.js';
import { singularOf } from '../../../schema/natural-name.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { meaningfulTokens, type Span, type Token } from '../../../sql/tokenizer.js';
import type { MutationCase, NotApplicable, Relation } from '../relation.js';
import { quotedSpans, type Rewording, utteranceRelation } from './utterance-relation.js';
import { expandSingleWords } from '../../../schema/abbreviations.js';
import { memoizeObject } from '../../../schema/memoize.js';
import { spacedName } from '../../../schema/name-identity.js';
import type { Database } from '../../../schema/schema.js';

/** The aggregates of a gold query, as far as words of its question can name them. */
export interface GoldAggregates {
  /** Names of the functions that it calls, in small letters: "count". */
  readonly functions: ReadonlySet<string>;
  /**
   * Words of the columns whose greatest or least value it looks for: inside max() and min(), or after ORDER BY with a
   * LIMIT.
   */
  readonly extremes: ReadonlySet<string>;
  /** Words of all columns that it names. */
  readonly columns: ReadonlySet<string>;
  /** Texts of its string literals. */
  readonly literals: readonly string[];
}

/** Words of each column by its identifier in small letters. */
interface ColumnWords {
  readonly all: readonly string[];
  /** Without those of its table: "area" of plot.plot_area, as the largest plot is no largest area. */
  readonly own: readonly string[];
}

const columnWordsOf = memoizeObject(({ tables }: Database): ReadonlyMap<string, ColumnWords> => {
  const wordsOf = (name: string, originalName: string): string[] => [
    ...new Set(`${name} ${expandSingleWords(spacedName(originalName))}`.toLowerCase().split(/\s+/)),
  ];
  return new Map(
    tables.flatMap((table) => {
      const ofTable = new Set(wordsOf(table.name, table.originalName));
      return table.columns.map(({ name, originalName }): [string, ColumnWords] => {
        const all = wordsOf(name, originalName);
        const own = all.filter((word) => !ofTable.has(word));
        return [originalName.toLowerCase(), { all, own: own.length === 0 ? all : own }];
      });
    }),
  );
});

const isNamed = (token: Token | undefined, name: string): boolean => token?.text.toLowerCase() === name;

/** Index behind the parenthesis that closes the one at `open`. */
function behindParenthesis(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (itemAt(tokens, i).text === '(') depth++;
    else if (itemAt(tokens, i).text === ')' && --depth === 0) return i + 1;
  }
  return tokens.length;
}

/** Index behind the terms of the ORDER BY at `start` where a LIMIT follows them, else null. */
function behindLimitedOrder(tokens: readonly Token[], start: number): number | null {
  for (let i = start; i < tokens.length;) {
    const { text } = itemAt(tokens, i);
    if (isNamed(tokens[i], 'limit')) return i;
    if (text === ')' || isNamed(tokens[i], 'union')) return null;
    i = text === '(' ? behindParenthesis(tokens, i) : i + 1;
  }
  return null;
}

/** Ranges of tokens within which a column's greatest or least value is looked for. */
function* extremeRanges(tokens: readonly Token[]): Generator<readonly Token[]> {
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (/^(?:max|min)$/i.test(token.text) && next?.text === '(')
      yield tokens.slice(i, behindParenthesis(tokens, i + 1));
    if (!isNamed(token, 'order') || !isNamed(next, 'by')) continue;
    const end = behindLimitedOrder(tokens, i + 2);
    if (end !== null) yield tokens.slice(i + 2, end);
  }
}

function identifierOf({ kind, text }: Token): string | null {
  if (kind === 'word') return text.toLowerCase();
  return kind === 'quoted' ? text.slice(1, -1).toLowerCase() : null;
}

/** Reads a query's aggregates from its tokens. @throws SqlRewriteError where it has a character that SQL has not */
export function goldAggregates(query: string, database: Database, dialect: SqlDialect): GoldAggregates {
  const tokens = meaningfulTokens(query, dialect);
  const known = columnWordsOf(database);
  const columnsIn = (range: readonly Token[]): ColumnWords[] =>
    range.flatMap((token) => known.get(identifierOf(token) ?? '') ?? []);
  const calls = tokens.filter(({ kind }, i) => kind === 'word' && tokens[i + 1]?.text === '(');
  // Spider's gold writes strings in double quotes, which are identifiers in SQL: those that name no column are none.
  const literals = tokens.filter(
    (token) => token.kind === 'string' || (token.kind === 'quoted' && !known.has(identifierOf(token) ?? '')),
  );
  return {
    functions: new Set(calls.map(({ text }) => text.toLowerCase())),
    extremes: new Set([...extremeRanges(tokens)].flatMap(columnsIn).flatMap(({ own }) => own)),
    columns: new Set(columnsIn(tokens).flatMap(({ all }) => all)),
    literals: literals.map(({ text }) => text.slice(1, -1)),
  };
}

/** MIN and MAX (MT-TEQL Table 3), by style: "the lowest and highest age" changes its style as a whole. */
const STYLES = [
  { min: 'minimum', max: 'maximum' },
  { min: 'minimal', max: 'maximal' },
  { min: 'lowest', max: 'highest' },
  { min: 'smallest', max: 'largest' },
] as const;
const EXTREME = /\b(?:(minimum|minimal|lowest|smallest)|(maximum|maximal|highest|largest))\b/gi;

/** COUNT, SUM and AVG (MT-TEQL Table 3): "the (total) {number, count, amount} of". */
const COUNTS = ['number', 'count', 'amount'] as const;
const SUMS = ['sum', 'amount'] as const;
const QUANTITY = /\bthe (total )?(number|count|amount|sum) of(?= (?:all |the |different |distinct )*(\p{L}+))/giu;
/** "the average of", and the same words before a noun. */
const AVERAGE = /\b(average|mean)(?= (?!mean\b|average\b)\p{L})/giu;

/** Nouns of which there is an amount besides their number: "the amount of payments" would not say which. */
const HAS_AMOUNT =
  /^(?:payments?|sales?|transactions?|invoices?|orders?|purchases?|refunds?|donations?|deposits?|loans?|grants?|claims?|settlements?|budgets?|costs?|prices?|money|votes?|points?)$/i;

/** Words that an extreme may refer to without being a column. */
const MEASURES = new Set(['number', 'amount', 'total', 'count', 'sum', 'average', 'mean', 'value', 'quantity']);

/** Words between an adjective and its noun where adjectives are in a row: "the minimum, average, and maximum age". */
const ROW =
  /^(?:\s*,?\s*(?:(?:and|or)\s+)?(?:the\s+)?(?:minimum|minimal|lowest|smallest|maximum|maximal|highest|largest|average|mean|total)\b)*/i;
const NOUN_PHRASE = /^\s+((?:\p{L}+(?:\s+|(?=[.?,;]|$))){1,3})/u;

const singular = (word: string): string => singularOf(word.toLowerCase());

/** Checks whether a word is a column's word, or one of them short for the other ("enr", "enrollment"). */
function isColumnWord(word: string, words: ReadonlySet<string>): boolean {
  const own = singular(word);
  return [...words].some((other) => {
    const [short, long] = own.length < other.length ? [own, singular(other)] : [singular(other), own];
    return short.length > 2 && long.startsWith(short);
  });
}

/** Words of the noun phrase that an adjective before `rest` belongs to: "and minimum age of …" → "age". */
function nounsAfter(rest: string): readonly string[] {
  const phrase = NOUN_PHRASE.exec(rest.replace(ROW, ''))?.[1] ?? '';
  const words = phrase.trim().split(/\s+/);
  const end = words.findIndex((word) =>
    /^(?:of|for|in|and|or|among|from|that|who|which|is|are|each|by|per|to|with)$/i.test(word),
  );
  return end === -1 ? words : words.slice(0, end);
}

/** Where a question may be changed: outside its quotes and outside the gold's values. */
function freeOf(question: string, literals: readonly string[]): (span: Span) => boolean {
  const small = question.toLowerCase();
  const values = literals.flatMap((literal) => {
    const start = literal.length < 2 ? -1 : small.indexOf(literal.toLowerCase());
    return start === -1 ? [] : [{ start, end: start + literal.length }];
  });
  const kept = [...quotedSpans(question), ...values];
  return ({ start, end }) => kept.every((one) => end <= one.start || start >= one.end);
}

/** Words that are exchanged, with the letters of `like`. */
function inCaseOf(text: string, like: string): string {
  return /^\p{Lu}/u.test(like) ? itemAt(text, 0).toUpperCase() + text.slice(1) : text;
}

class Wording {
  readonly #question: string;
  readonly #gold: GoldAggregates;
  readonly #isFree: (span: Span) => boolean;

  constructor(question: string, gold: GoldAggregates) {
    this.#question = question;
    this.#gold = gold;
    this.#isFree = freeOf(question, gold.literals);
  }

  all(): readonly Rewording[] {
    const found = [...this.#extremes(), ...this.#quantities(), ...this.#averages()];
    return found.filter(({ question }) => question !== this.#question);
  }

  *#extremes(): Generator<Rewording> {
    const matches = this.#matches(EXTREME).filter((match) => this.#isOfExtreme(match));
    if (matches.length === 0) return;
    for (const style of STYLES) yield this.#replace(matches, ([, min]) => (min === undefined ? style.max : style.min));
  }

  /** Of a quantity that the gold looks for the greatest or least of; "the largest city" is no highest city. */
  #isOfExtreme({ 0: word, index }: RegExpExecArray): boolean {
    const { extremes } = this.#gold;
    const nouns = nounsAfter(this.#question.slice(index + word.length));
    const partOfName = /^m/i.test(word) && isColumnWord(word, extremes);
    return !partOfName && nouns.some((noun) => isColumnWord(noun, extremes) || MEASURES.has(singular(noun)));
  }

  *#quantities(): Generator<Rewording> {
    const { functions } = this.#gold;
    if (functions.has('count')) yield* this.#exchange(COUNTS, functions.has('sum') ? ['number', 'count'] : COUNTS);
    if (functions.has('sum')) yield* this.#exchange(SUMS, functions.has('count') ? ['sum'] : SUMS);
  }

  /** Writes each of `words` where one of `read` is. */
  *#exchange(words: readonly string[], read: readonly string[]): Generator<Rewording> {
    if (read === COUNTS && COUNTS.some((word) => this.#gold.columns.has(word))) return;
    const matches = this.#matches(QUANTITY).filter(([, , word]) => read.includes(mustGet(word, 'word').toLowerCase()));
    if (matches.length === 0) return;
    const hasAmount = words === COUNTS && matches.some(([, , , noun]) => HAS_AMOUNT.test(mustGet(noun, 'noun')));
    const counted = /\bcount $/i.test(this.#question.slice(0, itemAt(matches, 0).index));
    const unfit = [...(hasAmount ? ['amount'] : []), ...(counted ? ['count'] : [])];
    for (const word of words.filter((one) => !unfit.includes(one))) {
      for (const total of ['', 'total ']) yield this.#replace(matches, () => `the ${total}${word} of`);
    }
  }

  *#averages(): Generator<Rewording> {
    const { functions, columns } = this.#gold;
    if (!functions.has('avg') || columns.has('average') || columns.has('mean')) return;
    const matches = this.#matches(AVERAGE).filter(
      ({ index }) => !/\b(?:on|above|below|than)\s+$/i.test(this.#question.slice(0, index)),
    );
    if (matches.length === 0) return;
    for (const word of ['average', 'mean']) yield this.#replace(matches, () => word);
  }

  #matches(pattern: RegExp): RegExpExecArray[] {
    return [...this.#question.matchAll(pattern)].filter(({ index, 0: text }) =>
      this.#isFree({ start: index, end: index + text.length }),
    );
  }

  #replace(matches: readonly RegExpExecArray[], wordFor: (match: RegExpExecArray) => string): Rewording {
    let question = '';
    let end = 0;
    for (const match of matches) {
      question += this.#question.slice(end, match.index) + inCaseOf(wordFor(match), match[0]);
      end = match.index + match[0].length;
    }
    const [from, to] = [matches.map(([text]) => text.toLowerCase()), matches.map(wordFor)];
    const changes = from.map((text, i) => `"${text}" became "${itemAt(to, i)}"`);
    return { question: question + this.#question.slice(end), detail: [...new Set(changes)].join(', ') };
  }
}

/**
 * MT-TEQL §3.1: words for an aggregate of the gold become others for the same one, "the number of" → "the amount of".
 */
export function createSynonymSubstitution(dialect: SqlDialect): Relation {
  const reword = ({ example, database }: MutationCase): readonly Rewording[] | NotApplicable => {
    return whereReadable(
      () => {
        const found = new Wording(
          example.question,
          goldAggregates(mustGet(example.query, 'example.query'), database, dialect),
        ).all();
        return found.length > 0 ? found : { reason: 'no word for an aggregate of the gold query' };
      },
      { reason: 'the gold query can’t be read' },
    );
  };
  return utteranceRelation({
    id: 'SS',
    version: 1,
    readsGoldFor: 'which aggregates the words stand for',
    reword,
  });
}
