import {
  type Column,
  columnKey,
  type Database,
  type ForeignKey,
  type PlacedColumn,
  type PlacedTable,
  type Table,
} from '../../../schema/schema.js';
import { isSystemTable } from '../../databases/mutated-schema.js';
import type { GoldUse } from './gold-use.js';

/** Checks whether a table is the user's own, with columns that stand for themselves. */
export function isOrdinary(table: Table): boolean {
  return !isSystemTable(table) && table.columns.every(isPlain);
}

/** The tables that are the user's own, in the schema's order. */
export function ordinaryTables({ tables }: Database): readonly PlacedTable[] {
  return tables.flatMap((table, t) => (isOrdinary(table) ? [{ t, table }] : []));
}

/** Neither machinery of a data set nor derived from another column. */
function isPlain({ fixed, family }: Column): boolean {
  return fixed !== true && family === undefined;
}

/** Columns of primary and foreign keys, at both ends, by `columnKey`. */
export function keyColumns({ primaryKeys, foreignKeys }: Database): ReadonlySet<string> {
  return new Set([...primaryKeys, ...foreignKeys.flatMap(({ from, to }) => [from, to])].map(columnKey));
}

/** Columns of ordinary tables that no key holds, in the schema's order. */
export function keylessColumns(database: Database): readonly PlacedColumn[] {
  const keys = keyColumns(database);
  return ordinaryTables(database).flatMap(({ t, table }) =>
    table.columns.flatMap((column, c) => {
      const ref = { table: t, column: c };
      return keys.has(columnKey(ref)) ? [] : [{ ref, table, column }];
    }),
  );
}

/**
 * Columns that a gold query does not use and that no key holds: what normalization, removal and renaming take, as the
 * published tool does. Keys stay, as a schema without them would say something else of its tables.
 */
export function unusedColumns(database: Database, gold: GoldUse): readonly PlacedColumn[] {
  return keylessColumns(database).filter(({ ref }) => !gold.columns.has(columnKey(ref)));
}

/** Columns that a gold query uses and no key holds. */
export function usedColumns(database: Database, gold: GoldUse): readonly PlacedColumn[] {
  return keylessColumns(database).filter(({ ref }) => gold.columns.has(columnKey(ref)));
}

/** Foreign keys, each once: Spider's dog_kennels declares one of its own twice. */
export function distinctKeys(keys: readonly ForeignKey[]): readonly ForeignKey[] {
  return [...new Map(keys.map((key) => [`${columnKey(key.from)}>${columnKey(key.to)}`, key])).values()];
}
