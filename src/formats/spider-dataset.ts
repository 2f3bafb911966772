import { existsSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { fileSha256 } from '../run/sha256.js';
import { SQLITE } from '../sql/dialect.js';
import { withViews } from './database-views.js';
import type { Dataset, DatasetExample, PathsWith } from './dataset.js';
import { loadSampleValues, sqlitePath } from './sample-values.js';
import { readSpiderSchemas } from './spider-tables.js';
import { type KnownSchemas, readUsable, requireSchema, type UsableRecords } from './usable-records.js';
import { InputFormatError } from '../errors.js';
import type { Database } from '../schema/schema.js';
import { checkRecord, loadJsonArray } from './json-file.js';

const recordSchema = z.looseObject({ db_id: z.string().min(1) });
type ShippedRecord = z.infer<typeof recordSchema>;

/**
 * One record of Spider's examples as its file writes it; `question` and `query` are added where they are under other
 * names, and fields that perturbql does not know are carried along.
 */
export type SpiderExampleRecord = ShippedRecord & { readonly question: string; readonly query: string };

export interface SpiderExample extends DatasetExample {
  readonly record: SpiderExampleRecord;
}

/** Where questions stand: Spider's field, and those of Spider-Syn, whose own question replaces Spider's. */
const QUESTION_FIELDS = ['question', 'SpiderSynQuestion', 'SpiderQuestion'];

/** Where gold SQL is: Spider's field, BIRD's, and `sql` where that is text or a list of texts. */
const QUERY_FIELDS = ['query', 'SQL', 'sql'];

const FIX = 'Each example needs db_id, question and query.';

function firstText(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one : undefined;
}

/** The fields of a record that hold its gold SQL as text, or as a list of texts. */
export function queryFieldsOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return QUERY_FIELDS.filter((field) => firstText(record[field]) !== undefined);
}

function questionOf(record: ShippedRecord, where: { file: string; id: string }): string {
  const question = QUESTION_FIELDS.map((field) => record[field]).find((one) => typeof one === 'string');
  if (question !== undefined) return question;
  const isThere = Object.hasOwn(record, 'question');
  throw new InputFormatError(`field "question" ${isThere ? 'is no text' : 'is missing'}`, { where, fix: FIX });
}

/** Checks whether a record says nothing of its gold SQL: Spider's structure by itself is no SQL either. */
function hasNoGold(record: ShippedRecord): boolean {
  return QUERY_FIELDS.every((field) => {
    const value = record[field] ?? '';
    return firstText(value)?.trim() === '' || (field === 'sql' && firstText(value) === undefined);
  });
}

function queryOf(record: ShippedRecord, where: { file: string; id: string }, withoutGold: boolean): string {
  const query = firstText(record[queryFieldsOf(record)[0] ?? '']) ?? '';
  if (query.trim() !== '') return query;
  if (withoutGold && hasNoGold(record)) return '';
  const isThere = QUERY_FIELDS.some((field) => Object.hasOwn(record, field));
  throw new InputFormatError(`field "query" ${isThere ? 'holds no SQL' : 'is missing'}`, { where, fix: FIX });
}

/** Reads the records of one file, checked one by one. */
function exampleReader(
  file: string,
  schemas: KnownSchemas,
  withoutGold = false,
): (json: unknown, index: number) => SpiderExample {
  const stem = basename(file, extname(file));
  return (json, index) => {
    const id = `${stem}:${index}`;
    const where = { file, id };
    checkRecord(recordSchema, json, where, FIX);
    // As it is in the file: zod's copy has its own order of fields.
    const shipped = json as ShippedRecord;
    requireSchema(shipped.db_id, 'db_id', schemas, where);
    const [question, query] = [questionOf(shipped, where), queryOf(shipped, where, withoutGold)];
    const isWhole = shipped['question'] === question && shipped['query'] === query;
    const record = isWhole ? (shipped as SpiderExampleRecord) : { ...shipped, question, query };
    return { id, group: id, dbId: shipped.db_id, question, query, record };
  };
}

/**
 * Loads Spider's examples (`dev.json`, `train.json`), of which each must be whole; ids are the file's stem and the
 * position, "dev:17".
 * @throws InputFormatError when the file is not JSON, is empty, a field is missing or a db_id is unknown.
 */
export function loadSpiderExamples(file: string, databases: ReadonlyMap<string, Database>): readonly SpiderExample[] {
  return loadJsonArray(file, 'questions').map(exampleReader(file, { databases, skipped: [] }));
}

/**
 * As `loadSpiderExamples`, for files as they are shipped: a record that lacks a question, gold SQL or a known database
 * is left out; one that only lacks gold SQL is kept `withoutGold`.
 * @throws InputFormatError when the file is not JSON or is empty
 */
export function readSpiderExamples(
  file: string,
  schemas: KnownSchemas,
  withoutGold = false,
): UsableRecords<SpiderExample> {
  return readUsable(loadJsonArray(file, 'questions', 'db_id'), file, exampleReader(file, schemas, withoutGold));
}

/** Words and signs, as Spider's `question_toks` have them. */
const WORDS = /[\p{L}\p{N}]+(?:[-_.'’][\p{L}\p{N}]+)*|\S/gu;

/** An example with another question; tokens made from the old one are made again. */
export function rewordedExample(example: DatasetExample, question: string): DatasetExample {
  const record = example.record as Readonly<Record<string, unknown>>;
  const tokens = 'question_toks' in record ? { question_toks: question.match(WORDS) ?? [] } : {};
  return { ...example, question, record: { ...record, question, ...tokens } };
}

/**
 * Loads a data set in Spider's layout: `tables.json`, a file of examples, and `<db_id>/<db_id>.sqlite` below the folder
 * of databases. @throws InputFormatError when a file is not what the layout promises
 */
export function loadSpiderLayout(
  format: Dataset['format'],
  paths: PathsWith<'tables' | 'examples'>,
  readExamples: (file: string, schemas: KnownSchemas) => UsableRecords<DatasetExample>,
): Dataset {
  const { tables, examples: questions } = paths;
  const listed = readSpiderSchemas(tables);
  const { kept: examples, skipped } = readExamples(questions, listed);
  const schemas = withViews(listed, examples, paths.databases);
  return {
    format,
    dialect: SQLITE,
    databases: schemas.databases,
    size: examples.length,
    skipped,
    skippedSchemas: schemas.skipped,
    notes: schemas.notes,
    spiderTables: schemas.records,
    fingerprints: { tables: fileSha256(tables), examples: fileSha256(questions) },
    examples: () => examples,
    ...sqliteFolder(paths.databases),
  };
}

/** The schemas of a `tables.json`, without questions. @throws InputFormatError when it is none */
export function loadSpiderSchemas(tables: string, databases: string | null): Dataset {
  const listed = readSpiderSchemas(tables);
  return {
    format: 'spider',
    dialect: SQLITE,
    databases: listed.databases,
    size: 0,
    skipped: [],
    skippedSchemas: listed.skipped,
    fingerprints: { tables: fileSha256(tables) },
    examples: () => [],
    ...sqliteFolder(databases),
  };
}

/** Spider, with `dev.json` and the like for examples. @throws as `loadSpiderLayout` */
export function loadSpiderDataset(paths: PathsWith<'tables' | 'examples'>): Dataset {
  return loadSpiderLayout('spider', paths, (file, schemas) => readSpiderExamples(file, schemas, paths.withoutGold));
}

/** Rows of databases in Spider's layout, `<folder>/<db_id>/<db_id>.sqlite`; null = no rows are known. */
export function sqliteFolder(
  folder: string | null,
): Pick<Dataset, 'sampleValues' | 'hasRows' | 'sqliteBytes' | 'sqliteFile'> {
  const fileOf = (dbId: string): string | null => {
    const file = folder === null ? null : sqlitePath(folder, dbId);
    return file !== null && existsSync(file) ? file : null;
  };
  return {
    hasRows: (dbId) => fileOf(dbId) !== null,
    sqliteBytes: (dbId) => sizeOfFile(fileOf(dbId)),
    sampleValues: (database) =>
      folder === null
        ? database.tables.map((table) => table.columns.map(() => []))
        : loadSampleValues(folder, database),
    sqliteFile: fileOf,
  };
}

/** Bytes of a file; null where there is none. */
export const sizeOfFile = (file: string | null): number | null => (file === null ? null : statSync(file).size);
