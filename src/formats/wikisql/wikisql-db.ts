import type Sqlite from 'better-sqlite3';
import { openConnection } from '../../sql/execution/open-connection.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import type { SqliteCell } from '../sqlite-builder.js';

/** A table of WikiSQL's `.db`; columns are called col0, col1 … */
export interface WikiSqlDbTable {
  /** "table_1_1000181_1" */
  readonly name: string;
  readonly types: readonly string[];
  readonly rows: readonly (readonly SqliteCell[])[];
}

/** Tables made through one connection. SQLite takes ever longer for each further table that a connection knows. */
const BATCH = 500;

function openForFilling(file: string): Sqlite.Database {
  const sqlite = openConnection(file);
  // The file is thrown away unless it is finished, so nothing needs to be undone.
  sqlite.pragma('journal_mode = OFF');
  sqlite.pragma('synchronous = OFF');
  // For writes to sqlite_master. https://sqlite.org/pragma.html#pragma_writable_schema
  sqlite.unsafeMode(true);
  sqlite.pragma('writable_schema = ON');
  return sqlite;
}

function createTable(sqlite: Sqlite.Database, { name, types, rows }: WikiSqlDbTable): void {
  const quoted = quoteIdentifier(name);
  // WikiSQL's dbengine.py reads types out of this text: ", " between columns, names without quotes.
  sqlite.exec(`CREATE TABLE ${quoted} (${types.map((type, c) => `col${c} ${type}`).join(', ')})`);
  const insert = sqlite.prepare(`INSERT INTO ${quoted} VALUES (${types.map(() => '?').join(', ')})`);
  for (const row of rows) insert.run(row);
}

/** Runs a step in a transaction on a connection of its own. */
function withConnection<T>(file: string, step: (sqlite: Sqlite.Database) => T): T {
  const sqlite = openForFilling(file);
  try {
    return sqlite.transaction(() => step(sqlite))();
  } finally {
    sqlite.close();
  }
}

/** Makes some tables and takes their entries out of the schema again, so that the next connection knows none. */
function fillBatch(sqlite: Sqlite.Database, tables: readonly WikiSqlDbTable[]): readonly unknown[][] {
  for (const table of tables) createTable(sqlite, table);
  const entries = sqlite.prepare('SELECT * FROM sqlite_master ORDER BY rowid').raw().all() as unknown[][];
  sqlite.prepare('DELETE FROM sqlite_master').run();
  return entries;
}

/**
 * Writes a WikiSQL `.db` with a table for each of many: linear in their number, where one connection would take minutes
 * for 50,000. The same tables give the same bytes.
 */
export function writeWikiSqlDb(file: string, tables: Iterable<WikiSqlDbTable>): void {
  const entries: (readonly unknown[])[] = [];
  let batch: WikiSqlDbTable[] = [];
  const flush = (): void => {
    entries.push(...withConnection(file, (sqlite) => fillBatch(sqlite, batch)));
    batch = [];
  };
  for (const table of tables) {
    batch.push(table);
    if (batch.length === BATCH) flush();
  }
  flush();
  withConnection(file, (sqlite) => {
    const insert = sqlite.prepare('INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)');
    for (const entry of entries) insert.run(entry);
  });
}
