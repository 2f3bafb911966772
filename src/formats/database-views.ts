import { existsSync } from 'node:fs';
import { groupBy } from '../run/group-by.js';
import { withFixedColumns } from '../schema/column-family.js';
import type { Column, Database, Table } from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';
import { readUntouched } from '../sql/execution/open-untouched.js';
import { type IndexedColumns, indexedColumns, schemaNotes, viewsOf, withIndexedFixed } from './read-sqlite-schema.js';
import { sqlitePath } from './sample-values.js';
import { extendedTableFields } from './spider-remap.js';
import { type SpiderTablesRecord, viewNamesOf } from './spider-tables.js';

/** Schemas in the form of Spider's `tables.json`, with their records by db_id. */
interface Schemas {
  readonly databases: ReadonlyMap<string, Database>;
  readonly records: ReadonlyMap<string, unknown>;
  readonly notes?: readonly string[];
}

/** The content of a database file in addition to a schema. */
interface FileSchema {
  readonly views: readonly Table[];
  readonly indexed: readonly IndexedColumns[];
}

/** Returns the schema in a database file; nothing if it can't be read, which is reported when its rows are needed. */
function readFileSchema(file: string, schema: Database): FileSchema {
  const nothing = { views: [], indexed: [] };
  if (!existsSync(file)) return nothing;
  try {
    return readUntouched(file, (sqlite) => ({ views: viewsOf(sqlite, schema), indexed: indexedColumns(sqlite) }));
  } catch {
    return nothing;
  }
}

/** A record of `tables.json` with views after its tables. */
function appendViews(record: SpiderTablesRecord, views: readonly Table[]): SpiderTablesRecord {
  const first = record.table_names.length;
  const columns = views.flatMap((view, v) => view.columns.map((column) => ({ table: first + v, column })));
  const named = (nameOf: (column: Column) => string): [number, string][] =>
    columns.map(({ table, column }) => [table, nameOf(column)]);
  return {
    ...record,
    ...extendedTableFields(
      record,
      columns.map(({ table }) => table),
    ),
    table_names: [...record.table_names, ...views.map(({ name }) => name)],
    table_names_original: [...record.table_names_original, ...views.map(({ originalName }) => originalName)],
    column_names: [...record.column_names, ...named(({ name }) => name)],
    column_names_original: [...record.column_names_original, ...named(({ originalName }) => originalName)],
    column_types: [...record.column_types, ...columns.map(({ column }) => column.type)],
    views: [...viewNamesOf(record), ...views.map(({ originalName }) => originalName)],
  };
}

/** The schema with the columns of listed views fixed: the file could not rename them. */
function fixViews(schema: Database, views: readonly Table[]): Database {
  const byName = new Map(views.map((view) => [foldName(view.originalName), view]));
  const tables = schema.tables.map((table) => {
    const view = byName.get(foldName(table.originalName));
    if (view === undefined) return table;
    return { ...withFixedColumns(table), ...(view.hidden === undefined ? {} : { hidden: view.hidden }) };
  });
  return { ...schema, tables };
}

/** The views that gold queries name and the schema does not list. */
function missingViews(schema: Database, views: readonly Table[], goldQueries: readonly string[]): readonly Table[] {
  const listed = new Set(schema.tables.map(({ originalName }) => foldName(originalName)));
  const text = foldName(goldQueries.join('\n'));
  return views.filter(({ originalName }) => {
    const name = foldName(originalName);
    return !listed.has(name) && text.includes(name);
  });
}

/**
 * The schemas with the views of their database files, in Spider's layout below `folder`: those that gold queries name
 * and `tables.json` lacks come after its tables, so that these gold queries bind; those that it lists can't be
 * perturbed, nor can columns that a full-text index finds by their names. Only files of databases that gold queries are
 * on are opened.
 */
export function withViews<T extends Schemas>(
  schemas: T,
  goldQueries: readonly { readonly dbId: string; readonly query: string }[],
  folder: string | null,
): T {
  if (folder === null) return schemas;
  const [databases, records] = [new Map(schemas.databases), new Map(schemas.records)];
  const queries = groupBy(goldQueries, ({ dbId }) => dbId);
  const notes = [...(schemas.notes ?? [])];
  for (const [id, listed] of schemas.databases) {
    const own = queries.get(id);
    if (own === undefined) continue;
    const { views, indexed } = readFileSchema(sqlitePath(folder, id), listed);
    const schema = withIndexedFixed(listed, indexed);
    databases.set(id, schema);
    notes.push(...schemaNotes(id, sqlitePath(folder, id)));
    if (views.length === 0) continue;
    const fixed = fixViews(schema, views);
    const missing = missingViews(
      schema,
      views,
      own.map(({ query }) => query),
    );
    databases.set(id, { ...fixed, tables: [...fixed.tables, ...missing] });
    const record = schemas.records.get(id) as SpiderTablesRecord | undefined;
    if (record !== undefined && missing.length > 0) records.set(id, appendViews(record, missing));
  }
  return { ...schemas, databases, records, notes };
}
