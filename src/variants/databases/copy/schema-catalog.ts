import type Sqlite from 'better-sqlite3';
import { whereReadable } from '../../../sql/sql-fault.js';
import { indexedColumns, type IndexedColumns } from '../../../formats/read-sqlite-schema.js';
import type { Database, Table } from '../../../schema/schema.js';
import { type ColumnInfo, type ListedTable, listTables, pragmaRows } from '../../../sql/execution/table-pragmas.js';
import { readViewText, viewColumns } from '../../../sql/definitions/create-text.js';
import { itemAt } from '../../../present.js';
import { quoteIdentifier } from '../../../sql/dialect.js';

/** A row of `sqlite_schema`. */
export interface SchemaEntry {
  readonly rowid: number;
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  /** The table or view that an index or trigger belongs to. */
  readonly tableName: string;
  readonly rootpage: number | null;
  /** Null for the indexes that SQLite makes for constraints. */
  readonly sql: string | null;
}

/** `shadow` tables hold the data of virtual ones, `system` ones are SQLite's own. */
type TableKind = 'table' | 'virtual' | 'shadow' | 'system' | 'view';

export interface CatalogTable {
  readonly name: string;
  readonly kind: TableKind;
  readonly withoutRowid: boolean;
  readonly strict: boolean;
  readonly columns: readonly ColumnInfo[];
}

/** The contents of a SQLite file, by its schema. */
export interface SchemaCatalog {
  readonly entries: readonly SchemaEntry[];
  /** Columns that full-text indexes read by their names. */
  readonly indexed: readonly IndexedColumns[];
  /** Tables, then the views whose columns are known, inner ones first; aligned with `database.tables`. */
  readonly tables: readonly CatalogTable[];
  /** The same for the binder: names of tables and of the columns that `*` refers to. */
  readonly database: Database;
}

function columnsOf(sqlite: Sqlite.Database, name: string): ColumnInfo[] {
  try {
    return pragmaRows(sqlite, 'table_xinfo', name);
  } catch {
    // A broken view, or a virtual table of an unknown module.
    return [];
  }
}

function toTable({ name, columns }: CatalogTable): Table {
  const visible = columns.filter(({ hidden }) => hidden !== 1);
  const named = visible.map((column) => ({ name: column.name, originalName: column.name, type: 'others' as const }));
  return { name, originalName: name, columns: named };
}

function databaseOf(id: string, tables: readonly CatalogTable[]): Database {
  return { id, tables: tables.map(toTable), primaryKeys: [], foreignKeys: [] };
}

/** The rows of `sqlite_schema`, in their order. */
export function readEntries(sqlite: Sqlite.Database): SchemaEntry[] {
  const columns = 'rowid, type, name, tbl_name AS tableName, rootpage, sql';
  return sqlite.prepare(`SELECT ${columns} FROM main.sqlite_schema ORDER BY rowid`).all() as SchemaEntry[];
}

function readTables(sqlite: Sqlite.Database): CatalogTable[] {
  const order = new Map(readEntries(sqlite).map(({ name, rowid }) => [name, rowid]));
  const place = ({ name }: ListedTable): number => order.get(name) ?? 0;
  return listTables(sqlite)
    .sort((a, b) => place(a) - place(b))
    .map((table) => ({
      name: table.name,
      kind: /^sqlite_/i.test(table.name) ? 'system' : table.type,
      withoutRowid: table.wr === 1,
      strict: table.strict === 1,
      columns: columnsOf(sqlite, table.name),
    }));
}

/** A view whose columns SQLite can't tell, as they are called by its text. */
function withColumns(view: CatalogTable, names: readonly string[]): CatalogTable {
  const unknown = { type: '', notnull: 0, dflt_value: null, pk: 0, hidden: 0 };
  return { ...view, columns: names.map((name) => ({ name, ...unknown })) };
}

/** The columns of a view by its own text; null where that can't be read, or names what is not known (yet). */
function namesByText(sql: string, database: Database): readonly string[] | null {
  return whereReadable(() => viewColumns(readViewText(sql), sql, database), null);
}

/**
 * Adds the views to the tables, each after those that it reads: SQLite itself can't tell the columns of a view with a
 * double-quoted string. A view that says nothing to either, because it is broken, is left out.
 */
function addViews(id: string, tables: CatalogTable[], views: CatalogTable[], entries: readonly SchemaEntry[]): void {
  const texts = new Map(entries.map(({ name, sql }) => [name, sql ?? '']));
  for (let waiting = views; waiting.length > 0;) {
    const database = databaseOf(id, tables);
    const left = waiting.filter((view) => {
      const names = namesByText(texts.get(view.name) ?? '', database);
      if (names !== null) tables.push(withColumns(view, names));
      return names === null;
    });
    if (left.length === waiting.length) {
      tables.push(...left.filter(({ columns }) => columns.length > 0));
      return;
    }
    waiting = left;
  }
}

/**
 * Reads the schema of an open SQLite file.
 * @throws Sqlite.SqliteError when the file is no database, or its schema is malformed
 */
export function readCatalog(sqlite: Sqlite.Database, id: string): SchemaCatalog {
  const entries = readEntries(sqlite);
  const all = readTables(sqlite);
  const tables = all.filter(({ kind }) => kind !== 'view');
  const views = all.filter(({ kind }) => kind === 'view');
  addViews(id, tables, views, entries);
  return { entries, indexed: indexedColumns(sqlite), tables, database: databaseOf(id, tables) };
}

/** SQLite's answer about a view or about what fires triggers: the columns of the view, or the fault. */
export type Compiled = { readonly columns: string } | { readonly fault: string };

/** Returns SQLite's error for an object; null if it compiles, or is not there. */
export function faultOf(compiled: Compiled | undefined): string | null {
  return compiled !== undefined && 'fault' in compiled ? compiled.fault : null;
}

const EVENTS = ['INSERT', 'DELETE', 'UPDATE'];

/** Keys by which `compileObjects` tells of a view or a trigger. */
export function compiledKeys({
  type,
  name,
  tableName,
}: Pick<SchemaEntry, 'type' | 'name' | 'tableName'>): readonly string[] {
  if (type === 'view') return [`view ${name}`];
  return type === 'trigger' ? EVENTS.map((event) => `triggers of ${event} ON ${tableName}`) : [];
}

function settable(sqlite: Sqlite.Database, table: string): string[] {
  try {
    const columns = pragmaRows<ColumnInfo>(sqlite, 'table_xinfo', table);
    return columns.filter(({ hidden }) => hidden === 0).map(({ name }) => name);
  } catch {
    return [];
  }
}

function statementsOf(sqlite: Sqlite.Database, { type, name, tableName }: SchemaEntry): readonly string[] {
  if (type === 'view') return [`SELECT * FROM main.${quoteIdentifier(name)}`];
  if (type !== 'trigger') return [];
  const table = `main.${quoteIdentifier(tableName)}`;
  const set = settable(sqlite, tableName).map((column) => `${quoteIdentifier(column)} = ${quoteIdentifier(column)}`);
  return [`INSERT INTO ${table} DEFAULT VALUES`, `DELETE FROM ${table}`, `UPDATE ${table} SET ${set.join(', ')}`];
}

/** Compiles a statement without running it. */
function compile(sqlite: Sqlite.Database, sql: string): Compiled {
  try {
    const statement = sqlite.prepare(sql);
    const columns = statement.reader ? statement.columns().map(({ name }) => name) : [];
    return { columns: JSON.stringify(columns) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Compiles the views of a file and each event that has triggers, by `compiledKeys`. */
export function compileObjects(
  sqlite: Sqlite.Database,
  entries: readonly SchemaEntry[],
): ReadonlyMap<string, Compiled> {
  const compiled = new Map<string, Compiled>();
  for (const entry of entries) {
    const keys = compiledKeys(entry);
    if (keys.every((key) => compiled.has(key))) continue;
    statementsOf(sqlite, entry).forEach((sql, i) => compiled.set(itemAt(keys, i), compile(sqlite, sql)));
  }
  return compiled;
}

/** The views and triggers that compiled before, and do not now. */
export function newlyBroken(
  entries: readonly SchemaEntry[],
  before: ReadonlyMap<string, Compiled>,
  now: ReadonlyMap<string, Compiled>,
): readonly SchemaEntry[] {
  const isBroken = (key: string): boolean => faultOf(before.get(key)) === null && faultOf(now.get(key)) !== null;
  return entries.filter((entry) => compiledKeys(entry).some(isBroken));
}
