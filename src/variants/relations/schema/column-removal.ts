import { columnKey } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { describeColumn } from './identifiers.js';
import { withoutColumn } from './schema-draft.js';
import { SchemaRelation } from './schema-relation.js';
import { unusedColumns } from './usable-columns.js';

/** Column Removal: a column that the gold does not use and no key holds is gone. A table's only column stays. */
export function columnRemoval(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'CRm',
    fingerprint: 'CRm 1',
    dialect,
    readsGoldFor: 'which columns are unused',
    variants: ({ database, gold }) => {
      const unused = unusedColumns(database, gold).filter(({ table }) => table.columns.length > 1);
      if (unused.length === 0) return { reason: 'no-unused-column' };
      return unused.map((placed) => ({
        key: columnKey(placed.ref),
        detail: `dropped ${describeColumn(placed)}`,
        change: (draft) => withoutColumn(draft, placed.ref),
      }));
    },
  });
}
