import type Sqlite from 'better-sqlite3';
import { itemAt } from '../present.js';
import { asView } from '../schema/column-family.js';
import { sqliteColumnType } from '../schema/column-types.js';
import { naturalName } from '../schema/natural-name.js';
import type { Column, ColumnType, Database, ForeignKey, Table } from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';
import {
  columnsOf,
  foreignKeysOf,
  keyPositions,
  readableVirtualTables,
  tableNames,
  type ColumnInfo,
} from '../sql/execution/table-pragmas.js';
import { indexedColumns, withIndexedFixed } from './indexed-columns.js';
import { readViews } from './sqlite-views.js';

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

/** Whether a query names SQLite's own table of sequences. */
export function namesSequences(query: string): boolean {
  return foldName(query).includes(SEQUENCES);
}

/**
 * What queries read as tables of an open SQLite file, whose own tables `schema` holds: its virtual tables, then its views.
 */
export function viewsOf(sqlite: Sqlite.Database, schema: Database): readonly Table[] {
  const virtual = virtualTablesOf(sqlite);
  const known = { ...schema, tables: [...schema.tables, ...virtual] };
  return [...virtual, ...readViews(sqlite, known, { table: toTable, column: toColumn })];
}

/**
 * Reads the schema of an open SQLite database: its tables with their columns, types, primary and foreign keys, then its
 * virtual tables and views. Natural names are made from the identifiers. Columns of the latter two can't be perturbed, nor can
 * those that a full-text index reads by their names.
 */
export function readSqliteSchema(sqlite: Sqlite.Database, id: string): Database {
  const names = tableNames(sqlite);
  const infos = names.map((name) => columnsOf(sqlite, name));
  const tables = names.map((name, t): Table => ({ ...toTable(name), columns: itemAt(infos, t).map(toColumn) }));
  const read: Database = {
    id,
    tables,
    primaryKeys: infos.flatMap((columns, table) => keyPositions(columns).map((column) => ({ table, column }))),
    foreignKeys: foreignKeys(sqlite, names, infos),
  };
  const schema = withIndexedFixed(read, indexedColumns(sqlite));
  return { ...schema, tables: [...schema.tables, ...viewsOf(sqlite, schema)] };
}
