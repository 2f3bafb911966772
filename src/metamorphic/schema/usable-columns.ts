import {
  type Column,
  columnKey,
  type ColumnRef,
  type Database,
  type ForeignKey,
  type Table,
} from '../../schema/schema.js';
import { isSystemTable } from '../../variants/mutated-schema.js';
import type { GoldUse } from './gold-use.js';

/** Checks whether a table is the user's own, with columns that stand for themselves. */
export function isOrdinary(table: Table): boolean {
  return !isSystemTable(table) && table.columns.every(isPlain);
}

/** Neither machinery of a data set nor derived from another column. */
function isPlain({ fixed, family }: Column): boolean {
  return fixed !== true && family === undefined;
}

/** Columns of primary and foreign keys, at both ends, by `columnKey`. */
export function keyColumns({ primaryKeys, foreignKeys }: Database): ReadonlySet<string> {
  return new Set([...primaryKeys, ...foreignKeys.flatMap(({ from, to }) => [from, to])].map(columnKey));
}

/**
 * Columns that a gold query does not use and that no key holds, in the schema's order: what normalization, removal and
 * renaming take, as the published tool does. Keys stay, as a schema without them would say something else of its
 * tables.
 */
export function unusedColumns(database: Database, gold: GoldUse): readonly ColumnRef[] {
  const keys = keyColumns(database);
  return database.tables.flatMap((table, t) =>
    isOrdinary(table)
      ? table.columns.flatMap((_, column) => {
          const ref = { table: t, column };
          return keys.has(columnKey(ref)) || gold.columns.has(columnKey(ref)) ? [] : [ref];
        })
      : [],
  );
}

/** Foreign keys, each once: Spider's dog_kennels declares one of its own twice. */
export function distinctKeys(keys: readonly ForeignKey[]): readonly ForeignKey[] {
  return [...new Map(keys.map((key) => [`${columnKey(key.from)}>${columnKey(key.to)}`, key])).values()];
}
