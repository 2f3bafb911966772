import type { OutputSchema } from '../../formats/output-set.js';
import { itemAt, mustGet } from '../../present.js';
import { columnAt, type Column, columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { ColumnRename } from './database-change.js';

/** A schema with the tables of the original, whose columns may have other names, or further ones between them. */
export type ExtendedSchema = Pick<OutputSchema, 'schema' | 'columns'>;

/** A column of a perturbed schema: the original's that it is, null for one that the original lacks. */
interface PlacedColumn {
  readonly t: number;
  readonly c: number;
  readonly column: Column;
  readonly from: number | null;
}

function placedColumns({ schema, columns }: ExtendedSchema): readonly PlacedColumn[] {
  return columns.flatMap((origins, t) =>
    origins.map((from, c) => ({ t, c, from, column: itemAt(itemAt(schema.tables, t).columns, c) })),
  );
}

function renamedRefs(original: Database, changed: ExtendedSchema): readonly { ref: ColumnRef; to: string }[] {
  return placedColumns(changed).flatMap(({ t: table, column, from }) => {
    if (from === null) return [];
    const [ref, to] = [{ table, column: from }, column.originalName];
    return columnAt(original, ref).originalName === to ? [] : [{ ref, to }];
  });
}

/** Columns whose identifier is another one in a perturbed schema. */
export function renamedColumns(original: Database, changed: ExtendedSchema): readonly ColumnRename[] {
  return renamedRefs(original, changed).map(({ ref, to }) => {
    const { originalName: table } = itemAt(original.tables, ref.table);
    return { table, from: columnAt(original, ref).originalName, to };
  });
}

/** The same for queries: new identifiers by `columnKey` of the original's columns. */
export function renamesOf(original: Database, changed: ExtendedSchema): ReadonlyMap<string, string> {
  return new Map(renamedRefs(original, changed).map(({ ref, to }) => [columnKey(ref), to]));
}

/** Identifiers of the columns that tables have in addition, by position of the table. */
export function addedNames(changed: ExtendedSchema): ReadonlyMap<number, readonly string[]> {
  const names = new Map<number, string[]>();
  for (const { t, column, from } of placedColumns(changed))
    if (from === null) names.set(t, [...(names.get(t) ?? []), column.originalName]);
  return names;
}

/** A column of a perturbed schema that the original lacks. */
export interface AddedColumn {
  readonly table: string;
  readonly column: Column;
  /** Identifier of the original's column that it is put before; null = it comes last. */
  readonly before: string | null;
}

/** Columns that a perturbed schema has in addition, in its order. */
export function addedColumns(original: Database, changed: ExtendedSchema): readonly AddedColumn[] {
  return placedColumns(changed).flatMap(({ t, c, column, from }) => {
    if (from !== null) return [];
    const { originalName: table, columns } = itemAt(original.tables, t);
    const next = itemAt(changed.columns, t)
      .slice(c)
      .find((position) => position !== null);
    return [{ table, column, before: next === undefined ? null : itemAt(columns, next).originalName }];
  });
}

/** The parts of a change that tell which column is new. */
export interface NamedChange {
  /** The column that it was added because of; of a relation that names none, any of its table. */
  readonly ref: ColumnRef;
  readonly originalName: string;
}

/** An added column with its draw. */
export interface PlannedAddition<C extends NamedChange = NamedChange> extends AddedColumn {
  /** The draw that it comes from. */
  readonly change: C;
  /** Identifier of the column that it was added because of. */
  readonly target: string;
}

/** Columns that a perturbed schema has in addition, with the changes that they come from. */
export function plannedAdditions<C extends NamedChange>(
  original: Database,
  changed: ExtendedSchema,
  changes: readonly C[],
): readonly PlannedAddition<C>[] {
  return addedColumns(original, changed).map((added) => {
    const isIts = ({ ref, originalName }: C): boolean =>
      itemAt(original.tables, ref.table).originalName === added.table && originalName === added.column.originalName;
    const change = mustGet(changes.find(isIts), 'changes.find()');
    return { ...added, change, target: columnAt(original, change.ref).originalName };
  });
}
