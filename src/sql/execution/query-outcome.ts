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

/** A value as JSON has it: integers beyond 2^53 as text, bytes in hex, real numbers that JSON lacks as text. */
export type PlainValue = string | number | null | { readonly blob: string };

export interface PlainResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly PlainValue[])[];
  /** Of all rows: `rows` are the first. */
  readonly count: number;
}

/** A value as JSON has it. */
function plainValue(value: SqlValue): PlainValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? { blob: Buffer.from(value).toString('hex') } : value;
}

/** The first rows of a result as JSON has them, or all, and how many there are; text that is not UTF-8 as SQLite shows it. */
export function plainResult(
  { columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly (readonly ResultValue[])[] },
  most = Infinity,
): PlainResult {
  const plain = (value: ResultValue): PlainValue =>
    plainValue(typeof value === 'object' && value !== null && 'text' in value ? value.text : value);
  return { columns, rows: rows.slice(0, most).map((row) => row.map(plain)), count: rows.length };
}

/** A value as it is shown: NULL and bytes as SQL writes them. */
export function shownValue(value: PlainValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'object' ? `X'${value.blob}'` : String(value);
}

/** A value as a cell of a table on a page: bytes as SQL writes them. */
export function cellOf(value: PlainValue): string | number | null {
  return typeof value === 'object' && value !== null ? shownValue(value) : value;
}

/** SQLite's own default for the length of a statement, https://sqlite.org/limits.html; better-sqlite3 allows 1 GB. */
export const MAX_SQL_LENGTH = 1_000_000;

/** Text that may come before the first word; SQLite skips a byte order mark, too. */
const TRIVIA = /[ \t\n\f\r\uFEFF]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const READING_WORD = /(?:SELECT|VALUES|WITH)(?![A-Za-z0-9_$\u0080-\uFFFF])/iy;

function skipTrivia(sql: string): number {
  let at = 0;
  for (;;) {
    TRIVIA.lastIndex = at;
    const match = TRIVIA.exec(sql);
    if (match === null) return at;
    at += match[0].length;
  }
}

/**
 * Why a text may not even be prepared, or null. A PRAGMA takes effect while it is prepared, and a NUL would hide what
 * follows it.
 */
export function refusalOf(sql: string): Refusal | null {
  if (sql.length > MAX_SQL_LENGTH) return 'too-long';
  if (sql.includes('\0')) return 'nul-character';
  const start = skipTrivia(sql);
  if (start === sql.length) return 'empty';
  READING_WORD.lastIndex = start;
  return READING_WORD.test(sql) ? null : 'not-a-select';
}
