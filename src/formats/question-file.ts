import { formatCount } from '../counts.js';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import type { Database } from '../schema/schema.js';
import { parseCsv, sniffCsvDialect, type CsvDialect } from './csv-text.js';
import type { DatasetExample, SkippedExample } from './dataset.js';
import { checkRecord, loadJsonArray, loadText, parseJson, type RecordPlace } from './json-file.js';
import { readFilledLines } from './streamed-file.js';
import { countExamples, placeOfRecord } from './usable-records.js';

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
  /** Records that are no question; with `size`, all that were read. */
  readonly skipped: readonly SkippedExample[];
  examples(): Iterable<DatasetExample>;
}

interface PlacedRecord {
  /** The content of the file there; an error if it can't be read at all. */
  readonly record: unknown;
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
  id: z.union([z.string(), z.number()]).optional(),
});

/** Null or blank, as data sets have it for questions that no query answers. */
const isNoQuery = (query: unknown): boolean => query === null || (typeof query === 'string' && query.trim() === '');

function noQuery(where: RecordPlace): InputFormatError {
  return new InputFormatError('it has no query', { where, fix: FIX });
}

/** Of questions that may lack gold SQL: the field is empty, null or not there. */
const goldlessSchema = questionSchema.extend({
  query: z
    .string()
    .nullish()
    .transform((query) => ((query ?? '').trim() === '' ? '' : (query ?? ''))),
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

function asRecord(json: unknown, where: RecordPlace): QuestionRecord {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as QuestionRecord;
  throw new InputFormatError('a JSON object is expected', {
    where,
    fix: 'Give each question as an object with its fields.',
  });
}

function jsonRecords(file: string): QuestionRecords {
  const records = loadJsonArray(file, 'questions', 'question').map((record) => ({ record }));
  return { layout: { kind: 'json' }, records: () => records };
}

/** The value of a line; an InputFormatError where it is not JSON, which is then its record's fault alone. */
function parseLine(text: string, file: string, line: number): unknown {
  try {
    return parseJson(text, file, line);
  } catch (error) {
    if (error instanceof InputFormatError) return error;
    throw error;
  }
}

function* readJsonLines(file: string): Generator<PlacedRecord> {
  for (const { line, text } of readFilledLines(file)) yield { record: parseLine(text, file, line), line };
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
  { file, id }: RecordPlace,
): string {
  const [only, ...others] = databases.keys();
  if (named === undefined && only !== undefined && others.length === 0) return only;
  if (named === undefined)
    fail(`db_id is missing, and there are ${formatCount(databases.size)} databases`, file, id, FIX);
  if (databases.has(named)) return named;
  return fail(
    `db_id "${named}" is none of the databases`,
    file,
    id,
    'Name the databases that belong to these examples.',
  );
}

/** An id that no other record has: of those that occur again, the second gets a number, "137_2". */
function distinctId(id: string, taken: Set<string>): string {
  let own = id;
  for (let n = 2; taken.has(own); n++) own = `${id}_${n}`;
  taken.add(own);
  return own;
}

/** The questions of a file, read again each time. */
class Questions {
  readonly #file: string;
  readonly #source: QuestionRecords;
  readonly #databases: ReadonlyMap<string, Database>;
  readonly #schema: typeof questionSchema | typeof goldlessSchema;
  #firstError: InputFormatError | null = null;

  constructor(file: string, source: QuestionRecords, databases: ReadonlyMap<string, Database>, withoutGold: boolean) {
    [this.#file, this.#source, this.#databases] = [file, source, databases];
    this.#schema = withoutGold ? goldlessSchema : questionSchema;
  }

  *read(): Generator<DatasetExample | SkippedExample> {
    const stem = basename(this.#file, extname(this.#file));
    const taken = new Set<string>();
    let position = 0;
    for (const { record, line } of this.#source.records()) {
      const place = { file: this.#file, id: `${stem}:${position}`, ...(line === undefined ? {} : { line }) };
      yield this.#parse(record, place, position, taken);
      position++;
    }
  }

  *examples(): Generator<DatasetExample> {
    for (const one of this.read()) if ('record' in one) yield one;
  }

  /** Counts what is read. @throws InputFormatError where there is nothing, or nothing that can be used */
  count(): Pick<QuestionFile, 'size' | 'skipped'> {
    const { size, skipped } = countExamples(this.read());
    if (size > 0) return { size, skipped };
    if (this.#firstError !== null) throw this.#firstError;
    const where = { file: this.#file };
    throw new InputFormatError('the file holds no questions', { where, fix: 'Name a file with questions.' });
  }

  #parse(json: unknown, place: RecordPlace, index: number, taken: Set<string>): DatasetExample | SkippedExample {
    try {
      if (json instanceof InputFormatError) throw json;
      const record = asRecord(json, place);
      const read = fieldsOf(record);
      if (this.#schema === questionSchema && isNoQuery(read['query'])) throw noQuery(place);
      const fields = checkRecord(this.#schema, read, place, FIX);
      const dbId = databaseOf(fields.db_id, this.#databases, place);
      const id = distinctId(String(fields.id ?? place.id), taken);
      return { id, group: id, dbId, question: fields.question, query: fields.query, record };
    } catch (error) {
      if (!(error instanceof InputFormatError)) throw error;
      this.#firstError ??= error;
      return { id: place.id, reason: error.message, place: placeOfRecord(this.#file, index, place.line) };
    }
  }
}

/**
 * Opens a file of questions: `.csv` or `.tsv` with a header, `.jsonl`, or a `.json` array. Fields: `question`, `query`
 * or `sql`, and, where there are several databases, `db_id`; `id` where it has one, else the file's stem and position.
 * A record that lacks one, or names an unknown database, is left out, but for a missing query `withoutGold`; an id that
 * occurs again gets a number. Lines of JSON are streamed, the rest is held.
 * @throws InputFormatError when the file can't be read as one of these kinds, or holds no record
 */
export function openQuestionFile(
  file: string,
  databases: ReadonlyMap<string, Database>,
  withoutGold = false,
): QuestionFile {
  const source = openRecords(file);
  const questions = new Questions(file, source, databases, withoutGold);
  return { layout: source.layout, ...questions.count(), examples: () => questions.examples() };
}
