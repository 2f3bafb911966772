import type { SqlDialect } from '../../../sql/dialect.js';
import { SchemaRelation } from '../schema/schema-relation.js';

/** Foreign Key Removal: no foreign key is declared any more, as in many databases in use; all rows stay. */
export function foreignKeyRemoval(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'FKR',
    fingerprint: 'FKR 1',
    dialect,
    readsGoldFor: null,
    variants: ({ database: { foreignKeys } }) => {
      if (foreignKeys.length === 0) return { reason: 'no-foreign-key' };
      return [
        {
          key: 'all',
          detail: `dropped all foreign keys: ${foreignKeys.length}`,
          mapping: null,
          change: (draft) => ({ ...draft, foreignKeys: [] }),
        },
      ];
    },
  });
}
