import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../../errors.js';
import { foldName, SQLITE } from '../../../sql/dialect.js';

/**
 * Schema name of the original on a connection that the script is played on. better-sqlite3 has no URI filenames, so that
 * `ATTACH` can't be read-only; hence the original is the connection's own database, and TEMP objects stand before it.
 */
export const ORIGINAL_SCHEMA = 'main';

/** How the rows of a table are told apart: SQL of the key's columns, each with what its copy is declared as. */
export interface RowKey {
  readonly columns: readonly { readonly sql: string; readonly declared: string; readonly order: string }[];
  /** Whether the key is the row id. */
  readonly isRowid: boolean;
}

/** What a view over a table of the original needs to know of it. */
export interface ViewedTable {
  readonly name: string;
  /** Names of the columns that `*` stands for, in order. */
  readonly columns: readonly string[];
  readonly strict: boolean;
  /** Null where the columns take all names of the row id. */
  readonly key: RowKey | null;
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
  readonly hidden: number;
}

interface KeyPart {
  readonly name: string | null;
  readonly desc: number;
  readonly coll: string;
  readonly key: number;
}

/** An identifier in double quotes, whatever it is. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function pragma(sqlite: Sqlite.Database, name: string, argument: string): unknown[] {
  return sqlite.pragma(`${ORIGINAL_SCHEMA}.${name}(${quoteName(argument)})`) as unknown[];
}

function rowidKey(sqlite: Sqlite.Database, table: string, columns: readonly ColumnInfo[]): RowKey | null {
  const taken = new Set(columns.map(({ name }) => foldName(name)));
  const free = SQLITE.rowids.find((name) => !taken.has(name));
  const [only, ...others] = columns.filter(({ pk }) => pk > 0);
  const indexed = (pragma(sqlite, 'index_list', table) as { origin: string }[]).some(({ origin }) => origin === 'pk');
  const alias = others.length === 0 && !indexed && only?.type.toUpperCase() === 'INTEGER' ? quoteName(only.name) : null;
  const sql = free ?? alias;
  if (sql === null) return null;
  return { columns: [{ sql, declared: 'INTEGER', order: sql }], isRowid: true };
}

/** The primary key in the order that the table's own b-tree has. */
function primaryKey(sqlite: Sqlite.Database, table: string, columns: readonly ColumnInfo[]): RowKey {
  const indexes = pragma(sqlite, 'index_list', table) as { name: string; origin: string }[];
  const index = indexes.find(({ origin }) => origin === 'pk');
  const parts = pragma(sqlite, 'index_xinfo', index?.name ?? '') as KeyPart[];
  const key = parts.flatMap(({ name, desc, coll, key: isKey }) => {
    if (isKey === 0 || name === null) return [];
    const type = columns.find((column) => column.name === name)?.type ?? '';
    const sql = quoteName(name);
    const collate = `COLLATE ${quoteName(coll)}`;
    return [{ sql, declared: `${type} ${collate}`, order: `${sql} ${collate}${desc === 1 ? ' DESC' : ''}` }];
  });
  return { columns: key, isRowid: false };
}

/**
 * Reads what a view over a table needs.
 * @throws InputFormatError when the database lacks the table, or it is SQLite's own
 */
export function readViewedTable(sqlite: Sqlite.Database, table: string): ViewedTable {
  const lists = sqlite.pragma(`${ORIGINAL_SCHEMA}.table_list`) as { name: string; wr: number; strict: number }[];
  const found = lists.find(({ name }) => foldName(name) === foldName(table));
  if (found === undefined || foldName(table).startsWith('sqlite_')) {
    const what = found === undefined ? 'the database has no such table' : 'a table of SQLite’s own can’t be changed';
    throw new InputFormatError(what, { where: { id: table }, fix: 'Leave the table out of the perturbation.' });
  }
  const columns = (pragma(sqlite, 'table_xinfo', found.name) as ColumnInfo[]).filter(({ hidden }) => hidden !== 1);
  const key = found.wr === 1 ? primaryKey : rowidKey;
  return {
    name: found.name,
    columns: columns.map(({ name }) => name),
    strict: found.strict === 1,
    key: key(sqlite, found.name, columns),
  };
}
