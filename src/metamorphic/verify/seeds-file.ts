import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, parseJson } from '../../formats/json-file.js';
import { readTextLines } from '../../formats/text-lines.js';
import type { Example } from '../../schema/schema.js';

const seedSchema = z.object({
  id: z.string().min(1),
  db_id: z.string().min(1),
  question: z.string(),
  query: z.string().nullable(),
});

/** One line of `seeds.jsonl`: an example of the data set that mutants were made of. */
export type SeedRecord = z.infer<typeof seedSchema>;

/** What is written of an example; a query that it lacks is null. */
export function seedRecord({ id, dbId, question, query }: Example): SeedRecord {
  return { id, db_id: dbId, question, query: query === '' ? null : query };
}

/** Name in the folder of a `mutate` run. */
export const SEEDS_FILE = 'seeds.jsonl';

/**
 * The examples that the mutants of a run were made of, by id.
 * @throws InputFormatError when the file is missing or a line of it is wrong
 */
export function loadSeeds(run: string): ReadonlyMap<string, SeedRecord> {
  const file = join(run, SEEDS_FILE);
  const fix = 'Name a folder that `perturbql mutate` wrote and finished.';
  const seeds = new Map<string, SeedRecord>();
  for (const { line, text } of readTextLines(file)) {
    const seed = checkRecord(seedSchema, parseJson(text, file, line), { file, line, id: '' }, fix);
    seeds.set(seed.id, seed);
  }
  if (seeds.size === 0) throw new InputFormatError('there are no seeds', { where: { file }, fix });
  return seeds;
}
