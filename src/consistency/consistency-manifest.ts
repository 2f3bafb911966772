import { basename } from 'node:path';
import type { ChosenVictim } from '../victims/create-victim.js';
import { hashDatabases } from '../evaluate/execution/database-hashes.js';
import { mustGet } from '../present.js';
import type { RunManifest } from '../run/run-folder.js';
import { sha256Of } from '../run/sha256.js';
import { VERSION } from '../version.js';
import type { ConsistencyInputs } from './consistency-inputs.js';
import type { ConsistencyOptions } from './consistency-options.js';
import type { ConsistencyReport } from './consistency-report.js';
import { recomposedSubject } from '../victims/mutants/subject.js';
import type { SubjectStore } from '../victims/mutants/subject-store.js';

/** sha256 over the databases of the data set that seeds are asked of; null where there are none. */
export async function hashOrigins(
  { groups, compositions }: ConsistencyInputs,
  world: SubjectStore,
): Promise<string | null> {
  const composed = (compositions?.cases ?? []).map(({ child }) => recomposedSubject(child));
  const seeds = new Map([...groups.map(({ seed }) => seed), ...composed].map((seed) => [seed.db_id, seed]));
  const executed = [...seeds.values()].filter((seed) => world.sourceOf(seed) !== null);
  if (executed.length === 0) return null;
  const pairs = executed.map((seed) => {
    return { id: seed.db_id, group: seed.db_id, database: world.schemaOf(seed), gold: '', predicted: '' };
  });
  return sha256Of(
    JSON.stringify(
      await hashDatabases(pairs, ({ id }) =>
        mustGet(world.sourceOf(mustGet(seeds.get(id), 'seeds.get(id)')), 'world.sourceOf(seeds.get(id))'),
      ),
    ),
  );
}

/** Returns the manifest that defines a consistency run: a different one is refused in its folder. */
export function consistencyManifest(
  options: ConsistencyOptions,
  { dataset, run, compositions }: ConsistencyInputs,
  chosen: Pick<ChosenVictim, 'id' | 'fingerprint'>,
  metrics: ConsistencyReport['settings']['metrics'],
  databases: string | null,
): Omit<RunManifest, 'complete'> {
  const { examples, fold, values, shrinkQuestions, timeoutMs, seed } = options;
  return {
    command: 'consistency',
    version: VERSION,
    seed,
    settings: {
      dataset: dataset.format,
      victim: { id: chosen.id, fingerprint: chosen.fingerprint },
      fold,
      values,
      metrics,
      shrinkQuestions,
      timeoutMs,
    },
    inputs: {
      ...dataset.fingerprints,
      ...run?.fingerprints,
      ...(compositions === null ? {} : { compositions: compositions.fingerprint }),
      // Seeds are named by the file of the examples.
      ...(examples === null ? {} : { examplesName: basename(examples) }),
      ...(databases === null ? {} : { databases }),
    },
  };
}
