import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadJsonArray, loadText, parseJson } from '../../formats/json-file.js';

const exampleSchema = z.looseObject({ db_id: z.string(), query: z.string() });

/** A record of a run: what is asked of its line in `provenance.jsonl`, and its gold query. */
export interface RunRecord<T> {
  readonly line: T;
  readonly query: string;
}

/**
 * Reads the records of an `augment` run from `examples.json` and `provenance.jsonl`, which has a line for each.
 * @throws InputFormatError with the given fix, where a file is damaged or the two don't fit together
 */
export function readRunRecords<S extends z.ZodType>(
  folder: string,
  lineSchema: S,
  fix: string,
): readonly RunRecord<z.infer<S>>[] {
  const file = join(folder, 'examples.json');
  const examples = loadJsonArray(file, 'examples').map((json, i) =>
    checkRecord(exampleSchema, json, { file, id: `example ${i}` }, fix),
  );
  const provenance = join(folder, 'provenance.jsonl');
  const lines = loadText(provenance).trimEnd().split('\n');
  if (lines.length !== examples.length) {
    throw new InputFormatError(`${lines.length} lines, but examples.json has ${examples.length} records`, {
      where: { file: provenance },
      fix,
    });
  }
  return lines.map((text, i) => {
    const where = { file: provenance, line: i + 1, id: `record ${i}` };
    return { line: checkRecord(lineSchema, parseJson(text, provenance, i + 1), where, fix), query: examples[i]!.query };
  });
}
