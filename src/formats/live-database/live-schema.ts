import { InputFormatError } from '../../errors.js';
import { asView } from '../../schema/column-family.js';
import { naturalName } from '../../schema/natural-name.js';
import type { ColumnRef, Database, Table } from '../../schema/schema.js';
import type { CatalogColumn, CatalogTable, KeyColumn, LiveCatalog, TextRow } from './live-server.js';

/** Readers of a catalog's rows, which begin with the table's name: facts on its columns and on the table. */
interface CatalogRows {
  /** Null for a table without columns. */
  column(row: TextRow): CatalogColumn | null;
  isView(row: TextRow): boolean;
}

/** Tables from rows of the catalog, one per column. */
export function tablesOf(rows: readonly TextRow[], read: CatalogRows): CatalogTable[] {
  const tables = new Map<string, { name: string; columns: CatalogColumn[]; isView: boolean }>();
  for (const row of rows) {
    const name = row[0] ?? '';
    const table = tables.get(name) ?? { name, columns: [], isView: read.isView(row) };
    const column = read.column(row);
    if (column !== null) table.columns.push(column);
    tables.set(name, table);
  }
  return [...tables.values()];
}

function toTable({ name, columns, isView }: CatalogTable): Table {
  const named = columns.map((column) => ({ name: natural(column.name), originalName: column.name, type: column.type }));
  const table = { name: natural(name), originalName: name, columns: named };
  return isView ? asView(table) : table;
}

const natural = (name: string): string => naturalName(name) || name.toLowerCase();

function locate({ tables }: LiveCatalog, { table, column }: KeyColumn): ColumnRef[] {
  const t = tables.findIndex(({ name }) => name === table);
  const c = tables[t]?.columns.findIndex(({ name }) => name === column) ?? -1;
  return c < 0 ? [] : [{ table: t, column: c }];
}

/**
 * The schema that a catalog describes, called as its database.
 * @throws InputFormatError when it has no tables; `place` is the connection as it may be shown
 */
export function schemaOf(catalog: LiveCatalog, place: string): Database {
  const { database, schema, tables } = catalog;
  if (tables.length === 0) {
    throw new InputFormatError(`the user sees no tables with columns in ${schema}`, {
      where: { id: place },
      fix: 'Check which database and schema --connection names, and that its user may SELECT from the tables.',
    });
  }
  return {
    id: database,
    tables: tables.map(toTable),
    primaryKeys: catalog.primaryKeys.flatMap((key) => locate(catalog, key)),
    foreignKeys: catalog.foreignKeys.flatMap((key) =>
      locate(catalog, key.from).flatMap((from) => locate(catalog, key.to).map((to) => ({ from, to }))),
    ),
  };
}
