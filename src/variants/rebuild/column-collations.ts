import type Sqlite from 'better-sqlite3';
import { openConnection } from '../../sql/execution/open-connection.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { type ColumnInfo, pragmaRows } from '../../sql/execution/table-pragmas.js';

interface IndexPart {
  readonly coll: string;
  readonly key: number;
}

/** An index takes the collation of its column, and tells it; a column does not. */
function collationOf(scratch: Sqlite.Database, table: string, column: string): string | null {
  scratch.exec(`CREATE INDEX perturbql_probe ON ${quoteIdentifier(table)} (${quoteIdentifier(column)})`);
  const [part] = pragmaRows<IndexPart>(scratch, 'index_xinfo', 'perturbql_probe');
  scratch.exec('DROP INDEX perturbql_probe');
  return part === undefined || part.coll === 'BINARY' ? null : part.coll;
}

/** The collation of each column of a table that has another than BINARY, else null. */
export function columnCollations(
  sqlite: Sqlite.Database,
  table: string,
  columns: readonly ColumnInfo[],
): readonly (string | null)[] {
  const select = sqlite.prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?").pluck();
  const sql = (select.get(table) as string | null | undefined) ?? '';
  if (!/\bcollate\b/i.test(sql)) return columns.map(() => null);
  const scratch = openConnection(':memory:');
  try {
    scratch.exec(sql);
    return columns.map(({ name }) => collationOf(scratch, table, name));
  } finally {
    scratch.close();
  }
}
