import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../errors.js';
import { parseHubName } from '../inference/hub/model-source.js';
import { type RunHost, SILENT_HOST } from '../run/run-host.js';
import type { DataFile } from './data-files.js';
import { type DatasetFolder, writeDatasetFolder } from './dataset-folder.js';
import { requireHub, type Upload, uploadDataset, type UploadOptions } from './hub/upload-dataset.js';
import { findInputLicenses } from './input-licenses.js';
import { openPublishableRun } from './run-rows.js';

export interface PublishOptions extends Omit<UploadOptions, 'id'> {
  /** Folder of a finished run of augment, mutate or compose. */
  readonly run: string;
  /** A folder, or `hub:owner/name`. */
  readonly to: string;
  /** A hub's identifier of the license of the run's inputs; null: as is said next to them. */
  readonly license: string | null;
  readonly licenseFiles: readonly string[];
}

/** What was published. */
export interface Published {
  /** Null where it went to a hub. */
  readonly folder: string | null;
  readonly files: readonly string[];
  readonly data: readonly DataFile[];
  readonly license: string;
  readonly upload: Upload | null;
}

const HUB = 'hub:';

/** The data set's name on a hub; null where a folder is meant. @throws ConfigError when it is no such name */
function hubIdOf(to: string): string | null {
  if (to !== 'hub' && !to.startsWith(HUB)) return null;
  const id = to.slice(HUB.length);
  if (id.includes('/') && parseHubName(id)?.id === id) return id;
  throw new ConfigError(`option --to: "${to}" does not name a data set`, { fix: 'Write --to hub:owner/name.' });
}

/**
 * Writes a run as a Hugging Face data set folder, or uploads that to a hub with the user's token.
 * @throws ConfigError, RunFolderError or InputFormatError for what is wrong with options and run; DownloadError when the
 * hub refuses or can't be reached
 */
export async function publishDataset(options: PublishOptions, host: RunHost = SILENT_HOST): Promise<Published> {
  const id = hubIdOf(options.to);
  if (id !== null) requireHub({ ...options, id });
  const run = openPublishableRun(options.run);
  const licenses = findInputLicenses(options.run, options.license, options.licenseFiles);
  const write = (folder: string): DatasetFolder =>
    writeDatasetFolder(run, folder, licenses, (done, total) => host.progress('splits written', done, total));
  if (id === null) {
    const { path, files, data } = write(options.to);
    return { folder: path, files, data, license: licenses.id, upload: null };
  }
  const scratch = mkdtempSync(join(tmpdir(), 'perturbql-publish-'));
  try {
    const { files, data } = write(scratch);
    const upload = await uploadDataset(scratch, files, { ...options, id }, host);
    return { folder: null, files, data, license: licenses.id, upload };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
