import {
  type Column,
  columnKey,
  type ColumnRef,
  type Database,
  type ForeignKey,
  type Table,
} from '../../../schema/schema.js';
import { isSystemTable } from '../../databases/mutated-schema.js';
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

/** Columns that no key holds, in the schema's order; of those that a gold query uses, or of the others. */
function freeColumns(database: Database, gold: GoldUse, areUsed: boolean): readonly ColumnRef[] {
  const keys = keyColumns(database);
  return database.tables.flatMap((table, t) => {
    const refs = isOrdinary(table) ? table.columns.map((_, column) => ({ table: t, column })) : [];
    return refs.filter((ref) => !keys.has(columnKey(ref)) && gold.columns.has(columnKey(ref)) === areUsed);
  });
}

/**
 * Columns that a gold query does not use and that no key holds: what normalization, removal and renaming take, as the
 * published tool does. Keys stay, as a schema without them would say something else of its tables.
 */
export function unusedColumns(database: Database, gold: GoldUse): readonly ColumnRef[] {
  return freeColumns(database, gold, false);
}

/** Columns that a gold query uses and no key holds. */
export function usedColumns(database: Database, gold: GoldUse): readonly ColumnRef[] {
  return freeColumns(database, gold, true);
}

/** Foreign keys, each once: Spider's dog_kennels declares one of its own twice. */
export function distinctKeys(keys: readonly ForeignKey[]): readonly ForeignKey[] {
  return [...new Map(keys.map((key) => [`${columnKey(key.from)}>${columnKey(key.to)}`, key])).values()];
}
