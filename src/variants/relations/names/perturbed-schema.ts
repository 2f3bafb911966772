import type { OutputSchema } from '../../../formats/output-set.js';
import { itemAt } from '../../../present.js';
import { type NewName, renameFamilies } from '../../../schema/column-family.js';
import {
  type Column,
  columnAt,
  columnKey,
  type ColumnRef,
  type ColumnType,
  type Database,
} from '../../../schema/schema.js';
import type { Rng } from '../../../stage.js';
import type { ExtendedSchema } from '../../databases/plan-change.js';
import { changeTable, draftOf, extendedSchema, type SchemaDraft, withColumns } from '../schema/schema-draft.js';
import type { ColumnChange } from './draw-perturbation.js';
import type { VariantKind } from '../../augment/variant-plan.js';
import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import { granularityByName, isDurationName, kindByName } from '../../../rows/values/named-kind.js';

/** Numbers that are often written in other ways: "3-1", "B+", "1st". */
const OFTEN_TEXT = /\b(?:score|record|result|rank|ranking|position|rating|level|grade|season)s?$/u;

const isGuess = (name: string, type: ColumnType): boolean =>
  type === 'text' || (type === 'time' && isDurationName(name));

/** The type that the name has where it was found, and what it says of itself; null where neither tells. */
function typeAsFound({ candidate, source, origin }: AddedName): ColumnType | null {
  const named = kindByName(candidate);
  if (origin === null) return named;
  // The bank says text of every name that its own rules don't know, and time of all that end so.
  if (source === 'bank') return named !== null && isGuess(candidate, origin.type) ? named : origin.type;
  // "1.7 litre" and "200 sheets" are texts in a web table alone.
  const isMeasured = source === 'retrieval' && named === 'number' && !OFTEN_TEXT.test(candidate.toLowerCase());
  return origin.type === 'text' && isMeasured ? 'number' : origin.type;
}

type AddedName = Pick<CandidateDecision, 'candidate' | 'source' | 'origin'>;

/**
 * The type of a column that is added because of another one, as its table writes such columns: a date is text, and a
 * flag too, where no column of the table has a type of its own for it. Else the type alone would tell a model which
 * columns were added. A year is a number and a time of day a text, unless the table has a time that is one, too.
 */
function additionType(added: AddedName, database: Database, ref: ColumnRef): ColumnType {
  const type = typeAsFound(added) ?? columnAt(database, ref).type;
  const { columns } = itemAt(database.tables, ref.table);
  const used = columns.filter((column) => column.type === type);
  if (type !== 'time') return type === 'text' || type === 'number' || used.length > 0 ? type : 'text';
  const granularity = granularityByName(added.candidate);
  const [isYear, isClock] = [granularity === 'year', granularity === 'clock'];
  const isAlike =
    isYear || isClock ? used.some(({ name }) => granularityByName(name) === granularity) : used.length > 0;
  if (isAlike) return 'time';
  return isYear ? 'number' : 'text';
}

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
