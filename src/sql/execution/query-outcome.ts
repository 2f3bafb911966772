/** A value as SQLite holds it: integers as bigint, so that 1 and 1.0 stay apart, reals as number, blobs as bytes. */
export type SqlValue = bigint | number | string | Uint8Array | null;

/** A text of a database that is not valid UTF-8, by its bytes: as a JavaScript string it would be another text. */
interface InvalidText {
  readonly text: Uint8Array;
}

/** A value of a query's result. */
export type ResultValue = SqlValue | InvalidText;

export type SqlRow = readonly ResultValue[];

/** The result of a query: names of its output columns, duplicates kept, and its rows in the order SQLite gave them. */
export interface QueryRows {
  readonly kind: 'rows';
  readonly columns: readonly string[];
  readonly rows: readonly SqlRow[];
  /** Set where further rows were left out, at a limit that `cuts`. */
  readonly isCut?: boolean;
}

/** Why a text is not executed at all: only a single statement that reads is. */
export type Refusal = 'empty' | 'nul-character' | 'too-long' | 'several-statements' | 'not-a-select';

/** Which limit a result is beyond: rows, bytes of the result or of one value, or the memory of the process. */
type SizeLimit = 'rows' | 'bytes' | 'memory';

/** The outcome of a query. */
export type QueryOutcome =
  | QueryRows
  /**
   * `at` says whose fault it is: the query's, the database file's (absent, locked, malformed), or the process's (it
   * died).
   */
  | { readonly kind: 'failed'; readonly at: 'query' | 'database' | 'process'; readonly message: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'too-large'; readonly limit: SizeLimit }
  | { readonly kind: 'refused'; readonly reason: Refusal };

/** Bounds of one query. */
export interface QueryLimits {
  /** Milliseconds from its start until its result is here; opening the database is not counted. */
  readonly timeoutMs: number;
  readonly maxRows: number;
  /** Bytes of the result in memory: 32 a row, 32 a value, and one for each character of a text or byte of a blob. */
  readonly maxBytes: number;
  /** Gives the rows within the limits of rows and bytes where there are more, not `too-large`. */
  readonly cuts?: boolean;
}

/** Half a minute (as in BIRD's evaluator), a million rows, 128 MiB. */
export const DEFAULT_LIMITS: QueryLimits = { timeoutMs: 30_000, maxRows: 1_000_000, maxBytes: 128 * 1024 * 1024 };
