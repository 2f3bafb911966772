import { FUNCTION_WORDS } from '../../reranker/phrase-vector.js';
import { expandAbbreviations } from '../../schema/abbreviations.js';
import { memoize, memoizeObject } from '../../schema/memoize.js';
import { columnKey, type ColumnRef, type ColumnType, type Database } from '../../schema/schema.js';
import { possibleBaseForms } from '../../dictionary/morphology.js';
import { singularOf } from '../../schema/natural-name.js';

/** One word, number or quoted text of a question; `start` and `end` are offsets in it. */
export interface QuestionWord {
  readonly kind: 'word' | 'number' | 'quoted';
  /** As written; without quotes. */
  readonly text: string;
  /** Lower-case stem, equal for the forms of a word: "ordered" and "orders". */
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = new RegExp(
  [
    `"(?<double>[^"]+)"|“(?<curly>[^”]+)”|‘(?<open>[^’]+)’|\`\`(?<tex>[^']+)''`,
    `(?<![\\p{L}\\p{N}])'(?<single>[^']*[^'\\s])'(?!\\p{L})`,
    `(?<number>\\d[\\d,]*(?:\\.\\d+)?(?![\\p{L}\\d]))`,
    `(?<word>[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}]*)`,
  ].join('|'),
  'gu',
);

/** Bound of the memory for stems, in words. */
const MAX_STEMS = 50_000;

/** A rough stem that the inflected forms of a word share; for lower-case words. */
export const stemOf = memoize((word): string => {
  const base = possibleBaseForms(word, 'verb')[0] ?? word;
  const singular = base.length > 3 ? singularOf(base) : base;
  const bare = singular.length > 5 ? singular.replace(/(?:ing|ed|ly)$/, '') : singular;
  const stem = bare.length < 3 ? singular : bare.replace(/([bdgklmnprt])\1$/, '$1');
  return stem.length > 3 ? stem.replace(/e$/, '') : stem;
}, MAX_STEMS);

/** The words of a question; a quoted text is one of them, the `s` of a genitive none. */
export function questionWords(question: string): readonly QuestionWord[] {
  return [...question.matchAll(TOKEN)].flatMap((match): QuestionWord[] => {
    const { number, word, double, curly, open, tex, single } = match.groups ?? {};
    const place = { start: match.index, end: match.index + match[0].length };
    if (number !== undefined) return [{ kind: 'number', text: number.replaceAll(',', ''), stem: number, ...place }];
    const quoted = double ?? curly ?? open ?? tex ?? single;
    if (quoted !== undefined) return [{ kind: 'quoted', text: quoted.trim(), stem: quoted.toLowerCase(), ...place }];
    const text = word ?? match[0];
    if (text === 's' && /['’]/.test(question[match.index - 1] ?? '')) return [];
    return [{ kind: 'word', text, stem: stemOf(text.toLowerCase()), ...place }];
  });
}

/** A stretch of a question's words: the places of its first and last one. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Checks whether two stretches have a word in common. */
export function overlaps(a: Stretch, b: Stretch): boolean {
  return a.first <= b.last && a.last >= b.first;
}

/** The stretches that overlap with none before them that stays. */
export function withoutOverlaps<T extends Stretch>(ordered: readonly T[]): T[] {
  const kept: T[] = [];
  for (const one of ordered) if (!kept.some((other) => overlaps(one, other))) kept.push(one);
  return kept;
}

/** A column as the parser sees it. */
export interface SchemaColumn {
  readonly ref: ColumnRef;
  readonly type: ColumnType;
  readonly stems: readonly string[];
  readonly isPrimary: boolean;
  readonly isForeign: boolean;
}

/** The names of a schema as stems; `columns` in the order of the tables. */
export interface SchemaWords {
  readonly database: Database;
  readonly columns: readonly SchemaColumn[];
  /** Stems of each table's name. */
  readonly tables: readonly (readonly string[])[];
  /** Position in `columns` of each table's first column. */
  readonly firstColumns: readonly number[];
}

function nameStems(name: string): readonly string[] {
  const words = expandAbbreviations(name)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const content = words.filter((word) => !FUNCTION_WORDS.has(word));
  return (content.length === 0 ? words : content).map(stemOf);
}

/** The names of a database as stems; made once for each. */
export const schemaWords = memoizeObject((database: Database): SchemaWords => {
  const primary = new Set(database.primaryKeys.map(columnKey));
  const foreign = new Set(database.foreignKeys.map(({ from }) => columnKey(from)));
  const columns = database.tables.flatMap((table, t) =>
    table.columns.map(({ name, type }, c): SchemaColumn => {
      const ref = { table: t, column: c };
      const key = columnKey(ref);
      return { ref, type, stems: nameStems(name), isPrimary: primary.has(key), isForeign: foreign.has(key) };
    }),
  );
  let next = 0;
  const firstColumns = database.tables.map((table) => (next += table.columns.length) - table.columns.length);
  return { database, columns, tables: database.tables.map(({ name }) => nameStems(name)), firstColumns };
});

/** Position of a column in `SchemaWords.columns`. */
export function columnIndex({ firstColumns }: SchemaWords, { table, column }: ColumnRef): number {
  return (firstColumns[table] ?? 0) + column;
}

/** How much of two names is the same, from 0 to 1: shared stems over all stems. */
export function nameOverlap(left: readonly string[], right: readonly string[]): number {
  const shared = left.filter((stem) => right.includes(stem)).length;
  return shared === 0 ? 0 : shared / (left.length + right.length - shared);
}
