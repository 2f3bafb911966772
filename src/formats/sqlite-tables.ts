import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { firstBytes } from '../regular-file.js';
import { makeFolder } from '../run/output-place.js';
import { openConnection, whileOpen } from '../sql/execution/open-connection.js';
import { commitFile } from '../run/durable-file.js';
import { foldName, quoteIdentifier } from '../sql/dialect.js';
import { openUntouched } from '../sql/execution/open-untouched.js';
import type { SqlValue } from '../sql/execution/query-outcome.js';
import { columnsOf, rowidOf } from '../sql/execution/table-pragmas.js';

/**
 * Names as identifiers of one table: what is blank becomes "column_3" by its position, what occurs twice (without case)
 * gets a number: "total", "total_2".
 */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  // A name that is its own comes first: of "a", "a", "a_2" the second becomes "a_3".
  const own = new Set(names.map(foldName));
  return names.map((name, i) => {
    const stem = name === '' ? `column_${i + 1}` : name;
    let unique = stem;
    for (let n = 2; used.has(foldName(unique)) || (unique !== name && own.has(foldName(unique))); n++) {
      unique = `${stem}_${n}`;
    }
    used.add(foldName(unique));
    return unique;
  });
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
    const rowid = rowidOf(columnsOf(sqlite, table));
    const order = rowid === null ? '' : ` ORDER BY ${rowid}`;
    const select = sqlite.prepare(`SELECT ${names} FROM ${quoteIdentifier(table)}${order}`);
    yield* select.raw().safeIntegers().iterate() as Iterable<SqlValue[]>;
  } finally {
    sqlite.close();
  }
}

/** How every SQLite file begins. https://sqlite.org/fileformat.html#magic_header_string */
const SQLITE_HEADER = Buffer.from('SQLite format 3\0', 'latin1');

/** Checks whether a file is a SQLite database, told by its content; opening it says whether it is a project. */
export function isSqliteFile(file: string): boolean {
  return firstBytes(file, SQLITE_HEADER.length).equals(SQLITE_HEADER);
}

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
    whileOpen(openConnection(temporary), (sqlite) => {
      // A file that is not finished is thrown away, so nothing needs to be undone.
      sqlite.pragma('journal_mode = OFF');
      sqlite.pragma('synchronous = OFF');
      fillTables(sqlite, tables);
    });
    commitFile(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The file of a database in a folder, built at the first call, as `buildSqliteFile`. */
export function sqliteFileIn(folder: string, dbId: string, tables: () => Iterable<SqliteTable>): string {
  const file = join(folder, `${dbId}.sqlite`);
  if (!existsSync(file)) buildSqliteFile(file, tables());
  return file;
}

/** The bytes of a SQLite file with the tables; the same rows give the same bytes. */
export function buildSqliteBytes(tables: Iterable<SqliteTable>): Uint8Array {
  return whileOpen(openConnection(':memory:'), (sqlite) => {
    fillTables(sqlite, tables);
    return sqlite.serialize();
  });
}
