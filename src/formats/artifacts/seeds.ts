import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import type { Example } from '../../schema/schema.js';
import { readJsonLines } from '../json-lines.js';
import { renderJsonLines } from '../json-output.js';
import type { OutputFolder } from '../output-set.js';
import { MUTANTS_FIX } from './mutants.js';

/** Name in the folder of a `mutate` run. */
export const SEEDS_FILE = 'seeds.jsonl';

const seedLine = z.object({
  id: z.string().min(1),
  db_id: z.string().min(1),
  question: z.string(),
  /** Null where it has none. */
  query: z.string().nullable(),
});

/** One line of `seeds.jsonl`: an example of the data set that mutants were made of. */
export type SeedRecord = Readonly<z.infer<typeof seedLine>>;

/** Returns the record to write for an example; a query that it lacks is null. */
export function seedRecord({ id, dbId, question, query }: Example): SeedRecord {
  return { id, db_id: dbId, question, query: query === '' ? null : query };
}

/** Writes `seeds.jsonl`. */
export function writeSeeds(folder: OutputFolder, seeds: Iterable<SeedRecord>): void {
  folder.write(SEEDS_FILE, renderJsonLines(seeds));
}

/**
 * The examples that the mutants of a run were made of, by id.
 * @throws InputFormatError when the file is missing or a line of it is wrong
 */
export function loadSeeds(run: string): ReadonlyMap<string, SeedRecord> {
  const file = join(run, SEEDS_FILE);
  const seeds = new Map<string, SeedRecord>();
  for (const { record } of readJsonLines(file, seedLine, MUTANTS_FIX)) seeds.set(record.id, record);
  if (seeds.size === 0) throw new InputFormatError('there are no seeds', { where: { file }, fix: MUTANTS_FIX });
  return seeds;
}
