import { basename, extname } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import { elementAt } from '../present.js';
import type { Database } from '../schema/schema.js';
import { parseCsv, sniffCsvDialect, type CsvDialect } from './csv-text.js';
import type { DatasetExample } from './dataset.js';
import { checkRecord, loadJsonArray, loadText, parseJson } from './json-file.js';
import { readTextLines } from './text-lines.js';

/** A question's fields under the names of the file. */
export type QuestionRecord = Readonly<Record<string, unknown>>;

/** How a file of questions is written. */
type QuestionLayout =
  | { readonly kind: 'csv'; readonly header: readonly string[]; readonly dialect: CsvDialect }
  | { readonly kind: 'jsonl' }
  | { readonly kind: 'json' };

/** A file of questions with SQL, for databases that are read from somewhere else. */
export interface QuestionFile {
  readonly layout: QuestionLayout;
  /** Number of examples. */
  readonly size: number;
  examples(): Iterable<DatasetExample>;
}

interface PlacedRecord {
  readonly record: QuestionRecord;
  readonly line?: number;
}

interface QuestionRecords {
  readonly layout: QuestionLayout;
  records(): Iterable<PlacedRecord>;
}

const questionSchema = z.object({
  db_id: z.string().min(1).optional(),
  question: z.string(),
  query: z.string().min(1),
  id: z.union([z.string(), z.int()]).optional(),
});

const FIX = 'Each question needs the fields question and query (or sql), and db_id where there are several databases.';

/** The name under which a record has a field; names are compared without case: `SQL`, `Question`. */
export function fieldName(record: QuestionRecord, field: string): string | undefined {
  return Object.keys(record).find((name) => name.trim().toLowerCase() === field);
}

/** The field with a record's SQL: `query`, else `sql`. */
export function queryField(record: QuestionRecord): string {
  return fieldName(record, 'query') ?? fieldName(record, 'sql') ?? 'query';
}

function fieldsOf(record: QuestionRecord): Record<string, unknown> {
  const at = (field: string): unknown => {
    const name = fieldName(record, field);
    // An empty cell of a CSV file is no value.
    return name === undefined || record[name] === '' || record[name] === null ? undefined : record[name];
  };
  return { db_id: at('db_id'), question: at('question'), query: record[queryField(record)], id: at('id') };
}

function fail(message: string, file: string, id: string, fix: string): never {
  throw new InputFormatError(message, { where: { file, id }, fix });
}

function csvRecords(file: string): QuestionRecords {
  const text = loadText(file);
  const dialect = sniffCsvDialect(text, file);
  const [header = [], ...rows] = parseCsv(text, file, dialect);
  const names = header.map((name) => name.trim());
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) fail(`two columns are called "${twice}"`, file, 'header', 'Give each column its own name.');
  const records = rows.map((row) => ({ record: Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])) }));
  return { layout: { kind: 'csv', header: names, dialect }, records: () => records };
}

function asRecord(json: unknown, file: string, id: string): QuestionRecord {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as QuestionRecord;
  return fail('a JSON object is expected', file, id, 'Give each question as an object with its fields.');
}

function jsonRecords(file: string): QuestionRecords {
  const records = loadJsonArray(file, 'questions').map((json, i) => ({ record: asRecord(json, file, `record ${i}`) }));
  return { layout: { kind: 'json' }, records: () => records };
}

function* readJsonLines(file: string): Generator<PlacedRecord> {
  for (const { line, text } of readTextLines(file)) {
    if (text.trim() === '') continue;
    yield { record: asRecord(parseJson(text, file, line), file, `line ${line}`), line };
  }
}

function openRecords(file: string): QuestionRecords {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv' || extension === '.tsv') return csvRecords(file);
  if (extension === '.json') return jsonRecords(file);
  if (extension === '.jsonl' || extension === '.ndjson') {
    return { layout: { kind: 'jsonl' }, records: () => readJsonLines(file) };
  }
  throw new InputFormatError('questions are read from .csv, .tsv, .jsonl, .ndjson and .json', {
    where: { file },
    fix: 'Give a file of one of these kinds.',
  });
}

/** The database of a question; the only one where it names none. */
function databaseOf(
  named: string | undefined,
  databases: ReadonlyMap<string, Database>,
  place: [string, string],
): string {
  if (named === undefined && databases.size === 1) return elementAt([...databases.keys()], 0);
  if (named === undefined) fail(`db_id is missing, and there are ${databases.size} databases`, ...place, FIX);
  if (databases.has(named)) return named;
  return fail(
    `db_id "${named}" is none of the databases`,
    ...place,
    'Name the databases that belong to these examples.',
  );
}

function* toExamples(
  file: string,
  source: QuestionRecords,
  databases: ReadonlyMap<string, Database>,
): Generator<DatasetExample> {
  const stem = basename(file, extname(file));
  let position = 0;
  for (const { record, line } of source.records()) {
    const id = `${stem}:${position++}`;
    const place = { file, id, ...(line === undefined ? {} : { line }) };
    const fields = checkRecord(questionSchema, fieldsOf(record), place, FIX);
    const ownId = String(fields.id ?? id);
    yield {
      id: ownId,
      group: ownId,
      dbId: databaseOf(fields.db_id, databases, [file, id]),
      question: fields.question,
      query: fields.query,
      record,
    };
  }
}

function checkIds(file: string, examples: Iterable<DatasetExample>): number {
  const ids = new Set<string>();
  for (const { id } of examples) {
    if (ids.has(id)) fail('this id occurs twice', file, id, 'Give each question its own id, or none.');
    ids.add(id);
  }
  return ids.size;
}

/**
 * Opens a file of questions: `.csv` or `.tsv` with a header, `.jsonl`, or a `.json` array. Fields: `question`, `query`
 * or `sql`, and, where there are several databases, `db_id`; `id` where it has one, else the file's stem and position.
 * Lines of JSON are streamed, the rest is held.
 * @throws InputFormatError naming the record when a field is missing, a db_id is unknown or an id occurs twice
 */
export function openQuestionFile(file: string, databases: ReadonlyMap<string, Database>): QuestionFile {
  const source = openRecords(file);
  const examples = (): Iterable<DatasetExample> => toExamples(file, source, databases);
  const size = checkIds(file, examples());
  if (size === 0) {
    throw new InputFormatError('the file holds no questions', { where: { file }, fix: 'Name a file with questions.' });
  }
  return { layout: source.layout, size, examples };
}
