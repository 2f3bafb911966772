import type { ColumnRef, Database } from '../schema/schema.js';
import { foldName } from './dialect.js';

/** Index of the table with this name, without regard to case; -1 where there is none. */
export function tableNamed(database: Database, name: string): number {
  return database.tables.findIndex(({ originalName }) => foldName(originalName) === foldName(name));
}

/** Index of the column with this name in a table, without regard to case; -1 where there is none. */
export function columnNamed(database: Database, table: number, name: string): number {
  const columns = database.tables[table]?.columns ?? [];
  return columns.findIndex(({ originalName }) => foldName(originalName) === foldName(name));
}

/** The column with this name in the table with that name, without regard to case; null where there is none. */
export function refNamed(database: Database, table: string, name: string): ColumnRef | null {
  const ref = { table: tableNamed(database, table), column: columnNamed(database, tableNamed(database, table), name) };
  return ref.column < 0 ? null : ref;
}
