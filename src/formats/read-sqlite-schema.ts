import type Sqlite from 'better-sqlite3';
import { asView } from '../schema/column-family.js';
import { sqliteColumnType } from '../schema/column-types.js';
import { naturalName } from '../schema/natural-name.js';
import type { Column, ColumnType, Database, ForeignKey, Table } from '../schema/schema.js';
import { foldName, quoteIdentifier } from '../sql/dialect.js';
import {
  type ColumnInfo,
  columnsOf,
  foreignKeysOf,
  keyPositions,
  readableVirtualTables,
  tableNames,
} from '../sql/execution/table-pragmas.js';
import { whereReadable } from '../sql/sql-fault.js';
import { indexedContent, readViewText, viewColumns } from '../sql/definitions/create-text.js';
import { zip } from '../present.js';
import type { DeclaredTypes } from '../sql/create-tables.js';
import { isSqliteError } from '../sql/execution/open-connection.js';
import { readTables } from './sample-values.js';
import { groupBy } from '../run/group-by.js';
import { readUntouched, schemaNotesOf } from '../sql/execution/open-untouched.js';

/** Columns that a full-text index reads by their names; folded. */
export interface IndexedColumns {
  readonly index: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/** The columns of a table or virtual table, folded; null where SQLite can't tell: it lacks the module, say. */
function namesOf(sqlite: Sqlite.Database, table: string): readonly string[] | null {
  try {
    return columnsOf(sqlite, table).map(({ name }) => foldName(name));
  } catch {
    return null;
  }
}

/** The columns that the full-text indexes of an open file read by their names. */
export function indexedColumns(sqlite: Sqlite.Database): readonly IndexedColumns[] {
  const select = sqlite.prepare(
    "SELECT name, sql FROM main.sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY rowid",
  );
  return (select.all() as { name: string; sql: string }[]).flatMap(({ name: index, sql }) => {
    const content = indexedContent(sql);
    if (content === null) return [];
    const own = new Set(namesOf(sqlite, content.table) ?? []);
    const read = [...(namesOf(sqlite, index) ?? own), foldName(content.rowid ?? '')];
    const columns = [...new Set(read.filter((name) => own.has(name)))];
    return columns.length === 0 ? [] : [{ index, table: foldName(content.table), columns }];
  });
}

/** A schema whose columns keep their names where a full-text index finds them by these. */
export function withIndexedFixed(schema: Database, indexed: readonly IndexedColumns[]): Database {
  if (indexed.length === 0) return schema;
  const isRead = (table: string, column: string): boolean =>
    indexed.some((one) => one.table === foldName(table) && one.columns.includes(foldName(column)));
  const tables = schema.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column): Column =>
      isRead(table.originalName, column.originalName) ? { ...column, fixed: true } : column,
    ),
  }));
  return { ...schema, tables };
}

/**
 * The types that a SQLite file declares for the columns of a schema; null for what it lacks or can't tell, and none where
 * there is no file.
 * @throws InputFormatError when the file is not a readable SQLite database
 */
export function declaredTypes(file: string | null, database: Database): DeclaredTypes {
  if (file === null) return [];
  return readTables(file, database, (sqlite, { originalName, columns }) => {
    try {
      const types = new Map(columnsOf(sqlite, originalName).map(({ name, type }) => [foldName(name), type]));
      return columns.map((column) => types.get(foldName(column.originalName)) ?? null);
    } catch (error) {
      // A view that SQLite can't prepare.
      if (isSqliteError(error)) return columns.map(() => null);
      throw error;
    }
  });
}

interface StoredView {
  readonly name: string;
  readonly sql: string;
}

function storedViews(sqlite: Sqlite.Database): readonly StoredView[] {
  const views = "SELECT name, sql FROM main.sqlite_schema WHERE type = 'view' ORDER BY rowid";
  return sqlite.prepare(views).all() as StoredView[];
}

/** Returns the columns of a view by SQLite, or else why it can't list them. */
function listedColumns(sqlite: Sqlite.Database, view: string): readonly ColumnInfo[] | { readonly fault: string } {
  try {
    // The list that a view gives itself may be longer than what its query gives.
    sqlite.prepare(`SELECT * FROM main.${quoteIdentifier(view)}`);
    return columnsOf(sqlite, view);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** The columns of a view by its own text; none where that can't be read, or names what is not known (yet). */
function columnsByText(sql: string, known: Database): readonly Pick<ColumnInfo, 'name' | 'type'>[] {
  return whereReadable(() => viewColumns(readViewText(sql), sql, known), []).map((name) => ({ name, type: '' }));
}

const areDistinct = (names: readonly string[]): boolean => new Set(names.map(foldName)).size === names.length;

/**
 * The views of an open SQLite file as tables whose columns are fixed: a view follows the tables that it reads, and is
 * not perturbed itself. Views that read others come after these. A view whose columns nothing tells is left out.
 * `named` makes a table or column of an identifier and a declared type.
 */
function readViews(
  sqlite: Sqlite.Database,
  schema: Database,
  named: { table(name: string): Omit<Table, 'columns'>; column(info: Pick<ColumnInfo, 'name' | 'type'>): Column },
): readonly Table[] {
  const found: Table[] = [];
  for (let waiting = storedViews(sqlite); waiting.length > 0;) {
    const known = { ...schema, tables: [...schema.tables, ...found] };
    const left = waiting.filter(({ name, sql }) => {
      const listed = listedColumns(sqlite, name);
      // Another build of SQLite takes a double-quoted string; what none takes can't be read.
      const isQuoted = 'fault' in listed && listed.fault.includes('single-quotes');
      const columns = 'fault' in listed ? (isQuoted ? columnsByText(sql, known) : []) : listed;
      if (columns.length === 0 || !areDistinct(columns.map((column) => column.name))) return true;
      found.push(asView({ ...named.table(name), columns: columns.map((column) => named.column(column)) }));
      return false;
    });
    if (left.length === waiting.length) break;
    waiting = left;
  }
  return found;
}

/** Spider's type for a declared type of SQLite: `VARCHAR(20)` → text; a column without a type counts as text. */
export function spiderType(declaredType: string): ColumnType {
  return sqliteColumnType(declaredType) ?? 'others';
}

const natural = (name: string): string => naturalName(name) || name.toLowerCase();

function toColumn({ name, type }: Pick<ColumnInfo, 'name' | 'type'>): Column {
  return { name: natural(name), originalName: name, type: spiderType(type) };
}

function columnNamed(columns: readonly ColumnInfo[] | undefined, name: string): number {
  return columns?.findIndex((column) => foldName(column.name) === foldName(name)) ?? -1;
}

/** Foreign keys whose two ends exist, in the order of their declaration; composite ones as pairs of columns. */
function foreignKeys(
  sqlite: Sqlite.Database,
  names: readonly string[],
  tables: readonly (readonly ColumnInfo[])[],
): ForeignKey[] {
  return names.flatMap((name, table) =>
    foreignKeysOf(sqlite, name).flatMap(({ parent, columns }) => {
      const target = names.findIndex((other) => foldName(other) === foldName(parent));
      return columns.flatMap(({ from, to }): ForeignKey[] => {
        const own = columnNamed(tables[table], from);
        const theirs = to === null ? -1 : columnNamed(tables[target], to);
        if (own < 0 || theirs < 0) return [];
        return [{ from: { table, column: own }, to: { table: target, column: theirs } }];
      });
    }),
  );
}

const toTable = (name: string): Omit<Table, 'columns'> => ({ name: natural(name), originalName: name });

/** The virtual tables of an open SQLite file that it can read. */
function virtualTablesOf(sqlite: Sqlite.Database): readonly Table[] {
  return readableVirtualTables(sqlite).map(({ name, columns }) => {
    const [hidden, visible] = [columns.filter((one) => one.hidden === 1), columns.filter((one) => one.hidden !== 1)];
    const table = asView({ ...toTable(name), columns: visible.map(toColumn) });
    return { ...table, hidden: hidden.map((column) => column.name) };
  });
}

const SEQUENCES = 'sqlite_sequence';

/** A schema with SQLite's own table of sequences, which is of interest only where queries name it. */
export function withSequences(schema: Database): Database {
  const columns = ['name', 'seq'].map((name) => toColumn({ name, type: '' }));
  return { ...schema, tables: [...schema.tables, asView({ ...toTable(SEQUENCES), columns })] };
}

/** Checks whether a query names SQLite's own table of sequences. */
export function namesSequences(query: string): boolean {
  return foldName(query).includes(SEQUENCES);
}

/**
 * Lists the further tables that queries can read in an open SQLite file, whose own tables `schema` holds: its virtual
 * tables, then its views.
 */
export function viewsOf(sqlite: Sqlite.Database, schema: Database): readonly Table[] {
  const virtual = virtualTablesOf(sqlite);
  const known = { ...schema, tables: [...schema.tables, ...virtual] };
  return [...virtual, ...readViews(sqlite, known, { table: toTable, column: toColumn })];
}

/**
 * Reads the schema of an open SQLite database: its tables with their columns, types, primary and foreign keys, then its
 * virtual tables and views. Natural names are made from the identifiers. Columns of the latter two can't be perturbed,
 * nor can those that a full-text index reads by their names.
 */
export function readSqliteSchema(sqlite: Sqlite.Database, id: string): Database {
  const names = tableNames(sqlite);
  const infos = names.map((name) => columnsOf(sqlite, name));
  const tables = zip(names, infos).map(([name, infos]): Table => ({ ...toTable(name), columns: infos.map(toColumn) }));
  const read: Database = {
    id,
    tables,
    primaryKeys: infos.flatMap((columns, table) => keyPositions(columns).map((column) => ({ table, column }))),
    foreignKeys: foreignKeys(sqlite, names, infos),
  };
  const schema = withIndexedFixed(read, indexedColumns(sqlite));
  return { ...schema, tables: [...schema.tables, ...viewsOf(sqlite, schema)] };
}

/**
 * Returns notes on a database's file for whoever runs over it, a line each: objects left out because SQLite can't read
 * them, collations that it lacks, columns that keep their names. No notes on a file that can't be read.
 */
export function schemaNotes(id: string, file: string): readonly string[] {
  try {
    const objects = groupBy(schemaNotesOf(file), ({ reason }) => reason);
    const indexed = readUntouched(file, indexedColumns);
    return [
      ...[...objects].map(([reason, list]) => `${id}: ${list.map(({ object }) => object).join(', ')}: ${reason}`),
      ...indexed.map(({ index, table, columns }) => {
        return `${id}: ${columns.join(', ')} of ${table} are not renamed: ${index} finds them by name`;
      }),
    ];
  } catch {
    return [];
  }
}
