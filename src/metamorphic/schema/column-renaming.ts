import { columnNamingStyle, styledIdentifier } from '../../schema/naming-style.js';
import { columnAt, columnKey, type Column, type ColumnRef, type Database } from '../../schema/schema.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { identifierKey, spellingKey } from '../../schema/name-identity.js';
import { itemAt } from '../../present.js';
import { isAskedFor } from './asked-names.js';
import { describeColumn } from './describe-change.js';
import { isOfLength } from './identifiers.js';
import { withRenamed } from './new-names.js';
import type { OtherNames } from './other-names.js';
import { replaceColumns } from './schema-draft.js';
import { SchemaRelation, type SchemaVariant } from './schema-relation.js';
import { unusedColumns } from './usable-columns.js';

/** Names per column: the nearest, so that one column with many synonyms does not crowd out the others. */
export const NAMES_PER_COLUMN = 3;

/** A column under a new name; null where its table has it already, as words or as an identifier, or it is too long. */
export function renamedColumn(database: Database, ref: ColumnRef, name: string): Column | null {
  const column = columnAt(database, ref);
  const originalName = styledIdentifier(name, columnNamingStyle(database, ref), column.originalName);
  const { columns, ...table } = itemAt(database.tables, ref.table);
  const isTaken = [...columns, table].some(
    (other) =>
      spellingKey(other.name) === spellingKey(name) ||
      identifierKey(other.originalName) === identifierKey(originalName),
  );
  return isTaken || originalName === '' || !isOfLength(originalName, database)
    ? null
    : { ...column, name, originalName };
}

function variantOf(database: Database, ref: ColumnRef, column: Column, dialect: SqlDialect): SchemaVariant {
  return {
    key: `${columnKey(ref)}=${column.name}`,
    detail: `renamed ${describeColumn(database, ref)} to ${column.originalName}`,
    change: (draft) => {
      const old = itemAt(itemAt(draft.tables, ref.table).columns, ref.column);
      return replaceColumns(draft, new Map([[old, { ...old, column }]]));
    },
    follow: (gold) => withRenamed(gold, database, columnKey(ref), column.originalName, dialect),
  };
}

/**
 * Column Renaming: a column that the gold does not use gets another name that says the same, written as its own was. A
 * name that the question holds is left out, as the question might then mean that column.
 */
export function columnRenaming(names: OtherNames, dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'CRn',
    fingerprint: `CRn 2, ${names.fingerprint}`,
    dialect,
    readsGoldFor: 'which columns are unused',
    variants: async ({ database, gold, question }, _limit, context) => {
      const unused = unusedColumns(database, gold);
      if (unused.length === 0) return { reason: 'no-unused-column' };
      const variants: SchemaVariant[] = [];
      for (const ref of unused) {
        const fitting = (await names.of(database, ref, context)).flatMap(
          (name) => renamedColumn(database, ref, name) ?? [],
        );
        for (const column of fitting.slice(0, NAMES_PER_COLUMN)) {
          if (!isAskedFor(column.name, question)) variants.push(variantOf(database, ref, column, dialect));
        }
      }
      return variants.length === 0 ? { reason: 'no-other-name' } : variants;
    },
  });
}
