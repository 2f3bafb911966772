// Cases as a page of attacks holds them. Types alone, so that the page's script can read them.

/**
 * Positions in `strings`, `outcomes`, `failures`; -1 where there is none. Of answers with columns, what is said of these is
 * in the place of `execution`. The rest are what was cleaned, in `strings`.
 */
export type PackedAnswer = readonly [
  predicted: number,
  failure: number,
  exact: number,
  execution: number,
  ...cleaned: number[],
];
/** Natural names of table, column and candidate, then the names in SQL before and after; all in `strings`. */
export type PackedChange = readonly [table: number, column: number, candidate: number, before: number, after: number];
/** Kind: 0 is RPL, 1 is ADD; changes are positions in `changes`. */
export type PackedPerturbed = readonly [
  kind: number,
  seed: number,
  gold: number,
  queries: number,
  changes: readonly number[],
  answer: PackedAnswer,
];
/** Texts are positions in `strings`. */
export type PackedCase = readonly [
  id: number,
  db: number,
  question: number,
  hardness: number,
  gold: number,
  answer: PackedAnswer,
  perturbed: readonly PackedPerturbed[],
];

/** The cases as the page holds them: every text and every change once, the rest by its position. */
export interface CaseData {
  readonly strings: readonly string[];
  readonly changes: readonly PackedChange[];
  /** The columns of tables that were changed, in SQL: [database, table, [column, …]]. */
  readonly tables: readonly (readonly [db: number, table: number, columns: readonly number[]])[];
  readonly cases: readonly PackedCase[];
  readonly outcomes: readonly string[];
  readonly failures: readonly string[];
  readonly metrics: readonly string[];
  /** Examples of the run, of which `cases` may be a part. */
  readonly examples: number;
}
