import type Sqlite from 'better-sqlite3';
import { isTrivia, tokenize } from '../tokenizer.js';
import type { ResultValue, SqlRow } from './query-outcome.js';

/** What a byte that is not UTF-8 is read as. */
const REPLACEMENT = '\uFFFD';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether a value read by better-sqlite3 may stand for a text that is not valid UTF-8. */
export function isDoubtful(value: ResultValue): boolean {
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
export function readExactTexts(
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
