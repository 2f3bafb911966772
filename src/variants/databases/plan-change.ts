import type { OutputSchema } from '../../formats/output-set.js';
import { itemAt, mustGet } from '../../present.js';
import { columnAt, type Column, type ColumnRef, type Database } from '../../schema/schema.js';
import type { ColumnRename } from './database-change.js';

/** Columns whose identifier is another one in a perturbed schema. */
export function renamedColumns(original: Database, { schema, columns }: ExtendedSchema): readonly ColumnRename[] {
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

/** A schema with the tables of the original, whose columns may have other names, or further ones between them. */
export type ExtendedSchema = Pick<OutputSchema, 'schema' | 'columns'>;

/** The parts of a change that tell which column is new. */
export interface NamedChange {
  /** The column that it was added because of; of a relation that names none, any of its table. */
  readonly ref: ColumnRef;
  readonly originalName: string;
}

/** A column of a perturbed schema that the original lacks. */
export interface PlannedAddition<C extends NamedChange = NamedChange> {
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
  { schema, columns }: ExtendedSchema,
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
