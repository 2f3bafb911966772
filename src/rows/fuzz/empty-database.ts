import type Sqlite from 'better-sqlite3';
import { openConnection } from '../../sql/execution/open-connection.js';
import { InputFormatError } from '../../errors.js';
import { columnAt, type ColumnRef, type ColumnType, type Database, placedColumn } from '../../schema/schema.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { brokenViews, repairSchema } from '../../sql/execution/repaired-schema.js';
import { listTables, tableNames } from '../../sql/execution/table-pragmas.js';

const TYPE_NAMES: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  number: 'NUMERIC',
  time: 'TEXT',
  boolean: 'NUMERIC',
  others: '',
};

/**
 * Takes virtual tables out of the schema, with the tables that hold their data and the views that read them: no rows are
 * made for them.
 */
function removeVirtual(sqlite: Sqlite.Database): void {
  const names = listTables(sqlite).flatMap(({ name, type }) => (type === 'virtual' || type === 'shadow' ? [name] : []));
  if (names.length === 0) return;
  sqlite.unsafeMode(true);
  sqlite.pragma('writable_schema = ON');
  const remove = sqlite.prepare('DELETE FROM main.sqlite_schema WHERE tbl_name = ?');
  for (const name of names) remove.run(name);
  sqlite.pragma('writable_schema = RESET');
  sqlite.unsafeMode(false);
  for (const { object } of brokenViews(sqlite)) sqlite.exec(`DROP VIEW ${quoteIdentifier(object)}`);
}

/** A database in memory as a file's bytes have it, without rows, and without triggers, which only serve writing. */
export function openEmptied(bytes: Buffer): Sqlite.Database {
  const sqlite = openConnection(bytes);
  sqlite.pragma('foreign_keys = off');
  repairSchema(sqlite);
  const triggers = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  for (const name of triggers) sqlite.exec(`DROP TRIGGER ${quoteIdentifier(name)}`);
  removeVirtual(sqlite);
  for (const name of tableNames(sqlite)) sqlite.exec(`DELETE FROM ${quoteIdentifier(name)}`);
  return sqlite;
}

function emptied(file: string): Sqlite.Database {
  const sqlite = openEmptied(readUntouched(file, (original) => original.serialize()));
  sqlite.exec('VACUUM');
  return sqlite;
}

/** Of a table that links others, Spider's schemas name one column of its key alone: that refers to another table. */
function isReference(foreignKeys: Database['foreignKeys'], { table, column }: ColumnRef): boolean {
  return foreignKeys.some(({ from }) => from.table === table && from.column === column);
}

function created(database: Database): Sqlite.Database {
  const { tables, primaryKeys, foreignKeys } = database;
  const nameOf = (ref: ColumnRef): string => quoteIdentifier(columnAt(database, ref).originalName);
  const sqlite = openConnection(':memory:');
  for (const [t, table] of tables.entries()) {
    // Spider's world_1 lists a table of SQLite's own, which can't be created.
    if (/^sqlite_/iu.test(table.originalName)) continue;
    const columns = table.columns.map(
      ({ originalName, type }) => `${quoteIdentifier(originalName)} ${TYPE_NAMES[type]}`,
    );
    const key = primaryKeys.filter((ref) => ref.table === t && !isReference(foreignKeys, ref)).map(nameOf);
    const foreign = foreignKeys
      .filter(({ from }) => from.table === t)
      .map(({ from, to }) => {
        const parent = quoteIdentifier(placedColumn(database, to).table.originalName);
        return `FOREIGN KEY (${nameOf(from)}) REFERENCES ${parent} (${nameOf(to)})`;
      });
    const lines = [...columns, ...(key.length === 0 ? [] : [`PRIMARY KEY (${key.join(', ')})`]), ...foreign];
    sqlite.exec(`CREATE TABLE ${quoteIdentifier(table.originalName)} (${lines.join(', ')})`);
  }
  return sqlite;
}

/** Returns the error for a file that is no SQLite database, or a damaged one. */
export function unreadableDatabase(file: string, cause: unknown): InputFormatError {
  const fix = 'Check that --databases holds this data set’s own files.';
  return new InputFormatError('the database can’t be read', { where: { file }, cause, fix });
}

/**
 * A database in memory that has the tables, types, collations, indexes and views of a file, and no rows, triggers and
 * virtual tables.
 * Without a file it has what the schema tells.
 * @throws InputFormatError when the file is not a readable SQLite database
 */
export function emptyDatabase(file: string | null, schema: Database): Sqlite.Database {
  if (file === null) return created(schema);
  try {
    return emptied(file);
  } catch (cause) {
    throw unreadableDatabase(file, cause);
  }
}
