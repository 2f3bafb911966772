import type Sqlite from 'better-sqlite3';
import { elementAt } from '../present.js';
import { sqliteColumnType } from '../schema/column-types.js';
import { naturalName } from '../schema/natural-name.js';
import type { Column, ColumnType, Database, ForeignKey, Table } from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';
import { columnsOf, foreignKeysOf, keyPositions, tableNames, type ColumnInfo } from '../sql/execution/table-pragmas.js';
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

/** The views of an open SQLite file as tables of a schema, whose own tables the file holds. */
export function viewsOf(sqlite: Sqlite.Database, schema: Database): readonly Table[] {
  return readViews(sqlite, schema, { table: toTable, column: toColumn });
}

/**
 * Reads the schema of an open SQLite database: its tables with their columns, types, primary and foreign keys, then its
 * views. Natural names are made from the identifiers. Virtual tables are left out: their columns can't be perturbed; nor can
 * those that a full-text index reads by their names.
 */
export function readSqliteSchema(sqlite: Sqlite.Database, id: string): Database {
  const names = tableNames(sqlite);
  const infos = names.map((name) => columnsOf(sqlite, name));
  const tables = names.map((name, t): Table => ({ ...toTable(name), columns: elementAt(infos, t).map(toColumn) }));
  const read: Database = {
    id,
    tables,
    primaryKeys: infos.flatMap((columns, table) => keyPositions(columns).map((column) => ({ table, column }))),
    foreignKeys: foreignKeys(sqlite, names, infos),
  };
  const schema = withIndexedFixed(read, indexedColumns(sqlite));
  return { ...schema, tables: [...schema.tables, ...viewsOf(sqlite, schema)] };
}
