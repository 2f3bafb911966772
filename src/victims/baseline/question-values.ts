import { columnIndex, type QuestionWord, type SchemaWords, withoutOverlaps } from './words.js';

/** Up to some cell values per table and column, as texts; the order of a schema's tables and columns. */
export type CellSamples = readonly (readonly (readonly string[])[])[];

/** A part of a question that may be a value of the query; `first` and `last` are positions of words. */
export interface QuestionValue {
  readonly kind: 'number' | 'text';
  readonly text: string;
  readonly first: number;
  readonly last: number;
  /** Positions in `SchemaWords.columns` of the columns that hold it. */
  readonly columns: readonly number[];
}

const NUMBER_WORDS: readonly string[] = 'zero one two three four five six seven eight nine ten eleven twelve'.split(
  ' ',
);
const CONNECTORS = new Set(['of', 'the', 'de', 'la', 'and', 'to', 'for', 'in']);
/** Capitalized, but not a name. */
const COMMON = new Set([
  'id',
  'ids',
  'i',
  'what',
  'which',
  'how',
  'who',
  'find',
  'show',
  'list',
  'give',
  'return',
  'where',
]);
const MAX_CELL_WORDS = 6;

type Cells = ReadonlyMap<string, readonly { readonly text: string; readonly column: number }[]>;

/** Cells that are texts, by what they are in lower case with single spaces. */
export function indexCells(schema: SchemaWords, samples: CellSamples): Cells {
  const cells = new Map<string, { text: string; column: number }[]>();
  samples.forEach((columns, table) =>
    columns.forEach((values, column) => {
      for (const text of values) {
        const key = cellKey(text);
        const isLong = key === '' || key.split(' ').length > MAX_CELL_WORDS;
        if (isLong || column >= (schema.database.tables[table]?.columns.length ?? 0)) continue;
        const entry = { text, column: columnIndex(schema, { table, column }) };
        cells.set(key, [...(cells.get(key) ?? []), entry]);
      }
    }),
  );
  return cells;
}

function cellKey(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}

/** Texts between quotes and numbers, in digits or words. */
function plainValues(words: readonly QuestionWord[], cells: Cells): QuestionValue[] {
  return words.flatMap((word, at): QuestionValue[] => {
    const place = { first: at, last: at };
    const number = word.kind === 'number' ? word.text : NUMBER_WORDS.indexOf(word.text.toLowerCase());
    if (word.kind === 'quoted')
      return [{ kind: 'text', text: word.text, columns: columnsOf(cells, word.text), ...place }];
    if (typeof number === 'string')
      return [{ kind: 'number', text: number, columns: columnsOf(cells, number), ...place }];
    return number > 1 ? [{ kind: 'number', text: String(number), columns: [], ...place }] : [];
  });
}

function columnsOf(cells: Cells, text: string): readonly number[] {
  return (cells.get(cellKey(text)) ?? []).map(({ column }) => column);
}

/** Words next to each other that are a cell, the longest at each place. */
function cellValues(words: readonly QuestionWord[], cells: Cells): QuestionValue[] {
  const values: QuestionValue[] = [];
  for (let first = 0; first < words.length; first++) {
    for (let last = Math.min(words.length, first + MAX_CELL_WORDS) - 1; last >= first; last--) {
      const span = words.slice(first, last + 1);
      const found = span.some(({ kind }) => kind !== 'word')
        ? undefined
        : cells.get(span.map(({ text }) => text.toLowerCase()).join(' '));
      if (found?.[0] === undefined || (first === last && (span[0]?.text.length ?? 0) < 3)) continue;
      values.push({ kind: 'text', text: found[0].text, first, last, columns: found.map(({ column }) => column) });
      break;
    }
  }
  return values;
}

function isCapital({ kind, text }: QuestionWord): boolean {
  return kind === 'word' && /^\p{Lu}/u.test(text) && !COMMON.has(text.toLowerCase());
}

/** Runs of capitalized words, but for the first word of the question; `isName` tells words of the schema. */
function capitalValues(
  question: string,
  words: readonly QuestionWord[],
  isName: (at: number) => boolean,
): QuestionValue[] {
  const values: QuestionValue[] = [];
  const isPart = (at: number): boolean => {
    const [before, word] = [words[at - 1], words[at]];
    return (
      before !== undefined &&
      word !== undefined &&
      isCapital(word) &&
      !/[.?!]/.test(question.slice(before.end, word.start))
    );
  };
  for (let first = 1; first < words.length; first++) {
    if (!isPart(first)) continue;
    let last = first;
    for (let at = first + 1; at < words.length; at++) {
      if (isPart(at)) last = at;
      else if (!CONNECTORS.has(words[at]?.text ?? '') || !isPart(at + 1)) break;
    }
    const text = question.slice(words[first]?.start ?? 0, words[last]?.end ?? 0);
    const covered = Array.from({ length: last - first + 1 }, (_, i) => isName(first + i));
    if (covered.includes(false)) values.push({ kind: 'text', text, first, last, columns: [] });
    first = last;
  }
  return values;
}

/**
 * The values of a question, in order, without overlaps: quoted texts, numbers, cells and capitalized names.
 * `isName` says whether a word belongs to the name of a table or column.
 */
export function questionValues(
  question: string,
  words: readonly QuestionWord[],
  cells: Cells,
  isName: (at: number) => boolean,
): readonly QuestionValue[] {
  const candidates = [
    ...plainValues(words, cells),
    ...cellValues(words, cells).filter(({ first, last }) => first < last || !isName(first)),
    ...capitalValues(question, words, isName),
  ];
  const length = ({ first, last }: QuestionValue): number => last - first;
  const ordered = candidates.toSorted((a, b) => length(b) - length(a) || b.columns.length - a.columns.length);
  return withoutOverlaps(ordered).toSorted((a, b) => a.first - b.first);
}
