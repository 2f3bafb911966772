import { itemAt } from '../../../present.js';
import type { ColumnRef, Database } from '../../../schema/schema.js';
import type { RowReader } from '../../databases/row-reader.js';
import { rowsOfColumn } from '../schema/schema-draft.js';
import { type GoldlessCase, originOf } from '../schema/schema-relation.js';

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
