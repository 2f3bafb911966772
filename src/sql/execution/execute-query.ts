import type Sqlite from 'better-sqlite3';
import { memoizeObject } from '../../schema/memoize.js';
import { isSqliteError } from './open-connection.js';
import {
  type QueryLimits,
  type QueryOutcome,
  type QueryRows,
  refusalOf,
  type ResultValue,
  type SqlRow,
} from './query-outcome.js';
import { isTrivia, tokenize } from '../tokenizer.js';
import { hasOneKey, RESULT_IDENTITY, type ResultEquality } from './result-mode.js';
import { rowKey } from './value-key.js';

/** The fate of a row as it is read: kept, passed over as it changes nothing, or the end: no equal result holds it. */
type RowFate = 'keep' | 'skip' | 'end';

/** Looks at the rows of a result one by one, for as long as the result may still equal another. */
export interface RowSifter {
  take(row: SqlRow): RowFate;
  /** True if a row was the end. */
  readonly hasEnded: boolean;
}

/** A result of more rows differs, however many there are. */
class RowCounter implements RowSifter {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get hasEnded(): boolean {
    return this.#left < 0;
  }

  take(): RowFate {
    this.#left -= 1;
    return this.hasEnded ? 'end' : 'keep';
  }
}

/** Of a set, a row that the other lacks is the end, and one that comes again says nothing. */
class SetSifter implements RowSifter {
  readonly #wanted: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  readonly #tolerance: number | null;
  hasEnded = false;

  constructor(wanted: ReadonlySet<string>, tolerance: number | null) {
    this.#wanted = wanted;
    this.#tolerance = tolerance;
  }

  take(row: SqlRow): RowFate {
    const key = rowKey(row, RESULT_IDENTITY);
    if (this.#seen.has(key)) return 'skip';
    if (!this.#wanted.has(key) && row.every((value) => hasOneKey(value, this.#tolerance))) {
      this.hasEnded = true;
      return 'end';
    }
    this.#seen.add(key);
    return 'keep';
  }
}

/** Keys of sets that other results are compared with, one after another. */
const keysOf = memoizeObject(
  ({ rows }: QueryRows): ReadonlySet<string> => new Set(rows.map((row) => rowKey(row, RESULT_IDENTITY))),
);

/**
 * Ends the reading of a result where it can't equal the reference any more; null in mode `bird`, which counts what is
 * equal.
 */
export function createRowSifter(reference: QueryRows, { mode, tolerance }: ResultEquality): RowSifter | null {
  if (mode === 'bird') return null;
  return mode === 'set' ? new SetSifter(keysOf(reference), tolerance) : new RowCounter(reference.rows.length);
}

/** The replacement for a byte that is not UTF-8. */
const REPLACEMENT = '\uFFFD';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Checks whether a value read by better-sqlite3 may stand for a text that is not valid UTF-8. */
function isDoubtful(value: ResultValue): boolean {
  return typeof value === 'string' && value.includes(REPLACEMENT);
}

/** The query without closing semicolons, which a statement in parentheses must not have. */
function withoutEnd(sql: string): string {
  const tokens = tokenize(sql);
  let last = tokens.length - 1;
  for (let token = tokens[last]; token !== undefined && (isTrivia(token) || token.text === ';'); token = tokens[last]) {
    last -= 1;
  }
  return sql.slice(0, tokens[last]?.end ?? 0);
}

function wrapped(sql: string, width: number, doubtful: readonly number[]): string {
  const names = Array.from({ length: width }, (_, i) => `c${i}`);
  const bytes = doubtful.map((i) => `CASE typeof(c${i}) WHEN 'text' THEN CAST(c${i} AS BLOB) END`);
  return `WITH "perturbql result"(${names.join(', ')}) AS (${withoutEnd(sql)}\n) SELECT ${[...names, ...bytes].join(', ')} FROM "perturbql result"`;
}

function sameValue(a: ResultValue, b: ResultValue | undefined): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  return Object.is(a, b);
}

function exactValue(bytes: Uint8Array): ResultValue {
  try {
    return strict.decode(bytes);
  } catch {
    return { text: new Uint8Array(bytes) };
  }
}

function exactRow(row: SqlRow, again: SqlRow, doubtful: readonly number[]): SqlRow | null {
  if (!row.every((value, i) => sameValue(value, again[i]))) return null;
  const exact = [...row];
  for (const [k, column] of doubtful.entries()) {
    const bytes = again[row.length + k];
    if (bytes instanceof Uint8Array) {
      if (lenient.decode(bytes) !== row[column]) return null;
      exact[column] = exactValue(bytes);
    }
  }
  return exact;
}

/**
 * The rows of a query with the texts of the given columns by their bytes: better-sqlite3 reads invalid UTF-8 as
 * replacement characters, so the query is run once more with `CAST(… AS BLOB)` around these columns. Null where the
 * second run does not give the same rows in the same order, as with random().
 */
function readExactTexts(
  sqlite: Sqlite.Database,
  sql: string,
  rows: readonly SqlRow[],
  doubtful: readonly number[],
): readonly SqlRow[] | null {
  const statement = sqlite.prepare(wrapped(sql, rows[0]?.length ?? 0, doubtful));
  const exact: SqlRow[] = [];
  for (const again of statement.raw().safeIntegers().iterate() as Iterable<SqlRow>) {
    const row = rows[exact.length];
    const read = row === undefined ? null : exactRow(row, again, doubtful);
    if (read === null) return null;
    exact.push(read);
  }
  return exact.length === rows.length ? exact : null;
}

/** Result codes that tell of the file, not of the query: https://sqlite.org/rescode.html */
const FILE_FAULT = /^SQLITE_(?:BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOTADB|PERM|PROTOCOL|READONLY)/;

/** About what a row and a value take in V8 in addition to their content, its place in the row included. */
const ROW_BYTES = 32;
const VALUE_BYTES = 32;

function bytesOf(value: ResultValue): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  return value instanceof Uint8Array ? VALUE_BYTES + value.byteLength : VALUE_BYTES;
}

/** Returns the outcome that an error of better-sqlite3 means for the query or its database. */
export function failureOf(error: unknown, at: 'query' | 'database' = 'query'): QueryOutcome {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError && message.includes('more than one statement')) {
    return { kind: 'refused', reason: 'several-statements' };
  }
  if (error instanceof RangeError && message.includes('no statements')) return { kind: 'refused', reason: 'empty' };
  const code = isSqliteError(error) ? error.code : '';
  if (code === 'SQLITE_TOOBIG') return { kind: 'too-large', limit: 'bytes' };
  if (code === 'SQLITE_NOMEM' || message === 'Array buffer allocation failed') {
    return { kind: 'too-large', limit: 'memory' };
  }
  return { kind: 'failed', at: FILE_FAULT.test(code) ? 'database' : at, message };
}

interface Collected {
  readonly rows: SqlRow[];
  /** Columns with texts that may not be UTF-8. */
  readonly doubtful: ReadonlySet<number>;
  /** True if there are further rows. */
  readonly isCut?: true;
}

type SizeLimits = Pick<QueryLimits, 'maxRows' | 'maxBytes' | 'cuts'>;

/** Rows as far as they are sifted, all without a sifter, or the limit they are beyond. */
function collect(
  statement: Sqlite.Statement,
  limits: SizeLimits,
  sifter: RowSifter | null,
): Collected | 'rows' | 'bytes' {
  const rows: SqlRow[] = [];
  const doubtful = new Set<number>();
  const beyond = (limit: 'rows' | 'bytes'): Collected | typeof limit =>
    limits.cuts === true ? { rows, doubtful, isCut: true } : limit;
  let bytes = 0;
  for (const row of statement.raw().safeIntegers().iterate() as Iterable<SqlRow>) {
    // Texts by their bytes are had from all rows only.
    if (sifter !== null && row.some(isDoubtful)) return collect(statement, limits, null);
    const fate = sifter?.take(row);
    if (fate === 'end') break;
    if (fate === 'skip') continue;
    if (rows.length === limits.maxRows) return beyond('rows');
    bytes += ROW_BYTES;
    for (let i = 0; i < row.length; i += 1) {
      const value = row[i] ?? null;
      bytes += bytesOf(value);
      if (isDoubtful(value)) doubtful.add(i);
    }
    if (bytes > limits.maxBytes) return beyond('bytes');
    rows.push(row);
  }
  return { rows, doubtful };
}

/** Runs a prepared query as `executeQuery` does; it may throw what `failureOf` reads. */
export function readStatement(
  sqlite: Sqlite.Database,
  statement: Sqlite.Statement,
  limits: SizeLimits,
  sifter: RowSifter | null = null,
): QueryOutcome {
  if (!statement.reader || !statement.readonly) return { kind: 'refused', reason: 'not-a-select' };
  const collected = collect(statement, limits, sifter);
  if (typeof collected === 'string') return { kind: 'too-large', limit: collected };
  const columns = statement.columns().map(({ name }) => name);
  if (collected.isCut) return { kind: 'rows', columns, rows: collected.rows, isCut: true };
  if (collected.doubtful.size === 0) return { kind: 'rows', columns, rows: collected.rows };
  const rows = readExactTexts(sqlite, statement.source, collected.rows, [...collected.doubtful]);
  if (rows !== null) return { kind: 'rows', columns, rows };
  const message = 'text that is not UTF-8 can’t be read exactly: the query gives other rows when run again';
  return { kind: 'failed', at: 'query', message };
}

/**
 * Runs one query on an open connection within row and byte limits; whatever the text, it gives an outcome. With a
 * sifter the rows are only those that it keeps.
 */
export function executeQuery(
  sqlite: Sqlite.Database,
  sql: string,
  limits: QueryLimits,
  sifter: RowSifter | null = null,
): QueryOutcome {
  const refusal = refusalOf(sql);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  try {
    return readStatement(sqlite, sqlite.prepare(sql), limits, sifter);
  } catch (error) {
    return failureOf(error);
  }
}
