import type { QueryLimits, QueryOutcome, QueryRows } from './query-outcome.js';
import type { ColumnMatch } from './column-matching.js';
import type { ResultEquality } from './result-mode.js';

/** The database a query reads. */
export interface QuerySource {
  /** A SQLite file, opened as schema `main` and never written to; null is an empty database in memory. */
  readonly file: string | null;
  /**
   * Trusted SQL scripts, or files of them, run once when the connection opens: TEMP views and tables over `main`, which
   * unqualified names then mean; tables of an empty database.
   */
  readonly setup?: readonly (string | { readonly file: string })[];
  /**
   * Has the query read copies of the tables, without indexes, in stored order (`copied`) or from the last row to the
   * first (`reversed`): a result that changes is not determined by the SQL. See `copyTables`.
   */
  readonly rowOrder?: 'copied' | 'reversed';
}

/** A query and others whose results are compared with its own, all on one database. */
export interface ComparisonTask {
  readonly source: QuerySource;
  readonly reference: string;
  /** True if the order of the reference's rows is meant. */
  readonly isOrdered: boolean;
  /** Tried in this order until one gives the reference's result or does not end; none: the reference alone is run. */
  readonly candidates: readonly string[];
}

/** The outcome of a query that gave no rows. */
export type FailedOutcome = Exclude<QueryOutcome, QueryRows>;

/** The scores of two results by BIRD's evaluator, in mode `bird`. */
export interface BirdScores {
  /** `softF1`. */
  readonly softF1?: number;
  /** `vesReward`, where the candidate is correct and was timed. */
  readonly reward?: number;
}

/** How the candidate that decided compares; the rows themselves stay in the process that ran it. */
export type CandidateOutcome = ({ readonly kind: 'rows'; readonly match: ColumnMatch } & BirdScores) | FailedOutcome;

/** The outcome of a task. */
export interface Comparison {
  /** Rows of the reference's result, or why it has none; then no candidate is run. */
  readonly reference: number | FailedOutcome;
  /**
   * The candidate that decided: the first that is equal or does not end, else the first undecided, else the first that
   * gave rows, else the first.
   * Null without candidates or reference.
   */
  readonly candidate: { readonly at: number; readonly outcome: CandidateOutcome } | null;
}

/** Tasks that one process works through. */
export interface ComparisonBatch {
  readonly equality: ResultEquality;
  readonly limits: QueryLimits;
  readonly tasks: readonly ComparisonTask[];
}

/** Place of a query within a task: of the candidates, or the reference. */
export const REFERENCE = -1;

/** Returns the outcome of a task whose query at a place did not end, or took its process with it. */
export function fatalComparison(at: number, outcome: FailedOutcome, referenceRows: number): Comparison {
  if (at === REFERENCE) return { reference: outcome, candidate: null };
  return { reference: referenceRows, candidate: { at, outcome } };
}

/** Milliseconds for opening a database with its setup: copies of large ones take their time. */
export const OPENING_MS = 120_000;

/** A query with the database it reads. */
export interface QueryTask extends QuerySource {
  /** One SELECT, VALUES or WITH statement in SQLite's dialect; anything else is refused. */
  readonly sql: string;
}

/** A request to the child, one at a time. */
export interface QueryRequest {
  readonly task: QueryTask;
  readonly limits: QueryLimits;
}

/** A batch that the child works through. */
export interface BatchRequest {
  readonly batch: ComparisonBatch;
  /** True if it says of each query that it begins. */
  readonly announces: boolean;
}

/** A message from the child: those before an outcome tell the parent which time limit runs. */
export type QueryReply =
  | { readonly kind: 'ready' | 'opening' | 'running' }
  | { readonly kind: 'done'; readonly outcome: QueryOutcome }
  | { readonly kind: 'compared'; readonly results: readonly Comparison[] }
  | { readonly kind: 'at'; readonly place: number; readonly referenceRows: number };
