import { quoteIdentifier } from '../sql/dialect.js';
import { openUntouched } from '../sql/execution/open-untouched.js';
import type { SqlValue } from '../sql/execution/query-outcome.js';

/** The cells of some columns of a table in a SQLite file, row by row in order of row id. */
export function* readStoredColumns(
  file: string,
  table: string,
  columns: readonly string[],
): Generator<readonly SqlValue[]> {
  const sqlite = openUntouched(file);
  try {
    const names = columns.map((name) => quoteIdentifier(name)).join(', ');
    const select = sqlite.prepare(`SELECT ${names} FROM ${quoteIdentifier(table)} ORDER BY rowid`);
    yield* select.raw().safeIntegers().iterate() as Iterable<SqlValue[]>;
  } finally {
    sqlite.close();
  }
}
