import { columnKey, placedColumn } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { describeColumn } from './identifiers.js';
import { draftColumnAt } from './schema-draft.js';
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
      return distinctKeys(database.foreignKeys).map(({ from, to }) => {
        const [child, parent] = [from, to].map((ref) => describeColumn(placedColumn(database, ref)));
        return {
          key: `${columnKey(from)}>${columnKey(to)}`,
          detail: `hid the key ${child} → ${parent}`,
          change: (draft) => {
            const [own, theirs] = [draftColumnAt(draft, from).column, draftColumnAt(draft, to).column];
            // One that is declared twice would not be hidden by leaving out one of the two.
            return { ...draft, foreignKeys: draft.foreignKeys.filter((key) => key.from !== own || key.to !== theirs) };
          },
        };
      });
    },
  });
}
