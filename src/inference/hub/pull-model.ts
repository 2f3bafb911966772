import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { ConfigError, DownloadError, ModelFileError } from '../../errors.js';
import { HttpClient } from '../../http/http-client.js';
import { withoutKeys } from '../../http/secret-mask.js';
import { shellWord } from '../../options/option-field.js';
import type { RunHost } from '../../run/run-host.js';
import { type ModelManifest, modelManifestSchema, type NetworkTask, type NliLabel } from '../model-manifest.js';
import { MODEL_NAME, modelsFolder } from '../models-folder.js';
import { findModelFaults, readModelManifest } from '../model-store.js';
import { chooseFiles, networkChoices } from './choose-files.js';
import { deriveManifest, probeModel } from './derive-manifest.js';
import { fetchFiles, type FetchOptions, Staging } from './fetch-files.js';
import { openFolder, openHubCache } from './folder-source.js';
import { type HubEnvironment, openHub, readHubEnvironment } from './hub-source.js';
import { type HubModel, type ModelSource, parseHubName, parseSource, type SourceName } from './model-source.js';
import { type Dtype, pullTaskOf } from './pull-choices.js';
import { openUrl } from './url-source.js';
import type { Refusal } from '../../http/http-error.js';

export interface PullOptions {
  /** A hub's owner/name, with @revision where not the main branch is meant; a URL; a path. */
  readonly source: string;
  /** Under which name it is kept; the source's where not given. */
  readonly name?: string | undefined;
  readonly task?: NetworkTask | undefined;
  readonly dtype?: Dtype | undefined;
  /** Label of each output, for a judge whose config does not name them. */
  readonly labels?: readonly NliLabel[] | undefined;
  /** The required hash of the weights, or of the vector file. */
  readonly sha256?: string | undefined;
  /** Where the source states none. */
  readonly license?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly offline?: boolean | undefined;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** First pause before another try, in milliseconds. */
  readonly pauseMs?: number | undefined;
  /** In place of running the model once, for tests. */
  readonly prove?: typeof probeModel | undefined;
}

export interface PullOutcome {
  readonly name: string;
  readonly folder: string;
  readonly manifest: ModelManifest;
  /** Bytes that had to be fetched; 0 where all was there already. */
  readonly fetched: number;
}

/** Returns the given name, or else the hub's, or the last part of an address or path. */
export function nameOf(source: SourceName, given: string | undefined): string {
  const last = (path: string): string => basename(path.replace(/[/\\]+$/, '')).replace(/(?:\.txt|\.gz|\.pqv)+$/i, '');
  const name =
    given ??
    (source.kind === 'hub'
      ? source.id
      : source.kind === 'url'
        ? last(new URL(source.url).pathname)
        : last(source.path));
  if (MODEL_NAME.test(name)) return name;
  throw new ConfigError(`"${name}" can't be the name of a model`, {
    fix: 'Give --name: at most 100 letters, digits, dots and dashes, with one slash at most.',
  });
}

/** A client with the hub's token, for as long as some work lasts; `stop` ends its requests. */
export async function withClient<T>(
  options: Pick<PullOptions, 'environment' | 'pauseMs'>,
  hub: HubEnvironment,
  host: RunHost,
  work: (client: HttpClient, stop: FetchOptions['stop']) => Promise<T>,
): Promise<T> {
  const { environment = process.env, pauseMs } = options;
  const stop = new AbortController();
  const { credentials } = hub;
  const client = new HttpClient({
    credentials,
    refusal: (status, headers) => refusalOfHub(status, headers, credentials !== null),
    otherwise: '; a model can also be pulled from a folder',
    environment,
    signal: AbortSignal.any([host.signal, stop.signal]),
    onPause: (line) => host.note(line),
    ...(pauseMs === undefined ? {} : { pauseMs }),
  });
  try {
    return await work(client, (error) => stop.abort(error));
  } finally {
    await client.close();
  }
}

/** @throws DownloadError where the network would be needed and must not be used. */
export function refuseOffline(url: string): never {
  throw new DownloadError('this needs the network, and perturbql is told to stay offline', {
    where: { id: withoutKeys(url) },
    fix: 'Leave out --offline and HF_HUB_OFFLINE, or name a folder.',
  });
}

function endpointOf({ endpoint }: HubEnvironment, id: string): string {
  if (endpoint !== null) return endpoint;
  throw new ConfigError(`no model hub is named, to pull ${id} from`, {
    fix: 'Set HF_ENDPOINT to the hub’s address (https://…), or give --endpoint; a folder or URL needs none.',
  });
}

async function openSource(
  name: SourceName,
  hub: HubEnvironment,
  client: HttpClient,
  options: PullOptions,
): Promise<ModelSource> {
  const isOffline = hub.offline || options.offline === true;
  if (name.kind === 'path') return openFolder(name.path);
  if (name.kind === 'hub') {
    if (isOffline) return openHubCache(hub.hubCache, name.id, name.revision);
    return openHub(client, endpointOf(hub, name.id), name.id, name.revision);
  }
  return isOffline ? refuseOffline(name.url) : openUrl(client, name.url, options.dtype);
}

/** The command that pulls the same again. */
export function pullCommand(source: string, options: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  return ['perturbql', 'models', 'pull', source, ...given].map(shellWord).join(' ');
}

/** The manifest of the model that lies in a folder; null where there is none, or one of its files is damaged. */
export async function readWholeModel(folder: string): Promise<ModelManifest | null> {
  if (!existsSync(folder)) return null;
  try {
    const manifest = readModelManifest(folder);
    const first = await findModelFaults({ folder, manifest }).next();
    return first.done === true ? manifest : null;
  } catch (error) {
    if (error instanceof ModelFileError) return null;
    throw error;
  }
}

/** Checks whether a model that was pulled is of that revision of the hub's model, and all that the options ask for. */
function isAskedFor(manifest: ModelManifest, { id, revision }: HubModel, options: PullOptions): boolean {
  const { task, dtype, labels, sha256, license = manifest.license } = options;
  if (manifest.task === 'vectors' || manifest.pulled === undefined) return false;
  const { network } = manifest;
  const { source, command } = manifest.pulled;
  return (
    // The command names hub and commit, where the source may also have been a folder of that name.
    command.startsWith(`${pullCommand(`${id}@${manifest.revision}`, {})} `) &&
    [manifest.revision, parseHubName(source)?.revision].includes(revision) &&
    license === manifest.license &&
    (task === undefined || task === manifest.task) &&
    (dtype === undefined || networkChoices(dtype).some(({ networks }) => networks[0] === network)) &&
    (labels === undefined || (manifest.task === 'nli' && labels.join() === manifest.labels.join())) &&
    (sha256 === undefined || sha256.toLowerCase() === manifest.files[network]?.sha256)
  );
}

/** Puts what was pulled in its place, unless the very same is there. */
export async function install(staging: Staging, manifest: ModelManifest): Promise<void> {
  const former = await readWholeModel(staging.target);
  // Parsed, as the one that was read was: defaults filled in, keys in the schema's order.
  const isSame = JSON.stringify(former) === JSON.stringify(modelManifestSchema.parse(manifest));
  if (isSame) staging.drop();
  else staging.commit(manifest);
}

async function assembleModel(
  opened: ModelSource,
  staging: Staging,
  options: PullOptions,
  name: string,
  host: RunHost,
  stop: FetchOptions['stop'],
): Promise<PullOutcome> {
  const chosen = chooseFiles(opened, options.dtype);
  const sha256 = options.sha256?.toLowerCase();
  const files = chosen.files.map((file) =>
    file.path === chosen.network && sha256 !== undefined ? { ...file, sha256 } : file,
  );
  staging.keepOnly(files.map(({ path }) => path));
  const fetched = await fetchFiles({ source: opened, files, staging, name, host, stop });
  const facts = {
    name,
    revision: opened.revision,
    license: options.license ?? opened.license ?? 'not stated',
    made: `pulled from ${opened.described}, ${chosen.dtype}`,
    task: options.task,
    labels: options.labels,
  };
  const derived = await deriveManifest(staging.folder, chosen, facts);
  const proven = await (options.prove ?? probeModel)(staging.folder, derived, host.signal);
  const command = pullCommand(opened.argument, {
    task: pullTaskOf(proven.task),
    dtype: chosen.dtype,
    name: options.name,
    labels: options.labels?.join(','),
    license: options.license,
  });
  const manifest: ModelManifest = { ...proven, pulled: { source: withoutKeys(options.source), command } };
  await install(staging, manifest);
  return { name, folder: staging.target, manifest, fetched };
}

/**
 * Pulls a judge or an encoder into the cache folder: chooses its files, fetches what is not there, derives its
 * manifest, and runs it once. A pull that was killed goes on when it is called again; until it is done the model of
 * that name that is there stays.
 * @throws DownloadError, ConfigError or ModelFileError with the cause and what can be done.
 */
export async function pullModel(options: PullOptions, host: RunHost): Promise<PullOutcome> {
  const environment = options.environment ?? process.env;
  const hub = readHubEnvironment(environment, options.endpoint);
  const source = parseSource(options.source);
  const name = nameOf(source, options.name);
  const staging = Staging.open(modelsFolder(environment), name);
  try {
    const isOffline = hub.offline || options.offline === true;
    if (isOffline && source.kind === 'hub') {
      const there = await readWholeModel(staging.target);
      if (there !== null && isAskedFor(there, source, options))
        return { name, folder: staging.target, manifest: there, fetched: 0 };
    }
    return await withClient(options, hub, host, async (client, stop) => {
      const opened = await openSource(source, hub, client, options);
      return assembleModel(opened, staging, options, name, host, stop);
    });
  } finally {
    staging.release();
  }
}

function refusalOfAccess(status: number, isGated: boolean, hasToken: boolean): Refusal {
  if (status === 401 && !hasToken) {
    const message = isGated
      ? 'the model is gated: the service wants to know who asks'
      : 'the service wants to know who asks';
    const terms = isGated
      ? 'Accept the terms on the model’s page, then set'
      : 'Check the name; for a private or gated model set';
    return { message: `${message} (401)`, fix: `${terms} HF_TOKEN to an access token.` };
  }
  if (status === 401) {
    return {
      message: 'the token is not accepted, or there is no such model (401)',
      fix: 'Check the name, and HF_TOKEN: it may have expired.',
    };
  }
  const fix = hasToken
    ? 'Accept the terms on the model’s page with the account of HF_TOKEN, and let the token read gated models.'
    : 'Accept the terms on the model’s page, then set HF_TOKEN to an access token of that account.';
  return { message: `${isGated ? 'the model is gated' : 'access is refused'} (403)`, fix };
}

function refusalOf404(code: string): Refusal {
  if (code === 'RevisionNotFound') {
    return { message: 'the model has no such revision (404)', fix: 'Name a branch, tag or commit of it after the @.' };
  }
  if (code === 'EntryNotFound') {
    return { message: 'the model has no such file (404)', fix: 'Pull again: its files may have changed meanwhile.' };
  }
  return {
    message: 'there is nothing at this address (404)',
    fix: 'Check the name (owner/name), the revision and the hub’s address (HF_ENDPOINT).',
  };
}

/** Returns a hub's meaning of a status that refuses, or null if it has none of its own. */
function refusalOfHub(status: number, headers: Headers, hasToken: boolean): Refusal | null {
  const code = headers.get('x-error-code') ?? '';
  if (status === 401 || status === 403) return refusalOfAccess(status, code === 'GatedRepo', hasToken);
  return status === 404 || status === 410 ? refusalOf404(code) : null;
}
