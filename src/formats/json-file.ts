import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { InputFormatError } from '../errors.js';
import { requireReadableOnce, unreadableFile } from '../regular-file.js';
import { faultSentence, shapeFault } from '../shape-fault.js';

/** A JSON array, one record per line. */
export function* renderJsonArray(records: Iterable<unknown>): Generator<string> {
  let separator = '[\n';
  for (const record of records) {
    yield `${separator}${JSON.stringify(record)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** JSON Lines: one record per line. */
export function* renderJsonLines(records: Iterable<unknown>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

/**
 * Reads a whole text file as UTF-8, without its byte order mark.
 * @throws InputFormatError when it can't be read or is not UTF-8.
 */
export function loadText(file: string): string {
  let bytes: Buffer;
  try {
    requireReadableOnce(file);
    bytes = readFileSync(file);
  } catch (cause) {
    throw unreadableFile(file, cause);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InputFormatError('the file is not UTF-8 text', { where: { file }, cause, fix: 'Save it as UTF-8.' });
  }
}

/** Checks whether the beginning of a JSON text is already wrong, whatever may follow. */
function isFaulty(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return false;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const offset = /position (\d+)/.exec(message)?.[1];
    return offset === undefined ? !message.includes('end of JSON') : Number(offset) < beginning.length;
  }
}

/**
 * The line where a text stops being JSON; the last where it only ends too soon. Node names no place for an unexpected
 * token, so the shortest faulty beginning is searched by halves.
 */
function faultyLine(text: string): number {
  const ends = [...text.matchAll(/\n|$/g)].map(({ index }) => index + 1);
  let [low, high] = [1, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFaulty(text.slice(0, ends[middle - 1]))) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Parses JSON text; the error names the line.
 * @throws InputFormatError when the text is not JSON.
 */
export function parseJson(text: string, file: string, line?: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputFormatError('this is not JSON', {
      where: { file, line: line ?? faultyLine(text) },
      cause,
      fix: 'Fix the JSON at that place, or name the right file.',
    });
  }
}

/** Where in a JSON document a record is, for messages. */
export interface RecordPlace {
  readonly file: string;
  readonly id: string;
  readonly line?: number;
}

/** With the flag, a pair of surrogates is one character, so that only half of one is found. */
const HALF_PAIR = /\p{Surrogate}/u;

/** The field of a text in a record that is no valid Unicode, as `sql.where.0`; null where all are. */
function brokenText(value: unknown): string | null {
  if (typeof value === 'string') return HALF_PAIR.test(value) ? '' : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = brokenText(part);
    if (found !== null) return found === '' ? key : `${key}.${found}`;
  }
  return null;
}

/**
 * Checks one record against its schema, whatever its texts hold: what a model answered.
 * @throws InputFormatError naming the record and the field.
 */
export function checkShape<S extends z.ZodType>(
  schema: S,
  record: unknown,
  where: RecordPlace,
  fix: string,
): z.infer<S> {
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  throw new InputFormatError(faultSentence(shapeFault(parsed.error, record), 'the record'), { where, fix });
}

/** A record under its key in an object of records. */
type KeyedRecord = readonly [key: string, record: unknown];

/** Records of an object by key; the key becomes the field `keyField` of a record that lacks it. */
function recordsByKey(entries: readonly KeyedRecord[], keyField: string): readonly unknown[] {
  return entries.map(([key, record]) => {
    const isObject = typeof record === 'object' && record !== null && !Array.isArray(record);
    return isObject && !Object.hasOwn(record, keyField) ? { [keyField]: key, ...record } : record;
  });
}

/** The list of records that a JSON document is; null where it is none. */
function recordsIn(json: unknown, keyField: string | undefined): readonly unknown[] | null {
  if (Array.isArray(json)) return json as readonly unknown[];
  if (keyField === undefined || typeof json !== 'object' || json === null) return null;
  // One record by itself has the field; an object of records has one under each key.
  return Object.hasOwn(json, keyField) ? [json] : recordsByKey(Object.entries(json), keyField);
}

/**
 * Checks one record against its schema, and that its texts are Unicode: half of a surrogate pair (`"\ud83d"`) can't be
 * written, sent to a model or executed without becoming another text.
 * @throws InputFormatError naming the record and the field.
 */
export function checkRecord<S extends z.ZodType>(
  schema: S,
  record: unknown,
  where: RecordPlace,
  fix: string,
): z.infer<S> {
  const checked = checkShape(schema, record, where, fix);
  const broken = brokenText(checked);
  if (broken === null) return checked;
  throw new InputFormatError(`field "${broken}" holds half of a surrogate pair, which is no character`, {
    where,
    fix: 'Write the whole character there, or remove it.',
  });
}

/**
 * Loads a JSON file that is one record; `id` names it in messages.
 * @throws InputFormatError as `loadText`, `parseJson` and `checkRecord`
 */
export function loadRecord<S extends z.ZodType>(schema: S, file: string, id: string, fix: string): z.infer<S> {
  return checkRecord(schema, parseJson(loadText(file), file), { file, id }, fix);
}

/**
 * Loads a JSON file whose top is an array or, where `keyField` is given, an object of records by that field.
 * @throws InputFormatError when it is not JSON, neither of them, or empty.
 */
export function loadJsonArray(file: string, what: string, keyField?: string): readonly unknown[] {
  const records = recordsIn(parseJson(loadText(file), file), keyField);
  if (records === null) {
    throw new InputFormatError(`a JSON array of ${what} is expected`, {
      where: { file },
      fix: `Name a file with a list of ${what}.`,
    });
  }
  if (records.length === 0) {
    throw new InputFormatError(`the list of ${what} is empty`, {
      where: { file },
      fix: `Name a file that holds ${what}.`,
    });
  }
  return records;
}
