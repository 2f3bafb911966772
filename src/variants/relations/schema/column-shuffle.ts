import { itemAt } from '../../../present.js';
import type { PlacedTable } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { StageContext } from '../../../stage.js';
import { drawPermutations } from './permutations.js';
import { changeTable } from './schema-draft.js';
import { SchemaRelation, type SchemaVariant } from './schema-relation.js';
import { ordinaryTables } from './usable-columns.js';

function ordersOf(
  id: string,
  { t, table: { originalName, columns } }: PlacedTable,
  limit: number,
  context: StageContext,
): readonly SchemaVariant[] {
  const orders = drawPermutations(columns.length, limit, context.rngFor(`${id}.${originalName}~CS`));
  return orders.map((order) => ({
    key: `${t}:${order.join()}`,
    detail: `${originalName} in the order ${order.map((c) => itemAt(columns, c).originalName).join(', ')}`,
    change: (draft) =>
      changeTable(draft, t, (table) => ({ ...table, columns: order.map((c) => itemAt(table.columns, c)) })),
  }));
}

/**
 * Column Shuffle: the columns of one table in another order. A table whose columns the gold selects by a star stays: the
 * same query would not have the same result there. The orders of a table are drawn once for all its questions.
 */
export function columnShuffle(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'CS',
    fingerprint: 'CS 1',
    dialect,
    readsGoldFor: 'whether a star gives the columns in their order',
    variants: ({ database, gold }, limit, context) => {
      const wide = ordinaryTables(database).filter(({ table }) => table.columns.length > 1);
      if (wide.length === 0) return { reason: 'no-two-columns' };
      const open = wide.filter(({ t }) => !gold.starred.has(t));
      if (open.length === 0) return { reason: 'star-has-the-order' };
      return open.flatMap((placed) => ordersOf(database.id, placed, limit, context));
    },
  });
}
