import { itemAt } from '../../../present.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { drawPermutations } from './permutations.js';
import { SchemaRelation, type SchemaVariant } from './schema-relation.js';
import type { SchemaDraft } from './schema-draft.js';
import { isOrdinary } from './usable-columns.js';

/** `order[i]` of the movable positions comes to the i-th of them; other tables keep their place. */
function reorderTables(draft: SchemaDraft, movable: readonly number[], order: readonly number[]): SchemaDraft {
  const tables = [...draft.tables];
  movable.forEach((position, i) => (tables[position] = itemAt(draft.tables, itemAt(movable, itemAt(order, i)))));
  return { ...draft, tables };
}

/**
 * Table Shuffle: the same tables in another order. The orders of a schema are drawn once, from its own id, so that all
 * its questions share their databases.
 */
export function tableShuffle(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'TS',
    fingerprint: 'TS 2',
    dialect,
    readsGoldFor: null,
    variants: ({ database }, limit, context) => {
      const movable = [...database.tables.keys()].filter((t) => isOrdinary(itemAt(database.tables, t)));
      if (movable.length < 2) return { reason: 'one-table' };
      const orders = drawPermutations(movable.length, limit, context.rngFor(`${database.id}~TS`));
      return orders.map((order): SchemaVariant => {
        const names = order.map((i) => itemAt(database.tables, itemAt(movable, i)).originalName);
        return {
          key: order.join(),
          detail: `tables in the order ${names.join(', ')}`,
          change: (draft) => reorderTables(draft, movable, order),
        };
      });
    },
  });
}
