import type Sqlite from 'better-sqlite3';
import { foldName, quoteIdentifier } from '../sql/dialect.js';
import {
  type ColumnInfo,
  columnsOf,
  indexesOf,
  type IndexTerm,
  listTables,
  rowidOf,
  type TableIndex,
} from '../sql/execution/table-pragmas.js';
import { InputFormatError } from '../errors.js';

/** A column of a primary key as the key itself orders it: its collation may be another than the column's. */
export interface KeyTerm extends IndexTerm {
  readonly name: string;
}

function primaryIndex(sqlite: Sqlite.Database, table: string): TableIndex | undefined {
  return indexesOf(sqlite, table).find(({ origin }) => origin === 'pk');
}

/** The primary key as the b-tree of a table WITHOUT ROWID orders its rows. */
export function keyTerms(sqlite: Sqlite.Database, table: string): KeyTerm[] {
  return (primaryIndex(sqlite, table)?.terms ?? []) as KeyTerm[];
}

/** A key's column, or the type of a copy of it, with the key's collation. */
function collatedTerm(column: string, { coll }: Pick<IndexTerm, 'coll'>): string {
  return `${column} COLLATE ${quoteIdentifier(coll)}`;
}

/** A term of ORDER BY or PRIMARY KEY that orders rows as the key does; `column` is SQL. */
export function orderTerm(column: string, term: Pick<IndexTerm, 'coll' | 'desc'>): string {
  return `${collatedTerm(column, term)}${term.desc === 1 ? ' DESC' : ''}`;
}

/** The column of a rowid table that is its row id: INTEGER PRIMARY KEY. */
export function rowidAlias(sqlite: Sqlite.Database, table: string, columns: readonly ColumnInfo[]): ColumnInfo | null {
  const [only, ...others] = columns.filter(({ pk }) => pk > 0);
  if (only === undefined || others.length > 0 || foldName(only.type) !== 'integer') return null;
  // INTEGER PRIMARY KEY DESC is a common column with an index, by an old fault of SQLite's.
  return primaryIndex(sqlite, table) === undefined ? only : null;
}

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
  const alias = rowidAlias(sqlite, table, columns);
  const sql = rowidOf(columns) ?? (alias === null ? null : quoteIdentifier(alias.name));
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
