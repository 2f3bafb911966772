import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, InputFormatError } from '../errors.js';
import { type RunHost, NOOP_HOST } from '../run/run-host.js';
import { type DataFile, writeDataFiles } from './data-files.js';
import { findInputLicenses, type InputLicenses } from './input-licenses.js';
import { openPublishableRun, type PublishableRun } from './run-rows.js';
import { writeDurably } from '../run/durable-file.js';
import { fileSha256 } from '../run/sha256.js';
import { renderCard } from './data-card.js';

const MANIFEST = 'run.json';
const SUMS = 'SHA256SUMS';

/** A data set folder that was written. */
interface DatasetFolder {
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
function writeDatasetFolder(
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

export interface PublishOptions {
  /** Folder of a finished run of augment, mutate or compose. */
  readonly run: string;
  /** The folder to write. */
  readonly to: string;
  /** A hub's identifier of the license of the run's inputs; null: as is said next to them. */
  readonly license: string | null;
  readonly licenseFiles: readonly string[];
}

/** The published files. */
export interface Published {
  readonly folder: string;
  readonly files: readonly string[];
  readonly data: readonly DataFile[];
  readonly license: string;
}

/** Refuses a hub as the place, which an earlier version took. @throws ConfigError that names the hub's own client */
function refuseHub(to: string): void {
  if (to !== 'hub' && !to.startsWith('hub:')) return;
  const id = to.slice('hub:'.length);
  throw new ConfigError(`option --to: "${to}" is no folder; data sets are uploaded by the hub's own client`, {
    fix: `Write a folder, --to DATASET, then run: hf upload ${id === '' ? 'owner/name' : id} DATASET --repo-type dataset`,
  });
}

/**
 * Writes a run as a Hugging Face data set folder.
 * @throws ConfigError, RunFolderError or InputFormatError for what is wrong with options and run
 */
export function publishDataset(options: PublishOptions, host: RunHost = NOOP_HOST): Published {
  refuseHub(options.to);
  const run = openPublishableRun(options.run);
  const licenses = findInputLicenses(options.run, options.license, options.licenseFiles);
  const report = (done: number, total: number): void => host.progress('splits written', done, total);
  const { path, files, data } = writeDatasetFolder(run, options.to, licenses, report);
  return { folder: path, files, data, license: licenses.id };
}
