import type Sqlite from 'better-sqlite3';
import { foldName, quoteIdentifier, SQLITE } from '../sql/dialect.js';
import { openUntouched } from '../sql/execution/open-untouched.js';
import type { SqlValue } from '../sql/execution/query-outcome.js';
import { columnsOf } from '../sql/execution/table-pragmas.js';

/** The clause that puts rows in order of row id; none where columns of the table take all its names. */
function inRowOrder(sqlite: Sqlite.Database, table: string): string {
  const taken = new Set(columnsOf(sqlite, table).map(({ name }) => foldName(name)));
  const free = SQLITE.rowids.find((name) => !taken.has(name));
  return free === undefined ? '' : ` ORDER BY ${free}`;
}

/** The cells of some columns of a table in a SQLite file, row by row in order of row id. */
export function* readStoredColumns(
  file: string,
  table: string,
  columns: readonly string[],
): Generator<readonly SqlValue[]> {
  const sqlite = openUntouched(file);
  try {
    const names = columns.map((name) => quoteIdentifier(name)).join(', ');
    const select = sqlite.prepare(`SELECT ${names} FROM ${quoteIdentifier(table)}${inRowOrder(sqlite, table)}`);
    yield* select.raw().safeIntegers().iterate() as Iterable<SqlValue[]>;
  } finally {
    sqlite.close();
  }
}
