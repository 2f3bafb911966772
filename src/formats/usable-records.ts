import { basename } from 'node:path';
import { InputFormatError } from '../errors.js';
import type { Database } from '../schema/schema.js';
import type { SkippedExample } from './dataset.js';
import type { RecordPlace } from './json-file.js';

/** The records of a file that can be used, and those that can't: together all that were read. */
export interface UsableRecords<T> {
  readonly kept: readonly T[];
  readonly skipped: readonly SkippedExample[];
}

/** Counts examples, and lists those that can't be used. */
export function countExamples(read: Iterable<object>): {
  readonly size: number;
  readonly skipped: readonly SkippedExample[];
} {
  const skipped: SkippedExample[] = [];
  let size = 0;
  for (const one of read) {
    if ('reason' in one) skipped.push(one as SkippedExample);
    else size++;
  }
  return { size, skipped };
}

/** Where a record is, for people: "dev.json, record 17", "dev.jsonl:18". */
export function placeOfRecord(file: string, index: number, line?: number): string {
  return line === undefined ? `${basename(file)}, record ${index}` : `${basename(file)}:${line}`;
}

/** Returns the record that an error refuses, with the reason; `index` counts the records of the file from 0. */
export function skippedBy(error: InputFormatError, file: string, index: number): SkippedExample {
  const { id = `record ${index}`, line } = error.where;
  return { id, reason: error.message, place: placeOfRecord(file, index, line) };
}

/**
 * Reads items one by one. One that `read` refuses is left out with its reason, and takes no other with it.
 * @throws InputFormatError as `read` for the first item, where it refuses all of them
 */
export function readEach<I, T>(
  items: Iterable<I>,
  read: (item: I, index: number) => T,
  skippedAs: (error: InputFormatError, item: I, index: number) => SkippedExample,
): UsableRecords<T> {
  const kept: T[] = [];
  const skipped: SkippedExample[] = [];
  let first: InputFormatError | null = null;
  let index = 0;
  for (const item of items) {
    try {
      kept.push(read(item, index));
    } catch (error) {
      if (!(error instanceof InputFormatError)) throw error;
      skipped.push(skippedAs(error, item, index));
      first ??= error;
    }
    index++;
  }
  if (first !== null && kept.length === 0) throw first;
  return { kept, skipped };
}

/** As `readEach`, for the records of a file. */
export function readUsable<I, T>(
  records: Iterable<I>,
  file: string,
  read: (record: I, index: number) => T,
): UsableRecords<T> {
  return readEach(records, read, (error, _, index) => skippedBy(error, file, index));
}

/** The schemas that examples can ask for, and those that were left out. */
export interface KnownSchemas {
  readonly databases: ReadonlyMap<string, Database>;
  readonly skipped: readonly SkippedExample[];
}

/**
 * Checks that a database can be asked.
 * @throws InputFormatError where the file of schemas lacks it, or its schema was left out
 */
export function requireSchema(
  id: string,
  field: string,
  { databases, skipped }: KnownSchemas,
  where: RecordPlace,
): void {
  if (databases.has(id)) return;
  const leftOut = skipped.find((one) => one.id === id);
  if (leftOut !== undefined) {
    throw new InputFormatError(`the schema of its database "${id}" is left out: ${leftOut.reason}`, {
      where,
      fix: 'Fix that schema in the tables file.',
    });
  }
  throw new InputFormatError(`${field} "${id}" is not in the tables file`, {
    where,
    fix: 'Name the tables file that belongs to these examples.',
  });
}
