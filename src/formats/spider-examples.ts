import { basename, extname } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import type { Database } from '../schema/schema.js';
import type { DatasetExample } from './dataset.js';
import { checkRecord, loadJsonArray } from './json-file.js';
import { type KnownSchemas, readUsable, requireSchema, type UsableRecords } from './usable-records.js';

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
