import { ConfigError } from '../errors.js';
import { type RunHost, NOOP_HOST } from '../run/run-host.js';
import type { DataFile } from './data-files.js';
import { writeDatasetFolder } from './dataset-folder.js';
import { findInputLicenses } from './input-licenses.js';
import { openPublishableRun } from './run-rows.js';

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
