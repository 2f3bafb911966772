import type { OutputSchema } from '../../../formats/output-set.js';
import { itemAt } from '../../../present.js';
import { type NewName, renameFamilies } from '../../../schema/column-family.js';
import { type Column, columnKey, type Database } from '../../../schema/schema.js';
import type { Rng } from '../../../stage.js';
import type { ExtendedSchema } from '../../databases/plan-change.js';
import { changeTable, draftOf, extendedSchema, type SchemaDraft, withColumns } from '../schema/schema-draft.js';
import { additionType } from './addition-type.js';
import type { ColumnChange } from './draw-perturbation.js';
import type { VariantKind } from '../../augment/variant-plan.js';

/** A perturbed schema with the changes that led to it, as first drawn. */
export interface PerturbedSchema extends OutputSchema {
  readonly kind: VariantKind;
  readonly changes: readonly ColumnChange[];
}

/** New names by `columnKey`, with those of the columns that are derived from a renamed one. */
function newNames(database: Database, changes: readonly ColumnChange[]): ReadonlyMap<string, NewName> {
  const names = changes.map(({ ref, name, originalName }) => [columnKey(ref), { name, originalName }] as const);
  return renameFamilies(database, new Map(names));
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

/** A draft of a schema with columns renamed, and others added (RPL, ADD). */
export function changeDraft(
  draft: SchemaDraft,
  database: Database,
  changes: readonly ColumnChange[],
  insertions: readonly Insertion[],
): SchemaDraft {
  const names = newNames(
    database,
    changes.filter(({ kind }) => kind === 'RPL'),
  );
  const renamed = database.tables.flatMap(({ columns }, table) =>
    columns.flatMap((column, c): readonly (readonly [string, Column])[] => {
      const key = columnKey({ table, column: c });
      const name = names.get(key);
      return name === undefined ? [] : [[key, { ...column, ...name }]];
    }),
  );
  return insertions.reduce(
    (made, { change: { ref, name, originalName, decision }, position }) => {
      const type = additionType({ ...decision, candidate: name }, database, ref);
      const added = { column: { name, originalName, type }, sql: 'NULL', isMade: true, source: null };
      return changeTable(made, ref.table, (table) => ({
        ...table,
        columns: table.columns.toSpliced(position, 0, added),
      }));
    },
    withColumns(draft, new Map(renamed)),
  );
}

/** The schema with columns renamed, and others added (RPL, ADD), and which column each was. */
export function changedSchema(
  database: Database,
  id: string,
  changes: readonly ColumnChange[],
  insertions: readonly Insertion[],
): ExtendedSchema {
  return extendedSchema(changeDraft(draftOf(database, null), database, changes, insertions), database, id);
}
