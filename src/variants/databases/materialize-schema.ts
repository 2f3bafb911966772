import type Sqlite from 'better-sqlite3';
import { InputFormatError, SqlRewriteError } from '../../errors.js';
import type { CarriedCell } from '../../rows/cells/carry-cells.js';
import type { AddedValues } from '../../rows/values/added-values.js';
import { itemAt, zip } from '../../present.js';
import { type ColumnRef, columnKey, type Database, type PlacedTable } from '../../schema/schema.js';
import { repairSchema, needsRepair } from '../../sql/execution/repaired-schema.js';
import { changeDatabase } from './copy/change-database.js';
import { changeCopy } from './copy/materialize-copy.js';
import type { DatabaseChange } from './database-change.js';
import { type ContentTable, contentTables, isSystemTable, type MutatedSchema, plainSelect } from './mutated-schema.js';
import { plannedAdditions, renamedColumns } from './plan-change.js';
import { orderTables } from './rebuild/kept-objects.js';
import { makeValues } from './rebuild/made-values.js';
import { isInFile, rebuildTables } from './rebuild/rebuild-tables.js';
import { StagedTables } from './rebuild/staged-tables.js';

/** A table whose columns only get other names, or further ones next to them. */
interface ExtendedTable extends ContentTable {
  /** The origin's table. */
  readonly own: PlacedTable;
  /** By column of the mutated schema, the origin's; null for a new one. */
  readonly columns: readonly (number | null)[];
}

/** The keys of a schema by the columns of the origin, in any order. */
function keysOf({ primaryKeys, foreignKeys }: Database, sourceOf: (ref: ColumnRef) => ColumnRef | null): string {
  const nameOf = (ref: ColumnRef): string => {
    const source = sourceOf(ref);
    return source === null ? 'new' : columnKey(source);
  };
  const foreign = foreignKeys.map(({ from, to }) => `${nameOf(from)}>${nameOf(to)}`);
  return JSON.stringify([primaryKeys.map(nameOf).sort(), foreign.sort()]);
}

/** A relation's change of a table, if it is no more than names and further columns. */
function extendedTable(
  origin: Database,
  one: ContentTable,
  sources: readonly (ColumnRef | null)[] | undefined,
): ExtendedTable | null {
  const { originalName: name, columns } = one.table;
  const own = origin.tables.findIndex(({ originalName }) => originalName === name);
  const table = origin.tables[own];
  if (table === undefined || sources === undefined) return null;
  const places = sources.map((source) => (source?.table === own ? source.column : null));
  const kept = places.filter((place) => place !== null);
  const isWhole = kept.length === table.columns.length && kept.every((place, c) => place === c);
  const named = zip(columns, places).map(([{ originalName }, place]) => {
    return [place === null ? null : itemAt(table.columns, place).originalName, originalName] as const;
  });
  const { select, types, made = [] } = one.content;
  const isPlain =
    types === undefined && made.length === columns.length - kept.length && select === plainSelect(name, named);
  return isWhole && isPlain ? { ...one, own: { t: own, table }, columns: places } : null;
}

/** Returns the change of relations that rename or add columns; null for those that do more. */
function extendedTables(origin: Database, mutated: MutatedSchema): readonly ExtendedTable[] | null {
  const { schema, sources } = mutated;
  const isSame =
    keysOf(schema, ({ table, column }) => sources?.[table]?.[column] ?? null) === keysOf(origin, (ref) => ref);
  const all = contentTables(mutated);
  const extended = all.flatMap((one) => extendedTable(origin, one, sources?.[one.t]) ?? []);
  const isEach =
    extended.length === all.length && all.length === origin.tables.filter((table) => !isSystemTable(table)).length;
  return isSame && isEach ? extended : null;
}

/** The values of the columns that a table gets in addition, by identifier. */
function valuesOf(
  sqlite: Sqlite.Database,
  schemaId: string,
  { table, content, own, columns }: ExtendedTable,
): ReadonlyMap<string, AddedValues> {
  if (columns.every((place) => place !== null)) return new Map();
  const staged = new StagedTables(sqlite, true);
  staged.stage(own.table);
  const made = makeValues(sqlite, schemaId, table, content);
  staged.drop();
  return made;
}

/** The change of an open file that makes a schema of its own; null where tables are to be rebuilt. */
function changeOf(sqlite: Sqlite.Database, origin: Database, mutated: MutatedSchema): DatabaseChange | null {
  const all = extendedTables(origin, mutated);
  if (all?.every(({ own }) => isInFile(sqlite, origin, own)) !== true) return null;
  const byOwn = new Map(all.map((one) => [one.own.t, one]));
  const inPlace = origin.tables.map((table, own) => byOwn.get(own) ?? { table, columns: [...table.columns.keys()] });
  const schema = { ...mutated.schema, tables: inPlace.map(({ table }) => table) };
  const extended = { schema, columns: inPlace.map(({ columns }) => columns) };
  const values = new Map(all.map((one) => [one.own.t, valuesOf(sqlite, mutated.schema.id, one)]));
  const made = [...values].flatMap(([table, own]) =>
    Array.from(own, ([originalName, added]) => ({ ref: { table, column: 0 }, originalName, added })),
  );
  const additions = plannedAdditions(origin, extended, made).map(({ table, column, before, change }) => {
    return { table, name: column.originalName, before, ...change.added };
  });
  return { renames: renamedColumns(origin, extended), additions };
}

/**
 * Writes the database of a schema that a relation made from a database: its file with the tables that the schema has,
 * in the schema's order. Columns that are renamed or added are as `materializeCopy` has them; other tables that differ
 * are rebuilt. Views, triggers and full-text indexes stay as far as SQLite can compile them on the new tables.
 * @param origin the schema of the file; what the file lacks of it is taken for empty
 * @throws InputFormatError when the source is no database, or SQLite refuses a query or a row
 */
export function materializeSchema(source: string, target: string, origin: Database, mutated: MutatedSchema): void {
  const write = (change: (sqlite: Sqlite.Database) => readonly CarriedCell[]): void =>
    changeCopy(source, target, (sqlite) => {
      if (needsRepair(sqlite)) repairSchema(sqlite);
      sqlite.unsafeMode(true);
      const huge = change(sqlite);
      orderTables(
        sqlite,
        mutated.schema.tables.map(({ originalName }) => originalName),
      );
      return huge;
    });
  const rebuild = (sqlite: Sqlite.Database): readonly CarriedCell[] => rebuildTables(sqlite, origin, mutated);
  try {
    write((sqlite) => {
      const change = changeOf(sqlite, origin, mutated);
      return change === null ? rebuild(sqlite) : changeDatabase(sqlite, change, { leavesHuge: true });
    });
  } catch (error) {
    // What can't follow other names goes where tables are rebuilt.
    if (!(error instanceof SqlRewriteError) && !(error instanceof InputFormatError)) throw error;
    write(rebuild);
  }
}
