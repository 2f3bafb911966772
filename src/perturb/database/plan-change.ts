import type { OutputSchema } from '../../formats/output-set.js';
import { itemAt, mustGet } from '../../present.js';
import { columnAt, type Column, type Database } from '../../schema/schema.js';
import type { ColumnChange } from '../draw-perturbation.js';
import type { ColumnRename } from '../../variants/database-change.js';

/** Columns whose identifier is another one in a perturbed schema. */
export function renamedColumns(original: Database, { schema, columns }: OutputSchema): readonly ColumnRename[] {
  return original.tables.flatMap((table, t) =>
    itemAt(columns, t).flatMap((from, c) => {
      if (from === null) return [];
      const [before, after] = [
        itemAt(table.columns, from).originalName,
        itemAt(itemAt(schema.tables, t).columns, c).originalName,
      ];
      return before === after ? [] : [{ table: table.originalName, from: before, to: after }];
    }),
  );
}

/** What of a change says which column is new. */
type NamedChange = Pick<ColumnChange, 'ref' | 'originalName'>;

/** A column of a perturbed schema that the original lacks. */
export interface PlannedAddition<C extends NamedChange = ColumnChange> {
  readonly table: string;
  readonly column: Column;
  /** Identifier of the original's column that it is put before; null = it comes last. */
  readonly before: string | null;
  /** The draw that it comes from. */
  readonly change: C;
  /** Identifier of the column that it was added because of. */
  readonly target: string;
}

/** Columns that a perturbed schema has in addition, in its order. */
export function addedColumns<C extends NamedChange>(
  original: Database,
  { schema, columns }: OutputSchema,
  changes: readonly C[],
): readonly PlannedAddition<C>[] {
  return original.tables.flatMap((table, t) =>
    itemAt(columns, t).flatMap((from, c) => {
      if (from !== null) return [];
      const column = itemAt(itemAt(schema.tables, t).columns, c);
      const change = mustGet(
        changes.find(({ ref, originalName }) => ref.table === t && originalName === column.originalName),
        'changes.find()',
      );
      const next = itemAt(columns, t)
        .slice(c)
        .find((position) => position !== null);
      const before = next === undefined ? null : itemAt(table.columns, next).originalName;
      const target = columnAt(original, change.ref).originalName;
      return [{ table: table.originalName, column, before, change, target }];
    }),
  );
}
