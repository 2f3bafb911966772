import {
  type Column,
  columnKey,
  type ColumnRef,
  type Database,
  type ForeignKey,
  keyColumns,
  type PlacedColumn,
  type PlacedTable,
  type Table,
} from '../../../schema/schema.js';
import { isSystemTable } from '../../databases/mutated-schema.js';
import type { GoldUse } from './gold-use.js';
import { itemAt } from '../../../present.js';
import type { RowReader } from '../../databases/row-reader.js';
import { rowsOfColumn } from './schema-draft.js';
import { type GoldlessCase, originOf } from './schema-relation.js';

/** The column that is a table's whole primary key, or null. */
export function soleKeyOf({ primaryKeys }: Pick<Database, 'primaryKeys'>, t: number): number | null {
  const own = primaryKeys.filter(({ table }) => table === t);
  return own.length === 1 ? itemAt(own, 0).column : null;
}

/** Checks whether each row has a value of its own in a column; null where there are no rows to read. */
export function isKeyed(rows: RowReader, one: GoldlessCase, ref: ColumnRef): boolean | null {
  const { sql, from } = rowsOfColumn(one, ref);
  const query = `SELECT 1 FROM (SELECT ${sql} AS k FROM ${from}) GROUP BY k HAVING k IS NULL OR count(*) > 1`;
  return rows.isEmpty(originOf(one), query);
}

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
