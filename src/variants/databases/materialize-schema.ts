import type Sqlite from 'better-sqlite3';
import { InputFormatError, SqlRewriteError } from '../../errors.js';
import type { CarriedCell } from '../../rows/cells/carry-cells.js';
import { mustGet, zip } from '../../present.js';
import { columnAt, type ColumnRef, columnKey, type Database, type PlacedTable } from '../../schema/schema.js';
import { repairSchema, needsRepair } from '../../sql/execution/repaired-schema.js';
import { changeDatabase } from './copy/change-database.js';
import { changeCopy } from './copy/materialize-copy.js';
import type { ColumnAddition, DatabaseChange } from './database-change.js';
import { type ContentTable, contentTables, isSystemTable, type MutatedSchema, plainSelect } from './mutated-schema.js';
import { orderTables } from './rebuild/kept-objects.js';
import { AlteredViews, isInFile, makeValues, rebuildTables } from './rebuild/rebuild-tables.js';
import { StagedTables } from './rebuild/staged-tables.js';

/** A table whose columns only get other names, or further ones next to them. */
interface ExtendedTable extends ContentTable {
  /** The origin's table. */
  readonly own: PlacedTable;
  /** By column, what the origin calls it; null for a new one. */
  readonly before: readonly (string | null)[];
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
function extendedTable(origin: Database, { sources }: MutatedSchema, one: ContentTable): ExtendedTable | null {
  const { originalName: name, columns } = one.table;
  const t = origin.tables.findIndex(({ originalName }) => originalName === name);
  const [table, from] = [origin.tables[t], sources?.[one.t]];
  if (table === undefined || from === undefined) return null;
  const before = from.map((source) => (source?.table === t ? columnAt(origin, source).originalName : null));
  const kept = before.filter((column) => column !== null);
  const isWhole = kept.join('\0') === table.columns.map(({ originalName }) => originalName).join('\0');
  const { select, types, made = [] } = one.content;
  const named = zip(before, columns).map(([column, { originalName: now }]) => [column, now] as const);
  const isPlain =
    types === undefined && made.length === columns.length - kept.length && select === plainSelect(name, named);
  return isWhole && isPlain ? { ...one, own: { t, table }, before } : null;
}

/** The columns that a table gets in addition, with their values. */
function additionsOf(
  sqlite: Sqlite.Database,
  schemaId: string,
  { table, content, own, before }: ExtendedTable,
): readonly ColumnAddition[] {
  if (!before.includes(null)) return [];
  const staged = new StagedTables(sqlite, true);
  staged.stage(own.table);
  const made = makeValues(sqlite, schemaId, table, content);
  staged.drop();
  return table.columns.flatMap(({ originalName: name }, c) => {
    const next = before.slice(c).find((column) => column !== null) ?? null;
    return before[c] === null
      ? [{ table: table.originalName, name, before: next, ...mustGet(made.get(name), name) }]
      : [];
  });
}

/** The change of an open file that makes a schema of its own; null where tables are to be rebuilt. */
function changeOf(sqlite: Sqlite.Database, origin: Database, mutated: MutatedSchema): DatabaseChange | null {
  const { schema, sources } = mutated;
  const hasKeys =
    keysOf(schema, ({ table, column }) => sources?.[table]?.[column] ?? null) === keysOf(origin, (ref) => ref);
  const tables = contentTables(mutated);
  const all = hasKeys ? tables.flatMap((one) => extendedTable(origin, mutated, one) ?? []) : [];
  const isEach =
    all.length === tables.length && all.length === origin.tables.filter((table) => !isSystemTable(table)).length;
  if (!hasKeys || !isEach || !all.every(({ own }) => isInFile(sqlite, origin, own))) return null;
  const inOrder = all.sort((a, b) => a.own.t - b.own.t);
  const renames = inOrder.flatMap(({ table: { originalName: table, columns }, before }) =>
    zip(before, columns).flatMap(([from, { originalName: to }]) =>
      from === null || from === to ? [] : [{ table, from, to }],
    ),
  );
  return { renames, additions: inOrder.flatMap((one) => additionsOf(sqlite, schema.id, one)) };
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
  const asTables = new Set<string>();
  const rebuild = (sqlite: Sqlite.Database): readonly CarriedCell[] => rebuildTables(sqlite, origin, mutated, asTables);
  const change = (sqlite: Sqlite.Database): readonly CarriedCell[] => {
    const inPlace = changeOf(sqlite, origin, mutated);
    return inPlace === null ? rebuild(sqlite) : changeDatabase(sqlite, inPlace, { leavesHuge: true });
  };
  for (let step = change; ; step = rebuild) {
    try {
      write(step);
      return;
    } catch (error) {
      if (error instanceof AlteredViews) for (const name of error.names) asTables.add(name);
      // What can't follow other names goes where tables are rebuilt.
      else if (step === rebuild || !(error instanceof SqlRewriteError || error instanceof InputFormatError))
        throw error;
    }
  }
}
