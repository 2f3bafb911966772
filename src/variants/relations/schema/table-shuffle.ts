import { itemAt, zip } from '../../../present.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { drawPermutations } from './permutations.js';
import { SchemaRelation, type SchemaVariant } from './schema-relation.js';
import type { SchemaDraft } from './schema-draft.js';
import { ordinaryTables } from './usable-columns.js';

/** The draft with the tables at some positions replaced by those at others; the rest keep their place. */
function reorderTables(draft: SchemaDraft, moves: ReadonlyMap<number, number>): SchemaDraft {
  return { ...draft, tables: draft.tables.map((_, t) => itemAt(draft.tables, moves.get(t) ?? t)) };
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
      const movable = ordinaryTables(database);
      if (movable.length < 2) return { reason: 'one-table' };
      const orders = drawPermutations(movable.length, limit, context.rngFor(`${database.id}~TS`));
      return orders.map((order): SchemaVariant => {
        const [from, to] = [movable, order.map((i) => itemAt(movable, i))];
        return {
          key: order.join(),
          detail: `tables in the order ${to.map(({ table }) => table.originalName).join(', ')}`,
          change: (draft) => reorderTables(draft, new Map(zip(from, to).map(([{ t }, now]) => [t, now.t]))),
        };
      });
    },
  });
}
