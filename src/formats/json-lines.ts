import type { z } from 'zod';
import { checkRecord, parseJson } from './json-file.js';
import { readTextLines } from './text-lines.js';

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
