import { join } from 'node:path';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import type { Dataset } from '../../formats/dataset.js';
import { loadJsonArray } from '../../formats/json-file.js';
import type { OutputSchema } from '../../formats/output-set.js';
import type { MutantSource, TrainingMutants } from '../augment/provenance.js';
import { mustGet } from '../../present.js';
import { sha256Of } from '../../run/sha256.js';
import { isOnOwnSchema, MutantSet } from './mutant-set.js';
import { type MutateInput, withMutateDefaults } from './mutate-options.js';
import { mutate } from './mutate.js';
import { mutantSchema, trainingMutants } from './training-set.js';

/** The mutants of a run for a training set. */
function mutantsIn(run: MutantSet, dataset: Dataset): TrainingMutants {
  run.checkSeeds(new Map([...dataset.examples()].map((example) => [example.id, example])));
  const tables = loadJsonArray(join(run.folder, 'tables.json'), 'databases') as readonly { readonly db_id: string }[];
  const records = new Map(tables.map((record) => [record.db_id, record]));
  const known = new Map<string, OutputSchema>();
  const schemaOf = (mutant: MutantRecord): OutputSchema => {
    const { db_id: id, origin } = mutant;
    const database = isOnOwnSchema(mutant) ? run.schemaOf(id) : dataset.databases.get(origin);
    const schema = known.get(id) ?? mutantSchema(mutant, mustGet(database, 'databases.get(origin)'), records.get(id));
    known.set(id, schema);
    return schema;
  };
  return { ...trainingMutants(run.records, dataset, schemaOf), fileOf: (id) => run.fileOf(id) };
}

/**
 * The mutants of a run of `mutate`, for `augment`.
 * @throws RunFolderError or InputFormatError when the folder holds no finished run, or a line of it is wrong
 */
export async function mutantsOfRun(folder: string): Promise<MutantSource> {
  const run = new MutantSet(folder);
  return {
    fingerprint: sha256Of(JSON.stringify(run.fingerprints)),
    mutantsFor: async ({ dataset }) => mutantsIn(run, dataset),
  };
}

/** Folder within a run of `augment` where the run of its mutants is. */
const MADE_IN = 'mutants';

/**
 * Mutants that `augment` makes on the way, in a run of `mutate` in its folder, as many as there are examples and about as
 * many of each relation (MT-TEQL §4). Relations that need names take them from the candidates.
 * @throws ConfigError where the options are wrong
 */
export async function mutantsMadeBy(input: Omit<MutateInput, 'out' | 'candidates'>): Promise<MutantSource> {
  const options: Omit<MutateInput, 'out'> = { sample: 'stratified', ...input };
  const { relations, limit, compose, guard, question, sample, seed } = withMutateDefaults({ ...options, out: MADE_IN });
  return {
    fingerprint: sha256Of(JSON.stringify({ relations, limit, compose, guard, question, sample, seed })),
    mutantsFor: async ({ dataset, out, candidates }, host) => {
      const folder = join(out, MADE_IN);
      await mutate({ ...options, candidates, out: folder }, host);
      return mutantsIn(new MutantSet(folder), dataset);
    },
  };
}
