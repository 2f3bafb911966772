import type Sqlite from 'better-sqlite3';
import { foldName, quoteIdentifier, SQLITE } from '../dialect.js';

/** Longest cell that is read for samples, in bytes. */
const LONGEST_CELL = 1 << 16;

/**
 * SQL of a column's cells, NULL for one of more than 64 KiB: samples take the same memory whatever the cells' size, as
 * `octet_length` reads a cell's header only. https://sqlite.org/lang_corefunc.html#octet_length
 */
export function boundedCell(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${LONGEST_CELL} THEN ${column} END`;
}

/** SQL of how many of a column's cells are not NULL: `count(column)` reads each of them whole, whatever its size. */
export function countFilled(column: string): string {
  return `count(CASE WHEN ${column} IS NOT NULL THEN 1 END)`;
}

/** A row of `pragma table_list`; shadow tables hold the data of virtual ones. */
export interface ListedTable {
  readonly name: string;
  readonly type: 'table' | 'view' | 'virtual' | 'shadow';
  /** 1 = WITHOUT ROWID. */
  readonly wr: number;
  /** 1 = STRICT. */
  readonly strict: number;
}

/** A row of `pragma table_xinfo`. */
export interface ColumnInfo {
  readonly name: string;
  /** As declared; empty = none. */
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  /** Position in the primary key, from 1; 0 = not in it. */
  readonly pk: number;
  /** 1 = of a virtual table and not in `*`, 2 = generated, 3 = generated and stored. */
  readonly hidden: number;
}

/** A row of `pragma foreign_key_list`. */
export interface ForeignKeyPart {
  readonly id: number;
  readonly seq: number;
  readonly table: string;
  readonly from: string;
  /** Null: the parent's primary key. */
  readonly to: string | null;
}

/** A column of an index, or an expression. */
export interface IndexTerm {
  /** Null for an expression. */
  readonly name: string | null;
  /** Position among the table's columns; negative: the row id, or an expression. */
  readonly cid: number;
  /** 1 = descending. */
  readonly desc: number;
  readonly coll: string;
}

/** An index of a table, whether a statement or a constraint asks for it. */
export interface TableIndex {
  readonly name: string;
  readonly unique: number;
  /** What asks for it: a statement, UNIQUE, PRIMARY KEY. */
  readonly origin: 'c' | 'u' | 'pk';
  readonly partial: number;
  readonly terms: readonly IndexTerm[];
}

/** A foreign key by the names in its declaration; its two ends need not exist. */
export interface DeclaredKey {
  readonly parent: string;
  /** Null: a column of the parent's primary key that it does not have. */
  readonly columns: readonly { readonly from: string; readonly to: string | null }[];
}

/** The tables and views of the file itself: no TEMP objects that come before them. */
export function listTables(sqlite: Sqlite.Database): ListedTable[] {
  return sqlite.pragma('main.table_list') as ListedTable[];
}

/** Checks whether a name is that of one of the file's views. */
export function isView(sqlite: Sqlite.Database, name: string): boolean {
  const select = sqlite.prepare("SELECT 1 FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE");
  return select.get(name) !== undefined;
}

/** The rows of a pragma about one object of the file itself. */
export function pragmaRows<T>(sqlite: Sqlite.Database, pragma: string, name: string): T[] {
  return sqlite.pragma(`main.${pragma}(${quoteIdentifier(name)})`) as T[];
}

/** Names of the file's own tables in the order of their creation; no views, virtual tables or tables of SQLite's. */
export function tableNames(sqlite: Sqlite.Database): string[] {
  const tables = new Set(listTables(sqlite).flatMap(({ name, type }) => (type === 'table' ? [name] : [])));
  const created = sqlite.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY rowid").pluck();
  return (created.all() as string[]).filter((name) => tables.has(name) && !/^sqlite_/i.test(name));
}

/**
 * Counts the rows of each of the file's own tables, in the order of `tableNames`, again at each call; tables that are
 * made afterwards are not among them.
 */
export function rowCounter(sqlite: Sqlite.Database): () => readonly number[] {
  const counts = tableNames(sqlite).map((name) => `(SELECT count(*) FROM main.${quoteIdentifier(name)})`);
  if (counts.length === 0) return () => [];
  const statement = sqlite.prepare(`SELECT ${counts.join(', ')}`).raw();
  return () => statement.get() as number[];
}

/** Rows of all of the file's own tables together. */
export function countRows(sqlite: Sqlite.Database): number {
  return rowCounter(sqlite)().reduce((sum, rows) => sum + rows, 0);
}

/** The columns of a table that `*` refers to; none where there is no such table. */
export function columnsOf(sqlite: Sqlite.Database, table: string): ColumnInfo[] {
  return pragmaRows<ColumnInfo>(sqlite, 'table_xinfo', table).filter(({ hidden }) => hidden !== 1);
}

/** A name of the row id of a table with these columns; null where they take all of them. */
export function rowidOf(columns: readonly { readonly name: string }[]): string | null {
  const taken = new Set(columns.map(({ name }) => foldName(name)));
  return SQLITE.rowids.find((name) => !taken.has(name)) ?? null;
}

/** A virtual table with all its columns, hidden ones included. */
interface VirtualTable {
  readonly name: string;
  readonly columns: readonly ColumnInfo[];
}

/**
 * The file's virtual tables that SQLite can read, in the order of their creation: it lacks neither their module nor
 * their tokenizer.
 */
export function readableVirtualTables(sqlite: Sqlite.Database): readonly VirtualTable[] {
  const select = "SELECT name FROM main.sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY rowid";
  const names = sqlite.prepare(select).pluck().all() as string[];
  return names.flatMap((name) => {
    try {
      sqlite.prepare(`SELECT * FROM main.${quoteIdentifier(name)}`);
      return [{ name, columns: pragmaRows<ColumnInfo>(sqlite, 'table_xinfo', name) }];
    } catch {
      return [];
    }
  });
}

/** The indexes of a table, the last one first. */
export function indexesOf(sqlite: Sqlite.Database, table: string): TableIndex[] {
  return pragmaRows<Omit<TableIndex, 'terms'>>(sqlite, 'index_list', table).map((index) => {
    const parts = pragmaRows<IndexTerm & { readonly key: number }>(sqlite, 'index_xinfo', index.name);
    return { ...index, terms: parts.filter(({ key }) => key === 1) };
  });
}

/** The columns of a table's primary key, in the key's order. */
export function keyColumns(columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  return columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
}

/** Their positions. */
export const keyPositions = (columns: readonly ColumnInfo[]): number[] =>
  keyColumns(columns).map((column) => columns.indexOf(column));

/** The foreign keys of a table, in the order of their declaration. */
export function foreignKeysOf(sqlite: Sqlite.Database, table: string): DeclaredKey[] {
  const parts = pragmaRows<ForeignKeyPart>(sqlite, 'foreign_key_list', table);
  // SQLite lists the last one first.
  const parents = [...new Map(parts.map(({ id, table }) => [id, table]))].sort(([a], [b]) => b - a);
  return parents.map(([id, parent]) => {
    const own = parts.filter((part) => part.id === id).sort((a, b) => a.seq - b.seq);
    const key = keyColumns(columnsOf(sqlite, parent));
    return { parent, columns: own.map(({ from, to }, seq) => ({ from, to: to ?? key[seq]?.name ?? null })) };
  });
}
