import type { Table } from '../../schema/schema.js';
import type { ReadQuery } from './read-query.js';

/** The tables of the schema that a query reads, each once. */
export function bindingTables({ bound, database }: ReadQuery): readonly Table[] {
  const used = new Set(bound.tables.flatMap(({ kind, table }) => (kind === 'table' && table !== null ? [table] : [])));
  return [...used].flatMap((table) => database.tables[table] ?? []);
}
