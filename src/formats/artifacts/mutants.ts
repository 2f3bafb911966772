import { join } from 'node:path';
import { z } from 'zod';
import { readIdentifiedLines, readJsonLines } from '../json-lines.js';
import { renderJsonLines } from '../json-file.js';
import type { OutputFolder } from '../output-set.js';
import { InputFormatError } from '../../errors.js';
import type { Example } from '../../schema/schema.js';

/** Name in the folder of a `mutate` run. */
export const MUTANTS_FILE = 'mutants.jsonl';

/** The remedy if a folder holds no mutants, or wrong ones. */
export const MUTANTS_FIX = 'Name a folder that `perturbql mutate` wrote and finished.';

/**
 * Relations that must hold between the predictions on the seed and on the mutant, from the most to the least.
 * - `same-query`: the same query (MT-TEQL's consistency), as the gold query is unchanged.
 * - `same-result`: a query with the same result, as the gold query is rewritten to the new schema.
 * - `other-query`: the mutant's own, as its question asks something else, and the gold query is another.
 * - `unanswerable`: an answer that there is none, as the schema lacks what the question asks for; there is no gold
 *   query.
 */
export const EXPECTATIONS = ['same-query', 'same-result', 'other-query', 'unanswerable'] as const;

const cell = z.union([z.string(), z.number()]);

/** A column of the original whose values a changed database holds in another form. */
export const valueMapping = z.object({
  /** "singer.name". */
  column: z.string(),
  /** Where its values are now: ["singer.first_name", "singer.last_name"]. */
  now: z.array(z.string()).readonly(),
  /** SQL over those columns that gives the old value, exactly; gold queries have it in the place of the column. */
  restored: z.string().nullable(),
  /** Where the gold returns new values: each old value with its new one. */
  values: z
    .array(z.tuple([cell, cell]).readonly())
    .readonly()
    .exactOptional(),
  /** Positions of the result columns that hold new values. */
  results: z.array(z.number().int().nonnegative()).readonly().exactOptional(),
});

export type ValueMapping = Readonly<z.infer<typeof valueMapping>>;

const mutantRecord = z.object({
  /** "dev:17~CRm.3"; composed: "dev:17~CRm.3~PI.0". */
  id: z.string().min(1),
  /** Id of the data set's example. */
  seed: z.string().min(1),
  relations: z.array(z.string().min(1)).min(1).readonly(),
  db_id: z.string().min(1),
  /** Id of the data set's own database. */
  origin: z.string().min(1),
  question: z.string(),
  /** Null where the seed has no gold SQL, or the expectation is `unanswerable`. */
  query: z.string().min(1).nullable(),
  expectation: z.enum(EXPECTATIONS),
  details: z.array(z.string()).readonly(),
  /** Of a single kind that has several: which one, "abbreviated". */
  level: z.string().exactOptional(),
  /** Fluency 1/(1+H) of the question (MT-TEQL preprint §4.1); null where the question is the seed's. */
  fluency: z.number().nullable(),
  /** Of kinds that can change values: what they changed, or null where all rows stay as they are. */
  mapping: z.array(valueMapping).readonly().nullable().exactOptional(),
});

/** One line of `mutants.jsonl`. */
export type MutantRecord = Readonly<z.infer<typeof mutantRecord>>;

// Texts about the schema, and other fields of the data set's own, are among the rest.
const mutantLine = mutantRecord.loose();

/** A mutant with the fields of the data set's own that its line has. */
export type MutantLine = Readonly<z.infer<typeof mutantLine>>;

/** Writes `mutants.jsonl`. */
export function writeMutants(folder: OutputFolder, mutants: Iterable<MutantRecord>): void {
  folder.write(MUTANTS_FILE, renderJsonLines(mutants));
}

/**
 * The mutants of a run one by one; there may be none.
 * @throws InputFormatError when the file is missing, and naming the line and field that are wrong
 */
export function* readMutants(run: string): Generator<MutantLine> {
  for (const { record } of readJsonLines(join(run, MUTANTS_FILE), mutantLine, MUTANTS_FIX)) yield record;
}

/**
 * The mutants of a run, at least one, each with an id of its own.
 * @throws InputFormatError as `readMutants`, and where there is none or an id occurs twice
 */
export function loadMutants(run: string): readonly MutantLine[] {
  return readIdentifiedLines(join(run, MUTANTS_FILE), mutantLine, {
    nothing: 'there are no mutants',
    fix: MUTANTS_FIX,
  });
}

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
