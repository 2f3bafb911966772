import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { makeFolder } from '../run/make-folder.js';
import { openConnection } from '../sql/execution/open-connection.js';
import { commitFile } from '../run/durable-file.js';
import { quoteIdentifier } from '../sql/dialect.js';

/** A cell as better-sqlite3 takes it; a bigint is stored as an integer, a number as a real. */
export type SqliteCell = string | number | bigint | null;

/** A table that is built from rows which lie elsewhere. */
export interface SqliteTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly declaration: string }[];
  readonly rows: Iterable<readonly SqliteCell[]>;
}

function fillTable(sqlite: Sqlite.Database, { name, columns, rows }: SqliteTable): void {
  const declared = columns.map((column) => `${quoteIdentifier(column.name)} ${column.declaration}`);
  sqlite.exec(`CREATE TABLE ${quoteIdentifier(name)} (${declared.join(', ')})`);
  const insert = sqlite.prepare(`INSERT INTO ${quoteIdentifier(name)} VALUES (${columns.map(() => '?').join(', ')})`);
  for (const row of rows) insert.run(row);
}

/** Creates tables in an open database, and fills them. */
export function fillTables(sqlite: Sqlite.Database, tables: Iterable<SqliteTable>): void {
  sqlite.transaction(() => {
    for (const table of tables) fillTable(sqlite, table);
  })();
}

/** Builds a SQLite file; it is written whole or not at all, and the same rows give the same bytes. */
export function buildSqliteFile(file: string, tables: Iterable<SqliteTable>): void {
  makeFolder(dirname(file));
  const temporary = `${file}.tmp`;
  rmSync(temporary, { force: true });
  try {
    const sqlite = openConnection(temporary);
    try {
      // A file that is not finished is thrown away, so nothing needs to be undone.
      sqlite.pragma('journal_mode = OFF');
      sqlite.pragma('synchronous = OFF');
      fillTables(sqlite, tables);
    } finally {
      sqlite.close();
    }
    commitFile(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The bytes of a SQLite file with the tables; the same rows give the same bytes. */
export function buildSqliteBytes(tables: Iterable<SqliteTable>): Uint8Array {
  const sqlite = openConnection(':memory:');
  try {
    fillTables(sqlite, tables);
    return sqlite.serialize();
  } finally {
    sqlite.close();
  }
}
