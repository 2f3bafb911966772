import type Sqlite from 'better-sqlite3';
import { type OutputSchema, traceTables } from '../../formats/output-set.js';
import { getOrMake, mustGet } from '../../present.js';
import { groupBy } from '../../run/group-by.js';
import { type Column, columnAt, columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { ColumnAddition, ColumnRename } from './database-change.js';
import { createAddedValues } from '../../rows/values/added-values.js';
import { sampleTable, type TableSample } from '../../rows/values/table-sample.js';
import { foldName } from '../../sql/dialect.js';
import type { Rng } from '../../stage.js';

/** A schema with the tables of the original, whose columns may have other names, or further ones between them. */
export type ExtendedSchema = Pick<OutputSchema, 'schema' | 'columns'>;

/** Columns whose identifier is another one in a perturbed schema. */
export function renamedColumns(original: Database, changed: ExtendedSchema): readonly ColumnRename[] {
  return traceTables(changed, original).flatMap(({ original: { originalName: table }, columns }) =>
    columns.flatMap(({ column: { originalName: to }, from }) =>
      from === null || from.originalName === to ? [] : [{ table, from: from.originalName, to }],
    ),
  );
}

/** The same for queries: new identifiers by `columnKey` of the original's columns. */
export function renamesOf(original: Database, changed: ExtendedSchema): ReadonlyMap<string, string> {
  const renames = traceTables(changed, original).flatMap(({ columns }, table) =>
    columns.flatMap(({ column: { originalName: to }, from, position: column }) =>
      column === null || from?.originalName === to ? [] : [[columnKey({ table, column }), to] as const],
    ),
  );
  return new Map(renames);
}

/** Identifiers of the columns that tables have in addition, by position of the table. */
export function addedNames(original: Database, changed: ExtendedSchema): ReadonlyMap<number, readonly string[]> {
  const added = addedColumns(original, changed).map(({ t, column }) => ({ t, name: column.originalName }));
  return new Map([...groupBy(added, ({ t }) => t)].map(([t, own]) => [t, own.map(({ name }) => name)]));
}

/** A column of a perturbed schema that the original lacks. */
export interface AddedColumn {
  /** Its table's position, and identifier. */
  readonly t: number;
  readonly table: string;
  readonly column: Column;
  /** Identifier of the original's column that it is put before; null = it comes last. */
  readonly before: string | null;
}

/** Columns that a perturbed schema has in addition, in its order. */
export function addedColumns(original: Database, changed: ExtendedSchema): readonly AddedColumn[] {
  return traceTables(changed, original).flatMap(({ original: { originalName: table }, columns }, t) =>
    columns.flatMap(({ column, from }, c) => {
      if (from !== null) return [];
      const next = columns.slice(c).find((one) => one.from !== null);
      return [{ t, table, column, before: next?.from?.originalName ?? null }];
    }),
  );
}

/** The parts of a change that tell which column is new. */
export interface NamedChange {
  /** The column that it was added because of. */
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
      ref.table === added.t && originalName === added.column.originalName;
    const change = mustGet(changes.find(isIts), 'changes.find()');
    return { ...added, change, target: columnAt(original, change.ref).originalName };
  });
}

/** Gives the columns added to one original's tables their values; each table is sampled once. */
export class AdditionFiller {
  readonly #open: () => Sqlite.Database;
  readonly #samples = new Map<string, TableSample>();

  /** `open` is called when a table is first looked at. */
  constructor(open: () => Sqlite.Database) {
    this.#open = open;
  }

  /** @throws InputFormatError when the database lacks the table, or it is SQLite's own */
  sampleOf(table: string): TableSample {
    const key = foldName(table);
    return getOrMake(this.#samples, key, () => sampleTable(this.#open(), table));
  }

  /** A planned column with values like `sourceValues`; the same generator gives the same. Throws as `sampleOf`. */
  fill(
    { table, column, before, target }: Omit<PlannedAddition, 'change' | 't'>,
    sourceValues: readonly string[],
    rng: Rng,
  ): ColumnAddition {
    const { name, type, originalName } = column;
    const request = { name, type, sourceValues, table: this.sampleOf(table), target };
    return { table, name: originalName, before, ...createAddedValues(request, rng) };
  }
}
