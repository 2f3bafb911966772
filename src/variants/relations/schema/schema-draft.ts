import { InternalError } from '../../../errors.js';
import { itemAt, mustGet } from '../../../present.js';
import { sha256Of } from '../../../run/sha256.js';
import { columnKey, type Column, type ColumnRef, type Database, type Table } from '../../../schema/schema.js';
import { quoteIdentifier } from '../../../sql/dialect.js';
import type { MutatedSchema, TableContent } from '../../databases/mutated-schema.js';
import type { ExtendedSchema } from '../../databases/plan-change.js';

/** A column of a schema in the making; keys hold it by identity. */
export interface DraftColumn {
  readonly column: Column;
  /** SQL of its value over the table's source. */
  readonly sql: string;
  /** True if values are made for it when the database is written; `sql` is NULL. */
  readonly isMade: boolean;
  /** The column of the data set's own schema that it is; null for a new one. */
  readonly source: ColumnRef | null;
  /** The declared type of a computed column in its database; left out if its source has it. */
  readonly declaredType?: string;
}

/** A table in the making: its columns over the rows of a source. */
export interface DraftTable {
  readonly table: Pick<Table, 'name' | 'originalName'>;
  readonly columns: readonly DraftColumn[];
  /** The text after FROM, and further clauses: a table of the seed's database, a subquery, a join. */
  readonly from: string;
}

interface DraftKey {
  readonly from: DraftColumn;
  readonly to: DraftColumn;
}

/** A schema that a relation changes: tables in their order, keys by column. A key whose column is gone goes with it. */
export interface SchemaDraft {
  readonly tables: readonly DraftTable[];
  readonly primaryKeys: readonly DraftColumn[];
  readonly foreignKeys: readonly DraftKey[];
  /** True if the sources of its columns are known. */
  readonly isTraced: boolean;
}

/** Hexadecimal digits of a schema's content in its id: 48 bits, so that a million schemas stay apart. */
const ID_DIGITS = 12;

function draftTable(
  table: Table,
  content: TableContent | null,
  sources: readonly (ColumnRef | null)[] | undefined,
): DraftTable {
  const columns = table.columns.map((column, c): DraftColumn => {
    const isMade = content?.made?.includes(column.originalName) === true;
    const sql = isMade ? 'NULL' : quoteIdentifier(column.originalName);
    return { column, sql, isMade, source: sources?.[c] ?? null };
  });
  const { name, originalName } = table;
  const from = content === null ? quoteIdentifier(originalName) : `(${content.select}) AS seed`;
  return { table: { name, originalName }, columns, from };
}

/** Drafts of schemas made here: a relation that goes on from one changes its queries, and does not nest them. */
const drafts = new WeakMap<MutatedSchema, SchemaDraft>();

/** The draft of a schema as it is: the data set's own, or one that an earlier relation made. */
export function draftOf(database: Database, mutated: MutatedSchema | null): SchemaDraft {
  const known = mutated === null ? undefined : drafts.get(mutated);
  return known ?? readDraft(database, mutated);
}

/** The column of a draft that a reference points at, with its table. */
export function draftColumnAt(
  { tables }: SchemaDraft,
  ref: ColumnRef,
): { readonly table: DraftTable; readonly column: DraftColumn } {
  const table = tables[ref.table];
  const column = table?.columns[ref.column];
  if (table === undefined || column === undefined) throw new InternalError(`no column ${columnKey(ref)} in a draft`);
  return { table, column };
}

/** A column's rows as SQL. */
export interface ColumnRows {
  /** Its value over `from`. */
  readonly sql: string;
  /** The text after FROM. */
  readonly from: string;
}

/** How the rows of a column of a schema are read from the data set's own database. */
export function rowsOfColumn(
  one: { readonly database: Database; readonly mutated: MutatedSchema | null },
  ref: ColumnRef,
): ColumnRows {
  const { table, column } = draftColumnAt(draftOf(one.database, one.mutated), ref);
  return { sql: column.sql, from: table.from };
}

/** Each column of a schema as its own source. */
function ownSources({ tables }: Database): readonly (readonly ColumnRef[])[] {
  return tables.map(({ columns }, table) => columns.map((_, column) => ({ table, column })));
}

function readDraft(database: Database, mutated: MutatedSchema | null): SchemaDraft {
  const sources = mutated === null ? ownSources(database) : mutated.sources;
  const tables = database.tables.map((table, t) => draftTable(table, mutated?.content[t] ?? null, sources?.[t]));
  const at = ({ table, column }: ColumnRef): DraftColumn => itemAt(itemAt(tables, table).columns, column);
  return {
    tables,
    isTraced: sources !== undefined,
    primaryKeys: database.primaryKeys.map(at),
    foreignKeys: database.foreignKeys.map(({ from, to }) => ({ from: at(from), to: at(to) })),
  };
}

/** The draft with columns in the place of others, in their tables and in all keys. */
function replaceColumns(draft: SchemaDraft, replaced: ReadonlyMap<DraftColumn, DraftColumn>): SchemaDraft {
  const swap = (column: DraftColumn): DraftColumn => replaced.get(column) ?? column;
  return {
    isTraced: draft.isTraced,
    tables: draft.tables.map((table) => ({ ...table, columns: table.columns.map(swap) })),
    primaryKeys: draft.primaryKeys.map(swap),
    foreignKeys: draft.foreignKeys.map((key) => ({ from: swap(key.from), to: swap(key.to) })),
  };
}

/** The draft with columns of its tables that are called otherwise, by `columnKey`; their rows stay. */
export function withColumns(draft: SchemaDraft, columns: ReadonlyMap<string, Column>): SchemaDraft {
  const renamed = draft.tables.flatMap(({ columns: own }, table) =>
    own.flatMap((old, c) => {
      const column = columns.get(columnKey({ table, column: c }));
      return column === undefined ? [] : [[old, { ...old, column }] as const];
    }),
  );
  return replaceColumns(draft, new Map(renamed));
}

/** The draft with the table at a position changed; keys follow its columns. */
export function changeTable(
  draft: SchemaDraft,
  position: number,
  change: (table: DraftTable) => DraftTable,
): SchemaDraft {
  return { ...draft, tables: draft.tables.map((table, t) => (t === position ? change(table) : table)) };
}

/** The draft with a table over other rows, which have its columns as `plainColumns` calls them. */
export function overRows(draft: SchemaDraft, position: number, from: string): SchemaDraft {
  const { columns } = itemAt(draft.tables, position);
  const plain = new Map(columns.map((column, c) => [column, { ...column, sql: `c${c}` }]));
  return changeTable(replaceColumns(draft, plain), position, (table) => ({ ...table, from }));
}

/** The query that gives a table's rows, one result column per column. */
function contentOf({ columns, from }: DraftTable): TableContent {
  const list = columns.map(({ column, sql }) => {
    const name = quoteIdentifier(column.originalName);
    return sql === name ? name : `${sql} AS ${name}`;
  });
  const made = columns.filter(({ isMade }) => isMade).map(({ column }) => column.originalName);
  const select = `SELECT ${list.join(', ')} FROM ${from}`;
  const types = columns.flatMap(({ column, declaredType }) => {
    return declaredType === undefined ? [] : [[column.originalName, declaredType] as const];
  });
  return {
    select,
    ...(made.length === 0 ? {} : { made }),
    ...(types.length === 0 ? {} : { types: Object.fromEntries(types) }),
  };
}

/** Where each column of a draft is. */
function positionsOf(draft: SchemaDraft): ReadonlyMap<DraftColumn, ColumnRef> {
  return new Map(
    draft.tables.flatMap(({ columns }, table) => columns.map((one, column) => [one, { table, column }] as const)),
  );
}

/**
 * A table's columns under plain names, `c0` and so on, to be selected from a subquery: SQLite gives a column that is
 * called TRUE another name there.
 */
export function plainColumns({ columns }: DraftTable): readonly string[] {
  return columns.map(({ sql }, c) => `${sql} AS c${c}`);
}

/** The finished schema, called after its origin and its content. */
export function finishDraft(draft: SchemaDraft, origin: string): MutatedSchema {
  const at = positionsOf(draft);
  const tables = draft.tables.map(({ table, columns }) => ({ ...table, columns: columns.map(({ column }) => column) }));
  const primaryKeys = draft.primaryKeys.flatMap((column) => at.get(column) ?? []);
  const foreignKeys = draft.foreignKeys.flatMap(({ from, to }) => {
    const [source, target] = [at.get(from), at.get(to)];
    return source === undefined || target === undefined ? [] : [{ from: source, to: target }];
  });
  const content = draft.tables.map(contentOf);
  const keys = [primaryKeys.map(columnKey), foreignKeys.map(({ from, to }) => `${columnKey(from)}>${columnKey(to)}`)];
  const digest = sha256Of(JSON.stringify([tables, keys, content])).slice(0, ID_DIGITS);
  const schema = { id: `${origin}~${digest}`, tables, primaryKeys, foreignKeys };
  const sources = draft.tables.map(({ columns }) => columns.map(({ source }) => source));
  const finished: MutatedSchema = { schema, origin, content, ...(draft.isTraced ? { sources } : {}) };
  drafts.set(finished, draft);
  return finished;
}

/**
 * The schema of a draft whose tables are those of a database, in their places, and which column each of theirs was.
 * A run holds many that differ in one table: they share the others.
 */
export function extendedSchema(draft: SchemaDraft, database: Database, id: string): ExtendedSchema {
  const at = positionsOf(draft);
  const placeOf = (column: DraftColumn): ColumnRef => mustGet(at.get(column), 'at.get(column)');
  const tables = draft.tables.map(({ columns: drafted }, t) => {
    const [table, columns] = [itemAt(database.tables, t), drafted.map(({ column }) => column)];
    const isSame = columns.length === table.columns.length && columns.every((column, c) => column === table.columns[c]);
    return isSame ? table : { ...table, columns };
  });
  const primaryKeys = draft.primaryKeys.map(placeOf);
  const foreignKeys = draft.foreignKeys.map(({ from, to }) => ({ from: placeOf(from), to: placeOf(to) }));
  const columns = draft.tables.map((table) => table.columns.map(({ source }) => source?.column ?? null));
  return { schema: { ...database, id, tables, primaryKeys, foreignKeys }, columns };
}
