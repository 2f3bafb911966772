import { formatCount } from '../counts.js';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import { asView } from '../schema/column-family.js';
import { knownColumnType } from '../schema/column-types.js';
import {
  type Column,
  columnKey,
  type ColumnRef,
  type ColumnType,
  type Database,
  type Table,
} from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';
import type { SkippedExample } from './dataset.js';
import { checkRecord, loadJsonArray } from './json-file.js';
import { readUsable } from './usable-records.js';
import { mustGet, zip } from '../present.js';

const columnNamesSchema = z.array(z.tuple([z.int(), z.string()])).min(2);

const recordSchema = z.looseObject({
  db_id: z.string().min(1),
  table_names: z.array(z.string()).min(1),
  table_names_original: z.array(z.string()).min(1),
  column_names: columnNamesSchema,
  column_names_original: columnNamesSchema,
  // Spider has five words; other data sets have those of their systems.
  column_types: z.array(z.string()),
  primary_keys: z.array(z.union([z.int(), z.array(z.int())])),
  foreign_keys: z.array(z.tuple([z.int(), z.int()])),
  // Ours: names of the tables that are views. Another data set may have a field of that name with a content of its own.
  views: z.unknown().optional(),
});

/** One record of Spider's `tables.json`; column 0 is `*`, and column indices count all tables through. */
export type SpiderTablesRecord = z.infer<typeof recordSchema>;

const FIX = 'Fix the record, or take tables.json from the data set’s own release.';

function fail(message: string, file: string, id: string): never {
  throw new InputFormatError(message, { where: { file, id }, fix: FIX });
}

/** The types by column; SNAILS' have none for `*`. */
export function columnTypesOf({
  column_types: types,
  column_names: names,
}: {
  readonly column_types: readonly string[];
  readonly column_names: readonly unknown[];
}): readonly string[] {
  return types.length === names.length - 1 ? ['text', ...types] : types;
}

/** The lists of names and types must speak of the same tables and columns. */
function checkLists(record: SpiderTablesRecord, file: string): void {
  const { db_id: id, column_names, column_names_original, table_names, table_names_original } = record;
  if (table_names.length !== table_names_original.length)
    fail('table_names and table_names_original differ in length', file, id);
  if (column_names.length !== column_names_original.length || column_names.length !== columnTypesOf(record).length) {
    fail('column_names, column_names_original and column_types differ in length', file, id);
  }
  const unnamable = [...table_names_original, ...column_names_original.map(([, name]) => name)].find((name) =>
    name.includes('\0'),
  );
  if (unnamable !== undefined) fail(`${JSON.stringify(unnamable)} holds NUL, which no SQL can name`, file, id);
  if (column_names[0]?.[0] !== -1) fail('column 0 must be [-1, "*"]', file, id);
  for (const [index, [[table], [original]]] of zip(column_names, column_names_original).entries()) {
    if (table === original) continue;
    const tables = `table ${table} in column_names, to table ${original}`;
    fail(`column ${index} belongs to ${tables} in column_names_original`, file, id);
  }
}

/** Position of each flat column index in the nested schema; index 0, `*`, has none. */
function locateColumns(record: SpiderTablesRecord, file: string): readonly (ColumnRef | null)[] {
  const counts = record.table_names.map(() => 0);
  return record.column_names.map(([table], index) => {
    if (index === 0) return null;
    const count = counts[table];
    if (count === undefined)
      fail(`column ${index} belongs to table ${table}, which does not exist`, file, record.db_id);
    counts[table] = count + 1;
    return { table, column: count };
  });
}

/**
 * SQLite compares identifiers without the case of ASCII letters: two equal ones could not be distinguished, nor could
 * the database exist.
 */
function checkDistinct(tables: readonly Table[], file: string, id: string): void {
  const repeated = (names: readonly string[]): string | undefined => {
    const folded = names.map(foldName);
    return names.find((name, i) => folded.indexOf(foldName(name)) !== i);
  };
  const table = repeated(tables.map(({ originalName }) => originalName));
  if (table !== undefined) fail(`two tables are called "${table}"`, file, id);
  for (const { originalName, columns } of tables) {
    const column = repeated(columns.map((one) => one.originalName));
    if (column !== undefined) fail(`two columns of table "${originalName}" are called "${column}"`, file, id);
  }
}

/** Names of a record's tables that are views; none where the field is another than ours. */
export function viewNamesOf({ views }: { readonly views?: unknown }): readonly string[] {
  const names = z.array(z.string()).safeParse(views);
  return names.success ? names.data : [];
}

function toDatabase(record: SpiderTablesRecord, file: string): Database {
  checkLists(record, file);
  const views = new Set(viewNamesOf(record).map(foldName));
  const refs = locateColumns(record, file);
  const types = columnTypesOf(record);
  const refAt = (index: number, what: string): ColumnRef =>
    refs[index] ??
    fail(`${what} names column ${index}, but the columns go from 1 to ${refs.length - 1}`, file, record.db_id);
  const listed = zip(record.column_names, zip(record.column_names_original, types)).slice(1);
  const columnsOf = (table: number): Column[] =>
    listed.flatMap(([[owner, name], [[, originalName], type]]) =>
      owner === table ? [{ name: name.toLowerCase(), originalName, type: knownColumnType(type) ?? 'others' }] : [],
    );
  const tables = zip(record.table_names, record.table_names_original).map(([name, originalName], t): Table => {
    const table = { name: name.toLowerCase(), originalName, columns: columnsOf(t) };
    return views.has(foldName(originalName)) ? asView(table) : table;
  });
  checkDistinct(tables, file, record.db_id);
  return {
    id: record.db_id,
    tables,
    primaryKeys: record.primary_keys.flat().map((index) => refAt(index, 'primary_keys')),
    foreignKeys: record.foreign_keys.map(([from, to]) => ({
      from: refAt(from, 'foreign_keys'),
      to: refAt(to, 'foreign_keys'),
    })),
  };
}

/**
 * Loads Spider's `tables.json`.
 * @throws InputFormatError when the file is not JSON, a field is missing, a key is out of range or a db_id occurs
 * twice.
 */
export function loadSpiderTables(file: string): ReadonlyMap<string, Database> {
  return parseSpiderTables(loadJsonArray(file, 'databases'), file);
}

/**
 * The databases of records in the form of Spider's `tables.json`; `file` is where they come from.
 * @throws InputFormatError when a field is missing, a key is out of range or a db_id occurs twice.
 */
export function parseSpiderTables(records: readonly unknown[], file: string): ReadonlyMap<string, Database> {
  const parse = schemaParser(file);
  return new Map(records.map((json, index) => parse(json, index)).map(({ database }) => [database.id, database]));
}

interface ParsedSchema {
  readonly database: Database;
  /** As it is written in the file. */
  readonly record: unknown;
}

/** Parses the records of one file, each db_id once; `nameOf` says what a record is called that has a fault. */
function schemaParser(
  file: string,
  nameOf: (json: unknown, index: number) => string = (_, index) => `database ${index}`,
): (json: unknown, index: number) => ParsedSchema {
  const seen = new Set<string>();
  return (json, index) => {
    const record = checkRecord(recordSchema, json, { file, id: nameOf(json, index) }, FIX);
    if (seen.has(record.db_id)) fail('this db_id occurs twice', file, record.db_id);
    const database = toDatabase(record, file);
    seen.add(record.db_id);
    return { database, record: json };
  };
}

/** The db_id of a record that may be none, else its place. */
function schemaName(json: unknown, index: number): string {
  const id = (json as { readonly db_id?: unknown } | null)?.db_id;
  return typeof id === 'string' && id !== '' ? id : `database ${index}`;
}

/** The schemas of a data set's tables file. */
interface SpiderSchemas {
  readonly databases: ReadonlyMap<string, Database>;
  /** The records as they are written, by db_id. */
  readonly records: ReadonlyMap<string, unknown>;
  /** Records that are no schema; with `databases`, all that were read. */
  readonly skipped: readonly SkippedExample[];
  readonly notes: readonly string[];
}

/**
 * Reads a data set's tables file in Spider's form as it is shipped: a list, or an object by db_id. A record that
 * contradicts itself is left out, and takes no other with it.
 * @throws InputFormatError when the file is not JSON, or none of its records is a schema
 */
export function readSpiderSchemas(file: string): SpiderSchemas {
  const { kept, skipped } = readUsable(loadJsonArray(file, 'databases', 'db_id'), file, schemaParser(file, schemaName));
  return {
    databases: new Map(kept.map(({ database }) => [database.id, database])),
    records: new Map(kept.map(({ database, record }) => [database.id, record])),
    skipped,
    notes: noteUnknownTypes(kept),
  };
}

function noteUnknownTypes(schemas: readonly ParsedSchema[]): readonly string[] {
  const words = schemas.flatMap(({ record }) => (record as { readonly column_types: readonly string[] }).column_types);
  const unknown = new Map<string, number>();
  for (const word of words.filter((one) => knownColumnType(one) === null)) {
    unknown.set(word, (unknown.get(word) ?? 0) + 1);
  }
  return [...unknown].map(
    ([word, count]) =>
      `${count === 1 ? 'a column' : `${formatCount(count)} columns`} of the unknown type "${word}" counted as others`,
  );
}

/** Renders a database as a record of `tables.json`; natural names as they are in the schema. */
export function renderSpiderTables(database: Database): SpiderTablesRecord {
  const flat = new Map<string, number>();
  const names: [number, string][] = [[-1, '*']];
  const originals: [number, string][] = [[-1, '*']];
  const types: ColumnType[] = ['text'];
  database.tables.forEach((table, t) => {
    table.columns.forEach((column, c) => {
      flat.set(columnKey({ table: t, column: c }), names.length);
      names.push([t, column.name]);
      originals.push([t, column.originalName]);
      types.push(column.type);
    });
  });
  const views = database.tables.flatMap(({ originalName, isView }) => (isView === true ? [originalName] : []));
  const indexOf = (ref: ColumnRef): number => mustGet(flat.get(columnKey(ref)), 'the index of a column');
  return {
    column_names: names,
    column_names_original: originals,
    column_types: types,
    db_id: database.id,
    foreign_keys: database.foreignKeys.map(({ from, to }) => [indexOf(from), indexOf(to)]),
    primary_keys: database.primaryKeys.map(indexOf),
    table_names: database.tables.map((table) => table.name),
    table_names_original: database.tables.map((table) => table.originalName),
    ...(views.length === 0 ? {} : { views }),
  };
}
