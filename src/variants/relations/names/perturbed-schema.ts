import { type OutputSchema, samePositions } from '../../../formats/output-set.js';
import { itemAt } from '../../../present.js';
import { type NewName, renameFamilies } from '../../../schema/column-family.js';
import { type Column, columnAt, columnKey, type ColumnRef, type Database, type Table } from '../../../schema/schema.js';
import type { Rng } from '../../../stage.js';
import type { ColumnChange } from './draw-perturbation.js';
import type { VariantKind } from '../../augment/variant-plan.js';

/** A perturbed schema with the changes that led to it, as first drawn. */
export interface PerturbedSchema extends OutputSchema {
  readonly kind: VariantKind;
  readonly changes: readonly ColumnChange[];
}

function withColumns(
  database: Database,
  id: string,
  columnsOf: (table: Table, index: number) => readonly Column[],
): Database {
  const tables = database.tables.map((table, t) => {
    const columns = columnsOf(table, t);
    // A run holds many schemas that differ in one table: they share the others.
    const isSame = columns.length === table.columns.length && columns.every((column, c) => column === table.columns[c]);
    return isSame ? table : { ...table, columns };
  });
  return { ...database, id, tables };
}

/** New names by `columnKey`, with those of the columns that are derived from a renamed one. */
function newNames(database: Database, changes: readonly ColumnChange[]): ReadonlyMap<string, NewName> {
  const names = changes.map(({ ref, name, originalName }) => [columnKey(ref), { name, originalName }] as const);
  return renameFamilies(database, new Map(names));
}

/** The schema with columns renamed (RPL); positions, types and keys stay. */
export function renameInSchema(database: Database, id: string, changes: readonly ColumnChange[]): Database {
  const names = newNames(database, changes);
  return withColumns(database, id, (table, t) =>
    table.columns.map((column, c) => {
      const renamed = names.get(columnKey({ table: t, column: c }));
      return renamed === undefined ? column : { ...column, ...renamed };
    }),
  );
}

/** Where an added column goes: before the column now at `position`. */
export interface Insertion {
  readonly change: ColumnChange;
  readonly position: number;
}

/** A drawn position for each added column, in the table as it then stands; without a generator, the last one. */
export function placeAdditions(
  database: Database,
  changes: readonly ColumnChange[],
  rng: Rng | null,
): readonly Insertion[] {
  const lengths = database.tables.map((table) => table.columns.length);
  return changes.map((change) => {
    const { table } = change.ref;
    const position = rng === null ? itemAt(lengths, table) : rng.int(itemAt(lengths, table) + 1);
    lengths[table]!++;
    return { change, position };
  });
}

/** The added columns of a variant with their places, which are in the same order. */
export function insertionsOf(changes: readonly ColumnChange[], positions: readonly number[]): readonly Insertion[] {
  const added = changes.filter(({ kind }) => kind === 'ADD');
  return positions.map((position, i) => ({ change: itemAt(added, i), position }));
}

/** The schema with columns renamed, and others added (RPL, ADD), and which column each was. */
export function changedSchema(
  database: Database,
  id: string,
  changes: readonly ColumnChange[],
  insertions: readonly Insertion[],
): { readonly schema: Database; readonly columns: OutputSchema['columns'] } {
  const renamed = renameInSchema(
    database,
    id,
    changes.filter(({ kind }) => kind === 'RPL'),
  );
  return insertions.length === 0
    ? { schema: renamed, columns: samePositions(renamed) }
    : addToSchema(renamed, id, insertions);
}

/** The schema with columns added (ADD), and which column each was; keys keep pointing at the columns they pointed at. */
export function addToSchema(
  database: Database,
  id: string,
  insertions: readonly Insertion[],
): { readonly schema: Database; readonly columns: OutputSchema['columns'] } {
  const tables = database.tables.map((table) =>
    table.columns.map((column, c): { column: Column; from: number | null } => ({ column, from: c })),
  );
  for (const { change, position } of insertions) {
    const type = change.decision.origin?.type ?? columnAt(database, change.ref).type;
    itemAt(tables, change.ref.table).splice(position, 0, {
      column: { name: change.name, originalName: change.originalName, type },
      from: null,
    });
  }
  const move = (ref: ColumnRef): ColumnRef => ({
    table: ref.table,
    column: itemAt(tables, ref.table).findIndex(({ from }) => from === ref.column),
  });
  const schema = {
    ...withColumns(database, id, (_, t) => itemAt(tables, t).map(({ column }) => column)),
    primaryKeys: database.primaryKeys.map(move),
    foreignKeys: database.foreignKeys.map(({ from, to }) => ({ from: move(from), to: move(to) })),
  };
  return { schema, columns: tables.map((table) => table.map(({ from }) => from)) };
}
