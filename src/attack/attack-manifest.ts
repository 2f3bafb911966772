import { basename } from 'node:path';
import { hashDatabases } from '../evaluate/execution/database-hashes.js';
import type { RunManifest } from '../run/run-folder.js';
import { sha256Of } from '../run/sha256.js';
import { VERSION } from '../version.js';
import { type AttackInputs, planFingerprints } from './attack-plan.js';
import type { AttackOptions } from './attack-options.js';
import type { AttackReport } from './attack-report.js';
import type { ChosenVictim } from '../victims/create-victim.js';
import type { PerturbedRows } from './perturbed-rows.js';

/** Databases that examples are asked of and that have rows. */
function databasesWithRows({ dataset }: AttackInputs, rows: PerturbedRows): readonly string[] {
  const used = new Set([...dataset.examples()].map(({ dbId }) => dbId));
  return [...used].filter((id) => rows.fileOf(id) !== null).sort();
}

/** sha256 over the original databases that queries are executed on; null where there are none. */
export async function hashOriginals(inputs: AttackInputs, rows: PerturbedRows): Promise<string | null> {
  const ids = databasesWithRows(inputs, rows);
  if (ids.length === 0) return null;
  const pairs = ids.map((id) => {
    const database = inputs.dataset.databases.get(id)!;
    return { id, group: id, database, gold: '', predicted: '' };
  });
  const hashes = await hashDatabases(pairs, ({ id }) => ({ file: rows.fileOf(id) }));
  return sha256Of(JSON.stringify(hashes));
}

/** Returns the defining options of an attack: a different one is refused in its folder. Bounds on cost are left out. */
export function attackManifest(
  options: AttackOptions,
  inputs: AttackInputs,
  chosen: Pick<ChosenVictim, 'id' | 'fingerprint'>,
  metrics: AttackReport['settings']['metrics'],
  databases: string | null,
): Omit<RunManifest, 'complete'> {
  const { strategy, budget, timeoutMs, seeds, examples } = options;
  return {
    command: 'attack',
    version: VERSION,
    seed: seeds[0] ?? 0,
    settings: {
      ...planFingerprints(options, inputs),
      victim: { id: chosen.id, fingerprint: chosen.fingerprint },
      strategy,
      budget: strategy === 'random' ? null : budget,
      metrics,
      timeoutMs,
    },
    inputs: {
      ...inputs.dataset.fingerprints,
      // Example ids, and with them the draws, begin with the file's name.
      ...(examples === null ? {} : { examplesName: basename(examples) }),
      ...(databases === null ? {} : { databases }),
    },
  };
}
