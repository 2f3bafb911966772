import { constants, copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import pLimit from 'p-limit';
import { makeFolder } from '../../run/output-place.js';
import type { RunHost } from '../../run/run-host.js';
import { isSameFile } from './download-file.js';
import type { ModelSource, SourceFile } from './model-source.js';
import { DownloadError } from '../../errors.js';
import { writeDurably } from '../../run/durable-file.js';
import { releaseLock, takeLock } from '../../run/process-lock.js';
import type { ModelManifest } from '../model-manifest.js';
import { folderNameOf } from '../models-folder.js';

/** Where a model is put together; what a killed pull leaves there the next one goes on with. One process at a time. */
export class Staging {
  readonly folder: string;
  /** Where the model goes when it is whole. */
  readonly target: string;
  readonly #lock: string;

  private constructor(models: string, name: string) {
    const own = folderNameOf(name);
    this.target = join(models, own);
    this.folder = join(models, `.${own}.partial`);
    this.#lock = join(models, `.${own}.lock`);
  }

  /** @throws DownloadError when another process pulls the model. */
  static open(models: string, name: string): Staging {
    makeFolder(models);
    const staging = new Staging(models, name);
    const holder = takeLock(staging.#lock);
    if (holder !== null) {
      throw new DownloadError(`process ${holder} is pulling ${name}`, {
        where: { file: staging.target },
        fix: `Wait for it, or remove ${staging.#lock} if that process is not perturbql.`,
      });
    }
    makeFolder(staging.folder);
    return staging;
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  /** Removes what an earlier pull of other files left. */
  keepOnly(files: readonly string[]): void {
    const kept = new Set(files.flatMap((file) => [file, `${file}.partial`, `${file}.partial.etag`]));
    for (const name of readdirSync(this.folder, { recursive: true, encoding: 'utf8' })) {
      const path = name.split(sep).join('/');
      const isParent = [...kept].some((file) => file.startsWith(`${path}/`));
      if (!isParent && !kept.has(path)) rmSync(join(this.folder, name), { recursive: true, force: true });
    }
  }

  /** Puts the whole model in place of the one that is there. */
  commit(manifest: ModelManifest): void {
    writeDurably(this.path('manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const former = `${this.folder}.former`;
    rmSync(former, { recursive: true, force: true });
    if (existsSync(this.target)) renameSync(this.target, former);
    renameSync(this.folder, this.target);
    rmSync(former, { recursive: true, force: true });
  }

  /** Removes what was put together. */
  drop(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Lets others pull the model. */
  release(): void {
    releaseLock(this.#lock);
  }
}

/** Files fetched side by side. */
const SIDE_BY_SIDE = 4;

/** Bytes of several files as one line of progress, in kB or MB. */
class ByteProgress {
  readonly #host: RunHost;
  readonly #step: string;
  readonly #unit: number;
  readonly #total: number | null;
  readonly #files = new Map<string, number>();

  constructor(host: RunHost, name: string, files: readonly SourceFile[]) {
    const isKnown = files.every(({ bytes }) => bytes !== null);
    const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
    this.#host = host;
    this.#unit = bytes >= 10_000_000 || !isKnown ? 1_000_000 : 1_000;
    this.#step = `${this.#unit === 1_000 ? 'kB' : 'MB'} of ${name}`;
    this.#total = isKnown ? Math.ceil(bytes / this.#unit) : null;
  }

  update(path: string, bytes: number): void {
    this.#files.set(path, bytes);
    const sum = [...this.#files.values()].reduce((total, value) => total + value, 0);
    const done = Math.ceil(sum / this.#unit);
    this.#host.progress(this.#step, this.#total === null ? done : Math.min(done, this.#total), this.#total);
  }
}

/** Takes over what lies on this disk already and is the same file; true where that served. */
async function reuse(file: SourceFile, staging: Staging): Promise<boolean> {
  const target = staging.path(file.path);
  if (await isSameFile(target, file)) return true;
  rmSync(target, { force: true });
  const former = join(staging.target, file.path);
  if (!existsSync(former) || !(await isSameFile(former, file))) return false;
  makeFolder(dirname(target));
  copyFileSync(former, target, constants.COPYFILE_FICLONE);
  return true;
}

export interface FetchOptions {
  readonly source: ModelSource;
  readonly files: readonly SourceFile[];
  readonly staging: Staging;
  readonly name: string;
  readonly host: RunHost;
  /** Called at a failure: the first ends the other downloads, whose parts are kept, and is what they fail by. */
  readonly stop: (error: unknown) => void;
}

/**
 * Brings the files of a model together, several at once, and fetches none that is there already. Returns the bytes
 * that were fetched.
 * @throws DownloadError as the source does.
 */
export async function fetchFiles({ source, files, staging, name, host, stop }: FetchOptions): Promise<number> {
  const progress = new ByteProgress(host, name, files);
  const limit = pLimit(SIDE_BY_SIDE);
  let fetched = 0;
  const bring = async (file: SourceFile): Promise<void> => {
    if (await reuse(file, staging)) return progress.update(file.path, file.bytes ?? 0);
    let last = 0;
    await source.fetch(file, staging.path(file.path), (bytes) => progress.update(file.path, (last = bytes)));
    fetched += last;
  };
  const guarded = (file: SourceFile): Promise<void> =>
    bring(file).catch((error: unknown) => {
      stop(error);
      throw error;
    });
  const settled = await Promise.allSettled(files.map((file) => limit(guarded, file)));
  host.signal.throwIfAborted();
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return fetched;
}
