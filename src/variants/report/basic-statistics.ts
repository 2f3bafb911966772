import { countedName } from '../../schema/name-identity.js';
import { isHeaderColumn } from '../../schema/column-family.js';
import type { Column, Database } from '../../schema/schema.js';
import type { ColumnTally } from '../../report/column-tally.js';

/** One row of basic statistics; null where the paper has no such number. */
export interface StatisticRow {
  readonly original: number | null;
  readonly rpl: number | null;
  readonly add: number | null;
}

/** The basic statistics of ADVETA's Table 1. */
export interface BasicStatistics {
  readonly totalTables: StatisticRow;
  readonly averageColumnsPerTable: StatisticRow;
  readonly averagePerturbedColumnsPerTable: StatisticRow;
  readonly averageCandidatesPerColumn: StatisticRow;
  readonly uniqueColumns: StatisticRow;
  readonly uniqueVocabulary: StatisticRow;
}

type Path = 'RPL' | 'ADD';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Rounds to four decimals: enough to read, few enough for equal bytes on every machine. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** `part / whole`, rounded; 0 where the whole is. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded(part / whole);
}

function vocabularySize(names: ReadonlySet<string>): number {
  const words = new Set<string>();
  for (const name of names) for (const [word] of name.matchAll(WORD)) words.add(word);
  return words.size;
}

/** The distinct names of columns, and with `path` those of their accepted candidates too. */
function distinctNames(columns: readonly ColumnTally[], path: Path | null): Set<string> {
  const names = new Set<string>();
  for (const { column, accepted } of columns) {
    names.add(countedName(column));
    if (path !== null) for (const name of accepted[path]) names.add(name);
  }
  return names;
}

function pathStatistics(
  columns: readonly ColumnTally[],
  path: Path,
  tables: number,
): Record<'perturbed' | 'candidates' | 'columns' | 'words', number> {
  const perturbed = columns.filter(({ accepted }) => accepted[path].size > 0);
  const candidates = perturbed.reduce((sum, { accepted }) => sum + accepted[path].size, 0);
  const names = distinctNames(perturbed, path);
  return {
    perturbed: ratio(perturbed.length, tables),
    candidates: ratio(candidates, perturbed.length),
    columns: names.size,
    words: vocabularySize(names),
  };
}

/** The columns of each table's header. SQUALL keeps the lists of its one table in tables of their own. */
function headersOf({ tables }: Database): readonly (readonly Column[])[] {
  const headers = tables.map(({ columns }) => columns.filter(isHeaderColumn));
  const isOne = tables.some(({ columns }) => columns.some(({ family }) => family !== undefined));
  return isOne ? [headers.flat()] : headers;
}

/**
 * The basic statistics of ADVETA's Table 1, limited to perturbed columns (ADVETA §3.2): those with at least one
 * accepted candidate. Averages per table are over all tables. Unique columns count a perturbed column's own name
 * together with its candidates; only so do the paper's numbers add up (911 unique RPL columns from 212 columns with
 * 3.33 candidates each). `original` is over the columns perturbed either way.
 */
export function computeBasicStatistics(
  databases: readonly Database[],
  columns: readonly ColumnTally[],
): BasicStatistics {
  const tables = databases.flatMap(headersOf);
  const averageColumns = ratio(
    tables.reduce((sum, columns) => sum + columns.length, 0),
    tables.length,
  );
  const rpl = pathStatistics(columns, 'RPL', tables.length);
  const add = pathStatistics(columns, 'ADD', tables.length);
  const original = distinctNames(
    columns.filter(({ accepted }) => accepted.RPL.size + accepted.ADD.size > 0),
    null,
  );
  return {
    totalTables: { original: tables.length, rpl: tables.length, add: tables.length },
    averageColumnsPerTable: { original: averageColumns, rpl: null, add: null },
    averagePerturbedColumnsPerTable: { original: null, rpl: rpl.perturbed, add: add.perturbed },
    averageCandidatesPerColumn: { original: null, rpl: rpl.candidates, add: add.candidates },
    uniqueColumns: { original: original.size, rpl: rpl.columns, add: add.columns },
    uniqueVocabulary: { original: vocabularySize(original), rpl: rpl.words, add: add.words },
  };
}

function published(
  tables: number,
  columns: number,
  perturbed: Pair,
  candidates: Pair,
  unique: Triple,
  words: Triple,
): BasicStatistics {
  return {
    totalTables: { original: tables, rpl: tables, add: tables },
    averageColumnsPerTable: { original: columns, rpl: null, add: null },
    averagePerturbedColumnsPerTable: { original: null, rpl: perturbed[0], add: perturbed[1] },
    averageCandidatesPerColumn: { original: null, rpl: candidates[0], add: candidates[1] },
    uniqueColumns: { original: unique[0], rpl: unique[1], add: unique[2] },
    uniqueVocabulary: { original: words[0], rpl: words[1], add: words[2] },
  };
}

type Pair = readonly [rpl: number, add: number];
type Triple = readonly [original: number, rpl: number, add: number];

/** The figures of the paper's annotators for each dev set, to compare a run with; by data set name. */
// prettier-ignore
export const PUBLISHED_STATISTICS: ReadonlyMap<string, BasicStatistics> = new Map([ // ADVETA Table 1
  ['spider', published(81, 5.45, [2.62, 3.64], [3.33, 3.97], [211, 911, 1061], [199, 598, 782])],
  ['wtq', published(327, 6.31, [2.65, 3.27], [2.9, 3.55], [527, 1656, 2976], [596, 1156, 1459])],
  ['wikisql', published(2716, 6.41, [3.7, 4.44], [3.32, 3.97], [2414, 10787, 10474], [2414, 4147, 5099])],
]);
