import type Sqlite from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/dialect.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';

/** The rows of each table by its name; cells in the sequence of `Fuzzer.tables`. */
export type TableRows = ReadonlyMap<string, readonly (readonly SqlValue[])[]>;

/** A table with its columns that can be written. */
export interface WrittenTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Columns as a list in SQL. */
export const listOf = (columns: readonly string[]): string => columns.map((name) => quoteIdentifier(name)).join(', ');

/** The statement that inserts a row into a table. */
export function insertInto({ name, columns }: WrittenTable): string {
  return `INSERT INTO ${quoteIdentifier(name)} (${listOf(columns)}) VALUES (${columns.map(() => '?').join(', ')})`;
}

/** Puts rows into tables. */
export function insertRows(sqlite: Sqlite.Database, tables: readonly WrittenTable[], rows: TableRows): void {
  sqlite.transaction(() => {
    for (const table of tables) {
      const own = rows.get(table.name) ?? [];
      if (own.length === 0) continue;
      const statement = sqlite.prepare(insertInto(table));
      for (const cells of own) statement.run(cells);
    }
  })();
}

/** Puts rows into tables in place of theirs. */
export function replaceRows(sqlite: Sqlite.Database, tables: readonly WrittenTable[], rows: TableRows): void {
  sqlite.transaction(() => {
    for (const { name } of tables) sqlite.exec(`DELETE FROM main.${quoteIdentifier(name)}`);
    insertRows(sqlite, tables, rows);
  })();
}
