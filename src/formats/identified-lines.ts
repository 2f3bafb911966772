import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { InputFormatError } from '../errors.js';
import { readJsonLines } from './json-lines.js';

/** The advice about a file of records that is absent, empty or wrong. */
export interface LineAdvice {
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
