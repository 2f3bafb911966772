import { copyFileSync, constants, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, DownloadError } from '../../errors.js';
import type { HttpClient } from '../../http/http-client.js';
import { shownUrl } from '../../http/http-url.js';
import { withoutKeys } from '../../http/secret-mask.js';
import { requireRegularFile } from '../../regular-file.js';
import type { RunHost } from '../../run/run-host.js';
import { streamSha256 } from '../../run/sha256.js';
import { VECTORS_FILE, type VectorsManifest } from '../model-manifest.js';
import { modelsFolder } from '../models-folder.js';
import { fetchFiles, Staging } from './fetch-files.js';
import { readHubEnvironment } from './hub-source.js';
import { downloadFile } from './download-file.js';
import { type ModelSource, parseSource } from './model-source.js';
import {
  install,
  nameOf,
  pullCommand,
  type PullOptions,
  type PullOutcome,
  readWholeModel,
  refuseOffline,
  withClient,
} from './pull-model.js';

/** The vector room's part of a pull, which must not import it: floors are built upwards. */
export interface VectorFormats {
  /** Writes the compact form of a text file of vectors. */
  convert(
    source: string,
    target: string,
    options: {
      readonly name: string;
      readonly revision: string;
      readonly license: string;
      readonly signal: AbortSignal;
      readonly onProgress: (done: number, total: number) => void;
    },
  ): Promise<unknown>;
  /** Opens a compact file, which checks it. */
  open(file: string): Promise<{ readonly dimension: number; readonly count: number }>;
}

/** The text as it was downloaded; removed once it is converted. */
const TEXT = 'vectors.source';
const UNSTATED = 'not stated';

/** Where the vectors come from, as a source of one file. */
function openVectorUrl(url: string, client: HttpClient, sha256: string | null): ModelSource {
  const file = { path: TEXT, bytes: null, sha256, gitBlob: null };
  return {
    described: shownUrl(url),
    argument: withoutKeys(url),
    revision: null,
    license: null,
    files: [file],
    fetch: (wanted, target, onBytes) => downloadFile({ client, url, file: wanted, onBytes }, target),
  };
}

const revisionOf = (sha256: string): string => `sha256-${sha256.toLowerCase().slice(0, 12)}`;

/** Downloads the file where it is not on this disk; returns the path to read it from, and the bytes fetched. */
async function bring(
  options: PullOptions,
  staging: Staging,
  name: string,
  host: RunHost,
): Promise<{ readonly path: string; readonly described: string; readonly fetched: number }> {
  const environment = options.environment ?? process.env;
  const source = parseSource(options.source);
  if (source.kind === 'hub') {
    throw new ConfigError(`word vectors are pulled from a URL or a path, not from a hub’s ${source.id}`, {
      fix: 'Give the URL or path of a .txt, .txt.gz or .pqv file.',
    });
  }
  if (source.kind === 'path' && statSync(source.path).isDirectory()) {
    throw new ConfigError('word vectors are one file, not a folder', {
      where: { file: source.path },
      fix: 'Give the path of a .txt, .txt.gz or .pqv file, or leave out --task vectors.',
    });
  }
  if (source.kind === 'path') requireRegularFile(source.path);
  if (source.kind === 'path') return { path: source.path, described: resolve(source.path), fetched: 0 };
  const { url } = source;
  const hub = readHubEnvironment(environment, options.endpoint);
  if (hub.offline || options.offline === true) refuseOffline(url);
  const fetched = await withClient(options, hub, host, (client, stop) => {
    const opened = openVectorUrl(url, client, options.sha256?.toLowerCase() ?? null);
    return fetchFiles({ source: opened, files: opened.files, staging, name, host, stop });
  });
  return { path: staging.path(TEXT), described: shownUrl(url), fetched };
}

/**
 * Pulls word vectors (Numberbatch's text, plain or .gz, or a compact .pqv file) and writes them in the compact form.
 * @throws DownloadError or ConfigError as {@link pullModel}; InputFormatError where the file holds no vectors.
 */
export async function pullVectors(options: PullOptions, formats: VectorFormats, host: RunHost): Promise<PullOutcome> {
  const name = nameOf(parseSource(options.source), options.name);
  const staging = Staging.open(modelsFolder(options.environment ?? process.env), name);
  try {
    const there = options.sha256 === undefined ? null : await readWholeModel(staging.target);
    if (there?.revision === revisionOf(options.sha256 ?? '')) {
      return { name, folder: staging.target, manifest: there, fetched: 0 };
    }
    staging.keepOnly([TEXT]);
    const { path, described, fetched } = await bring(options, staging, name, host);
    const sha256 = await streamSha256(path);
    if (options.sha256 !== undefined && sha256 !== options.sha256.toLowerCase()) {
      throw new DownloadError(`the sha256 of the vector file is ${sha256}, not ${options.sha256}`, {
        where: { id: described },
        fix: 'Check --sha256 and the source: these are not the vectors that you want.',
      });
    }
    const target = staging.path(VECTORS_FILE);
    const license = options.license ?? UNSTATED;
    const revision = revisionOf(sha256);
    const onProgress = (done: number, total: number): void => host.progress('vectors converted', done, total);
    if (/\.pqv$/i.test(new URL(options.source, 'file:///').pathname))
      copyFileSync(path, target, constants.COPYFILE_FICLONE);
    else await formats.convert(path, target, { name, revision, license, signal: host.signal, onProgress });
    const { dimension, count } = await formats.open(target);
    rmSync(staging.path(TEXT), { force: true });
    const argument = /^https?:\/\//i.test(options.source) ? withoutKeys(options.source) : described;
    const command = pullCommand(argument, { task: 'vectors', name: options.name, license: options.license, sha256 });
    const manifest: VectorsManifest = {
      task: 'vectors',
      name,
      revision,
      license,
      nonCommercial: false,
      made: `pulled from ${described}, sha256 ${sha256}; int8 with one scale per term`,
      files: { [VECTORS_FILE]: { sha256: await streamSha256(target), bytes: statSync(target).size } },
      pulled: { source: withoutKeys(options.source), command },
      dimension,
      terms: count,
    };
    await install(staging, manifest);
    return { name, folder: staging.target, manifest, fetched };
  } finally {
    staging.release();
  }
}
