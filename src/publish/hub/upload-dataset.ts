import { ConfigError } from '../../errors.js';
import { HttpClient } from '../../http/http-client.js';
import type { Refusal } from '../../http/http-error.js';
import { type HubEnvironment, readHubEnvironment } from '../../inference/hub/hub-environment.js';
import type { RunHost } from '../../run/run-host.js';
import { DatasetRepository, type HubCommit } from './dataset-repository.js';
import { LocalFile } from './local-file.js';

/** Where a folder is uploaded to, and how. */
export interface UploadOptions {
  /** "owner/name" */
  readonly id: string;
  readonly private: boolean;
  readonly endpoint?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** First pause before another try, in milliseconds. */
  readonly pauseMs?: number | undefined;
}

/** A data set that was uploaded. */
export interface Upload extends HubCommit {
  readonly url: string;
}

const TOKEN = 'Set HF_TOKEN to an access token that may write';

/** What a hub means by a status that refuses what is written; null where it means nothing of its own. */
function refusalOf(status: number, headers: Headers): Refusal | null {
  const told = headers.get('x-error-message');
  const because = told === null ? '' : `: ${told}`;
  if (status === 401)
    return { message: `the hub does not accept the token (401)${because}`, fix: `${TOKEN}: it may have expired.` };
  if (status === 403) {
    const fix = `${TOKEN} to this owner’s data sets, or name another owner.`;
    return { message: `the token may not write there (403)${because}`, fix };
  }
  if (status === 404) {
    return {
      message: `there is no such owner or data set (404)${because}`,
      fix: 'Check owner and name, and the hub’s address.',
    };
  }
  return told === null
    ? null
    : { message: `the hub answers ${status}${because}`, fix: 'Do as it says, then run the same command again.' };
}

/** A hub that may be written to. */
interface HubAccess {
  readonly endpoint: string;
  readonly credentials: NonNullable<HubEnvironment['credentials']>;
}

/** The hub that is named, and who asks. @throws ConfigError without a token or hub, or offline */
export function requireHub({ id, environment = process.env, endpoint: given }: UploadOptions): HubAccess {
  const { endpoint, credentials, offline } = readHubEnvironment(environment, given);
  if (endpoint === null) {
    throw new ConfigError(`no hub is named, to upload ${id} to`, {
      fix: 'Set HF_ENDPOINT to the hub’s address (https://…), or give --endpoint.',
    });
  }
  if (offline) throw new ConfigError('HF_HUB_OFFLINE is set', { fix: 'Leave it out, or name a folder with --to.' });
  if (credentials === null) throw new ConfigError('there is no access token', { fix: `${TOKEN}.` });
  return { endpoint, credentials };
}

/**
 * Uploads files of a folder to a data set of a hub with the user's token, in one commit; the data set is made where there
 * is none. Given again, it goes on where it was stopped.
 * @throws ConfigError as `requireHub`; DownloadError when the hub refuses or can't be reached
 */
export async function uploadDataset(
  folder: string,
  paths: readonly string[],
  options: UploadOptions,
  host: RunHost,
): Promise<Upload> {
  const { id, environment = process.env, pauseMs } = options;
  const { endpoint, credentials } = requireHub(options);
  const client = new HttpClient({
    credentials,
    environment,
    refusal: refusalOf,
    signal: host.signal,
    onPause: (line) => host.note(line),
    ...(pauseMs === undefined ? {} : { pauseMs }),
  });
  try {
    const files = paths.map((path) => new LocalFile(folder, path));
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const repository = new DatasetRepository(client, endpoint, id);
    await repository.create(options.private);
    const report = (bytes: number): void => host.progress('bytes uploaded', bytes, total);
    const commit = await repository.upload(files, 'Upload by perturbql', report);
    report(total);
    return { ...commit, url: repository.url };
  } finally {
    await client.close();
  }
}
