import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadJsonArray, loadText, parseJson } from '../../formats/json-file.js';
import { itemAt } from '../../present.js';

const exampleSchema = z.looseObject({ db_id: z.string(), query: z.string() });

/** A record of a run: what is asked of its line in `provenance.jsonl`, and its gold query. */
export interface RunRecord<T> {
  readonly line: T;
  readonly query: string;
}

/**
 * Reads perturbed records from their file, such as the `examples.json` of an `augment` run, and from the
 * `provenance.jsonl` next to it, which has a line for each.
 * @throws InputFormatError with the given fix, where a file is damaged or the two don't fit together
 */
export function readRunRecords<S extends z.ZodType>(
  file: string,
  lineSchema: S,
  fix: string,
): readonly RunRecord<z.infer<S>>[] {
  const examples = loadJsonArray(file, 'examples').map((json, i) =>
    checkRecord(exampleSchema, json, { file, id: `example ${i}` }, fix),
  );
  const provenance = join(dirname(file), 'provenance.jsonl');
  const lines = loadText(provenance).trimEnd().split('\n');
  if (lines.length !== examples.length) {
    throw new InputFormatError(`${lines.length} lines, but ${basename(file)} has ${examples.length} records`, {
      where: { file: provenance },
      fix,
    });
  }
  return lines.map((text, i) => {
    const where = { file: provenance, line: i + 1, id: `record ${i}` };
    return {
      line: checkRecord(lineSchema, parseJson(text, provenance, i + 1), where, fix),
      query: itemAt(examples, i).query,
    };
  });
}
