import { itemAt } from '../../../present.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { SchemaRelation } from '../schema/schema-relation.js';
import { isOrdinary } from '../schema/usable-columns.js';

/** Table Removal: a table that the gold does not read is gone, and the keys that point at it. One table stays. */
export function tableRemoval(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'TRm',
    fingerprint: 'TRm 1',
    dialect,
    readsGoldFor: 'which tables are unused',
    variants: ({ database, gold }) => {
      const unused = [...database.tables.keys()].filter((t) => {
        return !gold.tables.has(t) && isOrdinary(itemAt(database.tables, t));
      });
      if (unused.length === 0 || database.tables.length === 1) return { reason: 'no-unused-table' };
      return unused.map((t) => ({
        key: String(t),
        detail: `dropped ${itemAt(database.tables, t).originalName}`,
        mapping: null,
        change: (draft) => ({ ...draft, tables: draft.tables.toSpliced(t, 1) }),
      }));
    },
  });
}
