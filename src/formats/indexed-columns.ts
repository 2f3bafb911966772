import type Sqlite from 'better-sqlite3';
import type { Column, Database } from '../schema/schema.js';
import { indexedContent } from '../sql/definitions/virtual-text.js';
import { foldName } from '../sql/dialect.js';
import { columnsOf } from '../sql/execution/table-pragmas.js';

/** Columns that a full-text index reads by their names; folded. */
export interface IndexedColumns {
  readonly index: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/** The columns of a table or virtual table, folded; null where SQLite can't tell: it lacks the module, say. */
function namesOf(sqlite: Sqlite.Database, table: string): readonly string[] | null {
  try {
    return columnsOf(sqlite, table).map(({ name }) => foldName(name));
  } catch {
    return null;
  }
}

/** The columns that the full-text indexes of an open file read by their names. */
export function indexedColumns(sqlite: Sqlite.Database): readonly IndexedColumns[] {
  const select = sqlite.prepare(
    "SELECT name, sql FROM main.sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY rowid",
  );
  return (select.all() as { name: string; sql: string }[]).flatMap(({ name: index, sql }) => {
    const content = indexedContent(sql);
    if (content === null) return [];
    const own = new Set(namesOf(sqlite, content.table) ?? []);
    const read = [...(namesOf(sqlite, index) ?? own), foldName(content.rowid ?? '')];
    const columns = [...new Set(read.filter((name) => own.has(name)))];
    return columns.length === 0 ? [] : [{ index, table: foldName(content.table), columns }];
  });
}

/** A schema whose columns keep their names where a full-text index finds them by these. */
export function withIndexedFixed(schema: Database, indexed: readonly IndexedColumns[]): Database {
  if (indexed.length === 0) return schema;
  const isRead = (table: string, column: string): boolean =>
    indexed.some((one) => one.table === foldName(table) && one.columns.includes(foldName(column)));
  const tables = schema.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column): Column =>
      isRead(table.originalName, column.originalName) ? { ...column, fixed: true } : column,
    ),
  }));
  return { ...schema, tables };
}
