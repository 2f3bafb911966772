import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { ConfigError, InputFormatError } from '../../errors.js';
import type { DatasetPaths } from '../../formats/dataset.js';
import { DATASET_FORMATS } from '../../formats/dataset-formats.js';
import { tableLinesOf } from '../../formats/given-readings.js';
import { loadRecord, renderJsonLines } from '../../formats/json-file.js';
import { type RunFolder, readRunManifest } from '../../run/run-folder.js';
import { fileSha256 } from '../../run/sha256.js';
import type { TablePlan } from './plan-tables.js';

/** File of a run that says where its data set lies. */
const INPUTS = 'inputs.json';
/** File of a run with the tables and columns of its data set as they were read, for `--readings`. */
const READINGS = 'readings.jsonl';

const path = z.string().nullable();

/** Paths are relative to the run's folder, so that the two can be moved together. A connection may hold a password. */
const inputsSchema = z.strictObject({
  dataset: z.enum(DATASET_FORMATS),
  tables: path,
  examples: path,
  databases: path,
});

/** Writes where a run's data set lies, and how the identifiers of its tables were read, for commands that continue from it. */
export function writeRunInputs(folder: RunFolder<unknown>, paths: DatasetPaths, { tasks }: TablePlan): void {
  const from = (file: string | null): string | null =>
    file === null ? null : relative(resolve(folder.path), resolve(file)).split(sep).join('/');
  const { dataset, tables, examples, databases } = paths;
  const inputs = { dataset, tables: from(tables), examples: from(examples), databases: from(databases) };
  folder.write(INPUTS, `${JSON.stringify(inputs, null, 2)}\n`);
  folder.write(READINGS, renderJsonLines(tasks.flatMap(({ target }) => tableLinesOf(target.dbId, target.table))));
}

/**
 * Where the data set of a run lies, and its readings; null where `run` is no folder, or an older run that does not say.
 * @throws InputFormatError when what the folder says can't be read
 */
export function readRunInputs(run: string): DatasetPaths | null {
  const file = join(run, INPUTS);
  if (!existsSync(file)) return null;
  const fix = 'Name a folder that `perturbql candidates` or `perturbql augment` wrote.';
  const inputs = loadRecord(inputsSchema, file, 'inputs', fix);
  const at = (given: string | null): string | null => (given === null ? null : join(run, given));
  const { dataset, tables, examples, databases } = inputs;
  const readings = existsSync(join(run, READINGS)) ? join(run, READINGS) : null;
  return { dataset, tables: at(tables), examples: at(examples), databases: at(databases), connection: null, readings };
}

/** @throws ConfigError where a path that a run names is gone */
export function requireRunInputs(run: string, paths: DatasetPaths): void {
  for (const input of ['tables', 'examples', 'databases'] as const) {
    const file = paths[input];
    if (file !== null && !existsSync(file))
      throw new ConfigError(`the run’s ${input} are not at ${file}`, { where: { file: run }, fix: `Give --${input}.` });
  }
}

/**
 * A data set other than the one that a run was made of would give its candidates to other columns.
 * @throws InputFormatError naming the input that differs
 */
export function requireSameInputs(run: string, fingerprints: Readonly<Record<string, string>>): void {
  const { inputs } = readRunManifest(run);
  const stored = join(run, READINGS);
  const hasOwnReadings = existsSync(stored) && fileSha256(stored) === fingerprints['readings'];
  const changed = Object.keys(fingerprints).find(
    (role) =>
      inputs[role] !== undefined && inputs[role] !== fingerprints[role] && !(role === 'readings' && hasOwnReadings),
  );
  if (changed === undefined) return;
  throw new InputFormatError(`the run was made of other ${changed}`, {
    where: { file: run },
    fix: `Give the ${changed} that the run was made of, or make it again.`,
  });
}
