import { hashDatabases } from '../evaluate/execution/database-hashes.js';
import { examplesNamed } from '../formats/data-name.js';
import { databaseOf, type DatasetPaths } from '../formats/dataset.js';
import type { RunManifest } from '../run/run-folder.js';
import { sha256Of } from '../run/sha256.js';
import { VERSION } from '../version.js';
import type { AskedInputs } from './asked-inputs.js';
import type { OriginalRows } from './original-rows.js';

/** sha256 over those of some databases of the data set that have rows; null where none has. */
export async function hashOriginals(
  dbIds: Iterable<string>,
  { dataset }: Pick<AskedInputs, 'dataset'>,
  rows: OriginalRows,
): Promise<string | null> {
  const executed = [...new Set(dbIds)].filter((id) => rows.fileOf(id) !== null);
  if (executed.length === 0) return null;
  const pairs = executed.map((id) => {
    const database = databaseOf(dataset, id);
    return { id, group: id, database, gold: '', predicted: '' };
  });
  return sha256Of(JSON.stringify(await hashDatabases(pairs, ({ id }) => ({ file: rows.fileOf(id) }))));
}

/** The parts of the manifest of a run that asks a victim. */
export interface AskedManifestParts extends Pick<RunManifest, 'command' | 'seed' | 'settings' | 'inputs'> {
  /** The file of the examples: their ids, and with them the draws, begin with its name. */
  readonly examples: DatasetPaths['examples'];
  /** Hash of the original databases; null where nothing is executed. */
  readonly databases: string | null;
}

/** Returns the manifest of a run that asks a victim: a different one is refused in its folder. */
export function askedManifest(parts: AskedManifestParts): Omit<RunManifest, 'complete'> {
  const { command, seed, settings, databases } = parts;
  const inputs = { ...parts.inputs, ...examplesNamed(parts), ...(databases !== null && { databases }) };
  return { command, version: VERSION, seed, settings, inputs };
}
