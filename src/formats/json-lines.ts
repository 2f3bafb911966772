import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { checkRecord, parseJson } from './json-file.js';
import { readTextLines } from './streamed-file.js';
import { InputFormatError } from '../errors.js';

/** A record of a file of JSON lines, with its line from 1. */
export interface JsonLine<T> {
  readonly line: number;
  readonly record: T;
}

/**
 * The records of a file of JSON lines one by one, in memory for one at a time; `idOf` names a line in messages.
 * @throws InputFormatError when the file can't be read, and naming the line and field that are wrong
 */
export function* readJsonLines<S extends z.ZodType>(
  file: string,
  schema: S,
  fix: string,
  idOf: (line: number) => string = () => '',
): Generator<JsonLine<z.infer<S>>> {
  for (const { line, text } of readTextLines(file)) {
    const json = parseJson(text, file, line);
    yield { line, record: checkRecord(schema, json, { file, line, id: idOf(line) }, fix) };
  }
}

/** The advice about a file of records that is absent, empty or wrong. */
interface LineAdvice {
  /** "there are no mutants" */
  readonly nothing: string;
  readonly fix: string;
  /** Where the file is there and has no record; `fix` if left out. */
  readonly emptyFix?: string;
}

/**
 * The records of a file of JSON lines, each with an id of its own.
 * @throws InputFormatError when there is no file or record, and naming a line that is no record or has an id again
 */
export function readIdentifiedLines<S extends z.ZodType<{ readonly id: string }>>(
  file: string,
  schema: S,
  { nothing, fix, emptyFix = fix }: LineAdvice,
): readonly z.infer<S>[] {
  if (!existsSync(file)) throw new InputFormatError(nothing, { where: { file }, fix });
  const lineOf = new Map<string, number>();
  const records: z.infer<S>[] = [];
  for (const { line, record } of readJsonLines(file, schema, fix)) {
    const first = lineOf.get(record.id);
    if (first !== undefined) {
      const where = { file, line, id: record.id };
      throw new InputFormatError(`the id occurs twice, first in line ${first}`, { where, fix });
    }
    lineOf.set(record.id, line);
    records.push(record);
  }
  if (records.length === 0) throw new InputFormatError(nothing, { where: { file }, fix: emptyFix });
  return records;
}
