import { itemAt } from '../../../present.js';
import { columnKey, type ColumnRef } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { describeColumn } from './describe-change.js';
import type { DraftColumn } from './schema-draft.js';
import { SchemaRelation } from './schema-relation.js';
import { distinctKeys } from './usable-columns.js';

/**
 * Opaque Key: one declared foreign key is left out, as in the published tool. The rows and the names that tell of the
 * link stay, and so do primary keys.
 */
export function opaqueKey(dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'OK',
    fingerprint: 'OK 2',
    dialect,
    readsGoldFor: null,
    variants: ({ database }) => {
      if (database.foreignKeys.length === 0) return { reason: 'no-foreign-key' };
      return distinctKeys(database.foreignKeys).map((hidden) => ({
        key: `${columnKey(hidden.from)}>${columnKey(hidden.to)}`,
        detail: `hid the key ${describeColumn(database, hidden.from)} → ${describeColumn(database, hidden.to)}`,
        change: (draft) => {
          const columnOf = ({ table, column }: ColumnRef): DraftColumn =>
            itemAt(itemAt(draft.tables, table).columns, column);
          const [from, to] = [columnOf(hidden.from), columnOf(hidden.to)];
          // One that is declared twice would not be hidden by leaving out one of the two.
          return { ...draft, foreignKeys: draft.foreignKeys.filter((key) => key.from !== from || key.to !== to) };
        },
      }));
    },
  });
}
