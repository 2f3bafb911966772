import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../errors.js';
import { foldName, quoteIdentifier } from '../sql/dialect.js';
import { columnsOf, listTables, type ColumnInfo } from '../sql/execution/table-pragmas.js';
import { collatedTerm, keyTerms, orderTerm, rowidName } from './row-key.js';

/**
 * Schema name of the original on a connection that the script is played on. better-sqlite3 has no URI filenames, so
 * that `ATTACH` can't be read-only; hence the original is the connection's own database, and TEMP objects come before
 * it.
 */
export const ORIGINAL_SCHEMA = 'main';

/** How the rows of a table are distinguished: SQL of the key's columns, each with what its copy is declared as. */
export interface RowKey {
  readonly columns: readonly { readonly sql: string; readonly declared: string; readonly order: string }[];
  /** True if the key is the row id. */
  readonly isRowid: boolean;
}

/** The facts about a table of the original that a view over it needs. */
export interface ViewedTable {
  readonly name: string;
  /** The columns that `*` refers to, in order. */
  readonly columns: readonly ColumnInfo[];
  readonly strict: boolean;
  /** Null where the columns take all names of the row id. */
  readonly key: RowKey | null;
}

function rowidKey(sqlite: Sqlite.Database, table: string, columns: readonly ColumnInfo[]): RowKey | null {
  const sql = rowidName(sqlite, table, columns);
  return sql === null ? null : { columns: [{ sql, declared: 'INTEGER', order: sql }], isRowid: true };
}

function primaryKey(sqlite: Sqlite.Database, table: string, columns: readonly ColumnInfo[]): RowKey {
  const key = keyTerms(sqlite, table).map((term) => {
    const type = columns.find(({ name }) => name === term.name)?.type ?? '';
    const sql = quoteIdentifier(term.name);
    return { sql, declared: collatedTerm(type, term), order: orderTerm(sql, term) };
  });
  return { columns: key, isRowid: false };
}

/**
 * Reads what a view over a table needs.
 * @throws InputFormatError when the database lacks the table, or it is SQLite's own
 */
export function readViewedTable(sqlite: Sqlite.Database, table: string): ViewedTable {
  const found = listTables(sqlite).find(({ name }) => foldName(name) === foldName(table));
  if (found === undefined || foldName(table).startsWith('sqlite_')) {
    const what = found === undefined ? 'the database has no such table' : 'a table of SQLite’s own can’t be changed';
    throw new InputFormatError(what, { where: { id: table }, fix: 'Leave the table out of the perturbation.' });
  }
  const columns = columnsOf(sqlite, found.name);
  const key = found.wr === 1 ? primaryKey : rowidKey;
  return { name: found.name, columns, strict: found.strict === 1, key: key(sqlite, found.name, columns) };
}
