import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, InputFormatError } from '../errors.js';
import { writeDurably } from '../run/durable-file.js';
import { fileSha256 } from '../run/sha256.js';
import { renderCard } from './data-card.js';
import { type DataFile, writeDataFiles } from './data-files.js';
import type { InputLicenses } from './input-licenses.js';
import type { PublishableRun } from './run-rows.js';

const MANIFEST = 'run.json';
const SUMS = 'SHA256SUMS';

/** A data set folder that was written. */
export interface DatasetFolder {
  readonly path: string;
  readonly data: readonly DataFile[];
  /** All files, relative to it, in code unit order. */
  readonly files: readonly string[];
}

/**
 * Refuses a folder that holds anything but what was published of the same run before.
 * @throws ConfigError naming the folder
 */
function requireOwnFolder(path: string, run: PublishableRun): void {
  if (!existsSync(path) || readdirSync(path).length === 0) return;
  const manifest = join(path, MANIFEST);
  const isOurs = resolve(path) !== resolve(run.folder) && existsSync(join(path, SUMS)) && existsSync(manifest);
  const isSame = isOurs && readFileSync(manifest, 'utf8') === readFileSync(join(run.folder, MANIFEST), 'utf8');
  if (isSame) return;
  throw new ConfigError('the folder is not empty, and holds something else than this run as it was published before', {
    where: { file: path },
    fix: 'Name an empty or new folder with --to.',
  });
}

/**
 * Writes a run as a folder that Hugging Face's `datasets` loads: Parquet files by configuration and split, a card, the
 * run's manifest, license texts and the hash of each file. The same run gives the same bytes.
 * @throws ConfigError when the folder holds something else; InputFormatError when the run has no rows
 */
export function writeDatasetFolder(
  run: PublishableRun,
  path: string,
  licenses: InputLicenses,
  progress: (done: number, total: number) => void,
): DatasetFolder {
  requireOwnFolder(path, run);
  // First, so that a folder that was left half-written is known as its own.
  writeDurably(join(path, MANIFEST), readFileSync(join(run.folder, MANIFEST), 'utf8'));
  writeDurably(join(path, SUMS), '');
  const data = writeDataFiles(run, path, progress);
  if (data.length === 0) {
    throw new InputFormatError('the run has no examples', { where: { file: run.folder }, fix: 'Name another run.' });
  }
  for (const { name, text } of licenses.files) writeDurably(join(path, 'licenses', name), text);
  writeDurably(join(path, 'README.md'), renderCard({ run, files: data, licenses }));
  const hashed = [
    'README.md',
    MANIFEST,
    ...data.map((file) => file.path),
    ...licenses.files.map(({ name }) => `licenses/${name}`),
  ].sort();
  writeDurably(
    join(path, SUMS),
    hashed.map((file) => `${fileSha256(join(path, file))}  ${file}\n`),
  );
  return { path, data, files: [...hashed, SUMS].sort() };
}
