import type Sqlite from 'better-sqlite3';
import { foldName, quoteIdentifier, SQLITE } from '../sql/dialect.js';
import { indexesOf, type ColumnInfo, type IndexTerm, type TableIndex } from '../sql/execution/table-pragmas.js';

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
export function collatedTerm(column: string, { coll }: Pick<IndexTerm, 'coll'>): string {
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

/** SQL that names the row id of a rowid table; null where other columns take all its names. */
export function rowidName(sqlite: Sqlite.Database, table: string, columns: readonly ColumnInfo[]): string | null {
  const taken = new Set(columns.map(({ name }) => foldName(name)));
  const alias = rowidAlias(sqlite, table, columns);
  return SQLITE.rowids.find((name) => !taken.has(name)) ?? (alias === null ? null : quoteIdentifier(alias.name));
}
