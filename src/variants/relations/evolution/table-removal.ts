import type { SqlDialect } from '../../../sql/dialect.js';
import { SchemaRelation } from '../schema/schema-relation.js';
import { ordinaryTables } from '../schema/usable-columns.js';

/** Table Removal: a table that the gold does not read is gone, and the keys that point at it. One table stays. */
export function tableRemoval(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'TRm',
    fingerprint: 'TRm 1',
    dialect,
    readsGoldFor: 'which tables are unused',
    variants: ({ database, gold }) => {
      const unused = ordinaryTables(database).filter(({ t }) => !gold.tables.has(t));
      if (unused.length === 0 || database.tables.length === 1) return { reason: 'no-unused-table' };
      return unused.map(({ t, table }) => ({
        key: String(t),
        detail: `dropped ${table.originalName}`,
        mapping: null,
        change: (draft) => ({ ...draft, tables: draft.tables.toSpliced(t, 1) }),
      }));
    },
  });
}
