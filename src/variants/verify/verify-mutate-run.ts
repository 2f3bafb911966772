import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RunFolderError } from '../../errors.js';
import { databasePath } from '../databases/write-variants.js';
import { verificationManifest, type VerifyOptions } from './verify-run.js';
import { loadVerification } from './verification-schema.js';
import { mustGet } from '../../present.js';
import { runReported } from '../../run/reported-run.js';
import type { RunHost } from '../../run/run-host.js';
import { MutantSet } from '../mutate/mutant-set.js';
import { MUTANTS_FILE } from '../../formats/artifacts/mutants.js';
import { loadSeeds, SEEDS_FILE } from '../../formats/artifacts/seeds.js';
import {
  type ExecutableSchema,
  type MutantVerification,
  mutantVerification,
  type SeedVerdict,
  verifyMutants,
} from './verify-mutants.js';

/**
 * Executes the gold queries of a `mutate` run that wrote databases.
 * @throws RunFolderError or InputFormatError when the run can't be read, is not finished or has no databases
 */
export async function verifyMutateRun(
  options: Omit<VerifyOptions, 'databases'>,
  host: RunHost,
): Promise<MutantVerification> {
  const { run: folder, jobs, limits, out = null, shard = null } = options;
  const run = new MutantSet(folder);
  if (!existsSync(join(folder, 'database'))) {
    throw new RunFolderError('the run has no databases to execute on', {
      where: { file: folder },
      fix: 'Run `perturbql mutate` with --materialize, and --databases or --synthetic-databases.',
    });
  }
  const seeds = loadSeeds(folder);
  const schemaOf = (id: string): ExecutableSchema => {
    const file = databasePath(folder, id);
    return { database: run.schemaOf(id), file: existsSync(file) ? file : null };
  };
  const goldOf = (seed: string): string | null => mustGet(seeds.get(seed), 'seeds.get(seed)').query;
  const request = { records: run.records, goldOf, schemaOf, jobs, ...(limits && { limits }) };
  return runReported<SeedVerdict, MutantVerification>({
    out,
    shard,
    manifest: () => verificationManifest({ ...options, databases: null }, ['tables.json', MUTANTS_FILE, SEEDS_FILE]),
    load: (file) => loadVerification(mutantVerification, file),
    work: (items) => verifyMutants(request, host, items),
  });
}
