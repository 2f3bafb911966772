import { itemAt } from '../../present.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { renameColumns } from '../../sql/rename-columns.js';
import { isAskedFor } from '../schema/asked-names.js';
import { describeColumn } from '../schema/describe-change.js';
import { NAMES_PER_COLUMN, renamedColumn } from '../schema/column-renaming.js';
import type { OtherNames } from '../schema/other-names.js';
import { replaceColumns } from '../schema/schema-draft.js';
import { SchemaRelation, type SchemaVariant } from '../schema/schema-relation.js';
import { isOrdinary, keyColumns } from '../schema/usable-columns.js';

/** Columns that a gold uses and no key holds, in the schema's order. */
function usedColumns(database: Database, used: ReadonlySet<string>): readonly ColumnRef[] {
  const keys = keyColumns(database);
  return database.tables.flatMap((table, t) =>
    isOrdinary(table)
      ? table.columns.flatMap((_, column) => {
          const ref = { table: t, column };
          return used.has(columnKey(ref)) && !keys.has(columnKey(ref)) ? [ref] : [];
        })
      : [],
  );
}

/**
 * Column Synonym: a column that the gold uses gets another name that says the same, and the gold has it (ADVETA's RPL,
 * one column at a time). A name that the question holds would help to find the column, and is left out.
 */
export function columnSynonym(names: OtherNames, dialect: SqlDialect): SchemaRelation {
  return new SchemaRelation({
    id: 'CSy',
    fingerprint: `CSy 1, ${names.fingerprint}`,
    dialect,
    readsGoldFor: 'which columns it uses',
    variants: async ({ database, gold, question }, _limit, context) => {
      const used = usedColumns(database, gold.columns);
      if (used.length === 0) return { reason: 'no-used-column' };
      const variants: SchemaVariant[] = [];
      for (const ref of used) {
        const found = await names.of(database, ref, context);
        const fitting = found.flatMap((name) => renamedColumn(database, ref, name) ?? []);
        for (const column of fitting.slice(0, NAMES_PER_COLUMN)) {
          if (isAskedFor(column.name, question)) continue;
          variants.push({
            key: `${columnKey(ref)}=${column.name}`,
            detail: `renamed ${describeColumn(database, ref)} to ${column.originalName}`,
            mapping: null,
            change: (draft) => {
              const old = itemAt(itemAt(draft.tables, ref.table).columns, ref.column);
              return replaceColumns(draft, new Map([[old, { ...old, column }]]));
            },
            follow: ({ sql }) =>
              renameColumns(sql, database, new Map([[columnKey(ref), column.originalName]]), dialect).sql,
          });
        }
      }
      return variants.length === 0 ? { reason: 'no-other-name' } : variants;
    },
  });
}
