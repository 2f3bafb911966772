import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { isFolder } from '../../regular-file.js';
import { InputFormatError } from '../../errors.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import { type Column, columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { foldName, SQLITE } from '../../sql/dialect.js';
import type {
  Dataset,
  DatasetExample,
  PathsWith,
  PerturbedPair,
  PublishedMapping,
  SkippedExample,
} from '../dataset.js';
import { checkRecord, loadJsonArray } from '../json-file.js';
import { sqlitePath } from '../sample-values.js';
import { readUsable } from '../usable-records.js';
import { naturalName } from '../../schema/natural-name.js';
import { knownColumnType } from '../../schema/column-types.js';

const tableSchema = z.looseObject({ ddl: z.string(), columns: z.array(z.string()).optional() });

/** One record of EvoSchema's files; fields that perturbql does not know are carried along. */
export const evoSchemaRecord = z.looseObject({
  db_id: z.string().min(1),
  question: z.string(),
  query: z.string().min(1),
  train_idx: z.number().optional(),
  relevant_table: z.record(z.string(), tableSchema),
  // A text where the release has a schema that can't be read.
  new_relevant_table: z.union([z.record(z.string(), tableSchema), z.string()]).optional(),
  new_gold_sql: z.string().optional(),
  removed_tables: z.unknown().optional(),
  old_new_table_mappings: z.unknown().optional(),
  old_new_table_mapping: z.unknown().optional(),
  column_changes: z.unknown().optional(),
  split_or_merge: z.unknown().optional(),
  deduplicate_new_column_to_old_table_old_table_mapping: z.unknown().optional(),
});

export type EvoSchemaRecord = z.infer<typeof evoSchemaRecord>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

/** Names of a list as Python prints it: `['a', 'b']`; a text that is none stands for itself. */
function listed(text: string): readonly string[] {
  if (!text.startsWith('[')) return [text];
  return [...text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );
}

function mergedColumns(value: unknown): PublishedMapping['merged'] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([now, origin]) => {
    if (!isRecord(origin)) return [];
    const [names, tables, columns] = [now, origin['old_table'], origin['old_column']].map((part) =>
      texts(part).flatMap(listed),
    );
    return (names ?? []).flatMap((name, i) => {
      const [table, column] = [tables?.[i], columns?.[i]];
      return table === undefined || column === undefined ? [] : [[name, table, column] as const];
    });
  });
}

/** Returns a record's mapping between its schemas. */
export function mappingOf(record: EvoSchemaRecord): PublishedMapping {
  const renamed = { ...tableNames(record.old_new_table_mappings), ...tableNames(record.old_new_table_mapping) };
  const changes = isRecord(record.column_changes) ? Object.entries(record.column_changes) : [];
  const isMerge = record.split_or_merge === 'merge';
  return {
    tables: new Map(Object.entries(renamed)),
    merged: mergedColumns(record.deduplicate_new_column_to_old_table_old_table_mapping),
    recoded: changes.map(([one, many]) => {
      // One list of the release holds its names in one text.
      const several = texts(many).flatMap((text) => text.split(', '));
      return isMerge ? { old: several, now: [one] } : { old: [one], now: several };
    }),
  };
}

function tableNames(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([old, now]) => (typeof now === 'string' ? [[old, now]] : [])),
  );
}

/** A table as EvoSchema writes it. */
interface EvoSchemaTable {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Declared types by column, in order; empty where there is none. */
  readonly types: readonly string[];
  readonly primaryKeys: readonly string[];
  readonly foreignKeys: readonly { readonly column: string; readonly table: string; readonly to: string }[];
}

const TYPE =
  /^(.*\S)\s+(text|integer|int|real|numeric|number|date|datetime|timestamp|time|boolean|blob|varchar|float)$/is;
/**
 * The last word is the type, whatever became of it: where a column "text" is renamed, the release renames the type,
 * too.
 */
const ANY_TYPE = /^(.*\S)\s+(\S+)$/s;
const KEY = /^foreign key\s*\((.+?)\) references (.+?)\((.+?)\)\s*(.*)$/is;
const CREATE = /^\s*create table (.+?)\s*\(\s(.*)\)\s*;?\s*$/is;

/** Texts between commas outside of parentheses: column names may hold both. */
function entriesOf(list: string): readonly string[] {
  const entries: string[] = [];
  let [depth, from] = [0, 0];
  for (let i = 0; i < list.length; i++) {
    if (list[i] === '(') depth++;
    if (list[i] === ')') depth--;
    if (list[i] !== ',' || depth > 0) continue;
    entries.push(list.slice(from, i).trim());
    from = i + 1;
  }
  return [...entries, list.slice(from).trim()].filter((entry) => entry !== '');
}

/** A column called as it is, of a declared type. */
function columnOf(originalName: string, type: string): Column {
  return { name: naturalName(originalName), originalName, type: knownColumnType(type) ?? 'others' };
}

/** The name in a list of columns, which may hold keys as the schema writes them. */
function listedName(entry: string): string {
  return KEY.exec(`${entry} `)?.[1] ?? entry;
}

/**
 * Reads EvoSchema's `create table t( a text primary key, foreign key(b) references u(c) integer, First Date date)`,
 * which is no SQL: names are not quoted, and keys come before the type of their column. Null where it is not that.
 * @param isTyped whether the last word of a column is its type even where it is none
 */
function readEvoSchemaTable(ddl: string, isTyped: boolean): EvoSchemaTable | null {
  const [, name, list] = CREATE.exec(ddl) ?? [];
  if (name === undefined || list === undefined) return null;
  const pattern = isTyped ? ANY_TYPE : TYPE;
  const types = new Map<string, string>();
  const primaryKeys: string[] = [];
  const foreignKeys: EvoSchemaTable['foreignKeys'][number][] = [];
  for (const entry of entriesOf(list)) {
    const isPrimary = / primary key$/i.test(entry);
    const text = isPrimary ? entry.slice(0, -' primary key'.length) : entry;
    const [, column = '', table = '', to = '', type = ''] = KEY.exec(text) ?? [];
    const [, plain = text, declared = ''] = column === '' ? (pattern.exec(text) ?? []) : [];
    const own = column === '' ? plain : column;
    if (!types.has(own)) types.set(own, column === '' ? declared : type);
    if (isPrimary) primaryKeys.push(own);
    if (column !== '') foreignKeys.push({ column, table, to });
  }
  const columns = [...types].map(([column, type]) => columnOf(column, type));
  return { name, columns, types: [...types.values()], primaryKeys, foreignKeys };
}

const keyOf = ({ originalName }: Column): string => foldName(originalName);

/**
 * A schema with the columns that its record lists besides: where the two disagree, all are there. Types of columns that
 * only the list has are those of the schema before. The schema itself where nothing is missing.
 */
function completeSchema(
  after: Database,
  before: Database | null,
  listed: ReadonlyMap<string, readonly string[]>,
): Database {
  const old = new Map((before?.tables ?? []).flatMap(({ columns }) => columns.map((one) => [keyOf(one), one])));
  const positions = new Map<string, number>();
  const tables = after.tables.map((table, t) => {
    const names = (listed.get(table.originalName) ?? []).map(listedName);
    const own = new Map(table.columns.map((column) => [keyOf(column), column]));
    const further = names.filter((name) => !own.has(foldName(name)));
    const columns = further.length === 0 ? table.columns : mergeLists(names, table.columns, old);
    columns.forEach((column, c) => positions.set(JSON.stringify([t, keyOf(column)]), c));
    return columns === table.columns ? table : { ...table, columns };
  });
  if (tables.every((table, t) => table === after.tables[t])) return after;
  const places = after.tables.flatMap(({ columns }, table) =>
    columns.map((column, c) => {
      const now = { table, column: positions.get(JSON.stringify([table, keyOf(column)])) ?? c };
      return [columnKey({ table, column: c }), now] as const;
    }),
  );
  const moved = new Map(places);
  return {
    ...after,
    tables,
    primaryKeys: after.primaryKeys.map((key) => moved.get(columnKey(key)) ?? key),
    foreignKeys: after.foreignKeys.map(({ from, to }) => ({
      from: moved.get(columnKey(from)) ?? from,
      to: moved.get(columnKey(to)) ?? to,
    })),
  };
}

/** The listed columns in their order, then those that only the schema has. */
function mergeLists(
  names: readonly string[],
  own: readonly Column[],
  old: ReadonlyMap<string, Column>,
): readonly Column[] {
  const known = new Map(own.map((column) => [keyOf(column), column]));
  const listed = [...new Map(names.map((name) => [foldName(name), name])).values()].map((name) => {
    const origin = old.get(foldName(name));
    return (
      known.get(foldName(name)) ?? { ...columnOf(name, ''), ...(origin === undefined ? {} : { type: origin.type }) }
    );
  });
  const keys = new Set(listed.map(keyOf));
  return [...listed, ...own.filter((column) => !keys.has(keyOf(column)))];
}

/** Hexadecimal digits of a schema's content in its id. */
const ID_DIGITS = 10;

function refsOf(tables: readonly EvoSchemaTable[]): (table: string, column: string) => ColumnRef | null {
  const places = new Map<string, ColumnRef>();
  const key = (table: string, column: string): string => JSON.stringify([foldName(table), foldName(column)]);
  tables.forEach(({ name, columns }, t) => {
    columns.forEach(({ originalName }, c) => places.set(key(name, originalName), { table: t, column: c }));
  });
  return (table, column) => places.get(key(table, column)) ?? null;
}

/**
 * A schema of EvoSchema's tables; null where one of them can't be read. Its id is that of its database and its content,
 * so that equal schemas are one.
 * @param isTyped whether every column has a type: renamed columns of the release may have renamed types
 */
function evoSchemaOf(dbId: string, ddls: readonly string[], isTyped = false): Database | null {
  const read = ddls.map((ddl) => readEvoSchemaTable(ddl, isTyped));
  const tables = read.filter((table) => table !== null);
  if (tables.length < read.length || tables.length === 0) return null;
  const at = refsOf(tables);
  const primaryKeys = tables.flatMap(({ name, primaryKeys: own }) => own.flatMap((column) => at(name, column) ?? []));
  const foreignKeys = tables.flatMap(({ name, foreignKeys: own }) =>
    own.flatMap(({ column, table, to }) => {
      const [from, target] = [at(name, column), at(table, to)];
      return from === null || target === null ? [] : [{ from, to: target }];
    }),
  );
  return {
    id: `${dbId}~${sha256Of(JSON.stringify(ddls)).slice(0, ID_DIGITS)}`,
    tables: tables.map(({ name, columns }) => ({ name: naturalName(name), originalName: name, columns })),
    primaryKeys,
    foreignKeys,
  };
}

const FIX = 'Each record needs db_id, question, query and relevant_table.';

/** Words of a file's name that do not say what is changed. */
const NO_KIND = new Set(['bird', 'spider', 'dev', 'train', 'revised', 'finally']);

/** Returns the change in a file of the release by its name: `rename_columns_bird_dev.json` → "rename columns". */
function kindOf(file: string): string {
  const [stem = ''] = basename(file).split('.');
  const words = stem.split('_').filter((word) => !NO_KIND.has(word.toLowerCase()));
  return words.length === 0 ? stem : words.join(' ');
}

/** The files of a release's folder, by name. */
function jsonFilesIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  if (names.length > 0) return names.sort().map((name) => join(folder, name));
  throw new InputFormatError('there is no JSON file in it', {
    where: { file: folder },
    fix: 'Name a folder of the release.',
  });
}

function ddlsOf(tables: EvoSchemaRecord['relevant_table']): readonly string[] {
  return Object.values(tables).map(({ ddl }) => ddl);
}

/** The columns that records list next to the schema of a table. */
function listedIn(tables: EvoSchemaRecord['relevant_table']): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(tables).flatMap(([name, { columns }]) => (columns === undefined ? [] : [[name, columns]])),
  );
}

function pairOf(record: EvoSchemaRecord, json: unknown, id: string, file: string, rows: string | null): PerturbedPair {
  const { db_id: origin, question, query, relevant_table: tables, new_relevant_table: changed = tables } = record;
  const isRead = typeof changed !== 'string';
  const before = evoSchemaOf(origin, ddlsOf(tables));
  const meant = isRead ? evoSchemaOf(origin, ddlsOf(changed), true) : null;
  const isRemoval = record.new_gold_sql === undefined && record.new_relevant_table !== undefined;
  const own = rows === null ? null : sqlitePath(rows, origin);
  return {
    id,
    kind: kindOf(file),
    before: { database: before, question, query },
    after: {
      database: isRead ? evoSchemaOf(origin, ddlsOf(changed)) : null,
      question,
      query: record.new_gold_sql ?? query,
    },
    mapping: mappingOf(record),
    origin,
    intended: meant === null || !isRead ? null : completeSchema(meant, before, listedIn(changed)),
    isRemoval,
    keepsRows: !isRemoval,
    rowsAfter: null,
    rowsBefore: own !== null && existsSync(own) ? own : null,
    goldField: record.new_gold_sql === undefined ? 'query' : 'new_gold_sql',
    record: json as Readonly<Record<string, unknown>>,
    file: basename(file),
  };
}

function readFile(
  file: string,
  rows: string | null,
): { readonly pairs: readonly PerturbedPair[]; readonly skipped: readonly SkippedExample[] } {
  const [stem = ''] = basename(file).split('.');
  const { kept, skipped } = readUsable(loadJsonArray(file, 'records'), file, (json, index) => {
    const id = `${stem}:${index}`;
    const record = checkRecord(evoSchemaRecord, json, { file, id }, FIX);
    const pair = pairOf(record, json, id, file, rows);
    if (pair.before.database !== null) return pair;
    throw new InputFormatError('a table of relevant_table is not as EvoSchema writes it', {
      where: { file, id },
      fix: FIX,
    });
  });
  return { pairs: kept, skipped };
}

/** An example of the set after its change; null where there is nothing to ask. */
function exampleOf({ id, after, record }: PerturbedPair): DatasetExample | null {
  const { database, question, query } = after;
  return database === null || query === null ? null : { id, group: id, dbId: database.id, question, query, record };
}

/**
 * EvoSchema: a file of its release, or a folder of such files, one kind of change each. Examples are those after the
 * change, each on the tables that its record lists; `pairs` has them with what they were. It ships no rows;
 * `--databases` are those of the set that it was made from.
 * @throws InputFormatError when a file is not what the format promises
 */
export function loadEvoSchemaDataset({ examples: given, databases: folder }: PathsWith<'examples'>): Dataset {
  const files = isFolder(given) ? jsonFilesIn(given) : [given];
  const read = files.map((file) => readFile(file, folder));
  const pairs = read.flatMap((one) => one.pairs);
  const examples = pairs.map(exampleOf).filter((example) => example !== null);
  const databases = new Map<string, Database>();
  for (const { after } of pairs) if (after.database !== null) databases.set(after.database.id, after.database);
  const unread = pairs
    .filter(({ after }) => after.database === null)
    .map(({ id }) => ({ id, reason: 'its new schema can’t be read' }));
  return {
    format: 'evoschema',
    dialect: SQLITE,
    databases,
    size: examples.length,
    skipped: [...read.flatMap(({ skipped }) => skipped), ...unread],
    fingerprints: { examples: sha256Of(JSON.stringify(files.map((file) => [basename(file), fileSha256(file)]))) },
    pairs,
    examples: () => examples,
    sampleValues: ({ tables }) => tables.map(({ columns }) => columns.map(() => [])),
    hasRows: () => false,
    sqliteFile: () => null,
  };
}
