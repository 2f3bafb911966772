import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { RunFolderError } from '../errors.js';
import { writeDurably } from './durable-file.js';
import { countSoundItems, hasSoundItem, ItemJournal } from './item-journal.js';
import { makeFolder } from './output-place.js';
import { manifestDifferences } from './manifest-differences.js';
import { lockHolder, releaseLock, takeLock } from './process-lock.js';
import { clearScratch, SCRATCH } from './working-folders.js';
import { type Shard, ShardFinished, shardName, shardOfName, shardSchema } from './shard.js';

export const MANIFEST = 'run.json';
const LOCK = '.lock';
export const JOURNAL = '.items.jsonl';
/** Says which shard a folder holds, and when it is complete how many items. */
export const SHARD = 'shard.json';
/** Folder for the scores that a shard made; in a merged run, for those of all shards until it is finished. */
export const SHARD_SCORES = '.scores';

/** Checks for an entry left by a run that was killed before it had a manifest. */
function isOwnRemains(name: string): boolean {
  const isLock = name === LOCK || name.startsWith(`${LOCK}.`);
  return isLock || [SCRATCH, SHARD_SCORES, `${MANIFEST}.tmp`, SHARD, `${SHARD}.tmp`].includes(name);
}

/** Checks whether a run has finished anything, an item or a file; `path` has a manifest. */
function hasResults(path: string): boolean {
  const isBare = readdirSync(path).every((name) => isOwnRemains(name) || name === MANIFEST || name === JOURNAL);
  return !isBare || hasSoundItem(join(path, JOURNAL)) || readRunManifest(path).complete;
}

/**
 * Checks whether a folder holds a run; false where a run could begin: also where one was made with settings that let it
 * finish nothing, such as a victim whose program is not there.
 * @throws RunFolderError where it holds something else
 */
function holdsRun(path: string): boolean {
  if (existsSync(join(path, MANIFEST))) return hasResults(path) || lockHolder(join(path, LOCK)) !== null;
  if (!existsSync(path) || readdirSync(path).every(isOwnRemains)) return false;
  throw new RunFolderError('the folder is not empty and holds no run', {
    where: { file: path },
    fix: 'Name an empty or new --out folder.',
  });
}

/** The definition of a run: two runs with equal manifests give equal bytes. */
const runManifestSchema = z.strictObject({
  command: z.string(),
  version: z.string(),
  seed: z.int(),
  /** Every setting, and the fingerprints of models, index and vectors. */
  settings: z.record(z.string(), z.unknown()),
  /** sha256 of each input file, by its role. */
  inputs: z.record(z.string(), z.string()),
  complete: z.boolean(),
});
export type RunManifest = z.infer<typeof runManifestSchema>;

/** Which part of a run a folder holds; `items` is null until all of them are done. */
const shardFileSchema = shardSchema.extend({ items: z.int().nullable() });
export type StoredShard = z.infer<typeof shardFileSchema>;

/** The state in which an earlier run of the same manifest left a folder. */
export type RunState = 'new' | 'begun' | 'complete';

/** The work with a run's folder. */
export interface RunUse<T, R> {
  readonly shard?: Shard | null | undefined;
  /** Reads the result of an earlier run that had finished; may make products again that were damaged since. */
  readonly read: (folder: RunFolder<T>) => R | Promise<R>;
  /** Does the work, and writes the products. */
  readonly work: (folder: RunFolder<T>) => Promise<R>;
  /**
   * Checks whether what was made is all there is to make; absent: always. Else the run stays as it is, to be gone on
   * with.
   */
  isWhole?(made: R): boolean;
}

/**
 * A run's folder: its manifest, its finished items, its products. The same command again resumes it; another
 * configuration is refused with the difference; two processes can't share it.
 */
export class RunFolder<T> {
  readonly path: string;
  readonly journal: ItemJournal<T>;
  /** True where an earlier run of the same manifest finished: its products stand. */
  readonly complete: boolean;
  readonly #manifest: RunManifest;
  readonly #shard: Shard | null;

  private constructor(path: string, manifest: RunManifest, complete: boolean, shard: Shard | null) {
    this.path = path;
    this.#manifest = manifest;
    this.complete = complete;
    this.#shard = shard;
    this.journal = new ItemJournal(join(path, JOURNAL));
  }

  /**
   * Returns the state that `open` would find in a folder; nothing is written.
   * @throws RunFolderError as `open`, except where the folder is in use
   */
  static preview(path: string, manifest: Omit<RunManifest, 'complete'>, shard: Shard | null = null): RunState {
    if (shard !== null && basename(path) === shardName(shard)) refuseOtherRun(dirname(path), manifest, shard);
    if (!holdsRun(path)) return 'new';
    refuseOtherShard(path, shard);
    const before = readRunManifest(path);
    if (before.command !== manifest.command) {
      throw new RunFolderError(`this folder holds a run of \`perturbql ${before.command}\``, {
        where: { file: path },
        fix: 'Name another --out folder.',
      });
    }
    const changed = manifestDifferences(before, manifest);
    if (changed.length > 0) {
      throw new RunFolderError(`this run was made with another configuration:\n  ${changed.join('\n  ')}`, {
        where: { file: path },
        fix: 'Name another --out folder; the same options, with files that have not changed since, resume it.',
      });
    }
    return before.complete ? 'complete' : 'begun';
  }

  /**
   * A run that has finished nothing is no other configuration: its folder is as good as new.
   * @throws RunFolderError when the folder holds something else, another configuration, or is in use; ShardFinished
   * where all items of the shard are there
   */
  static open<T>(path: string, manifest: Omit<RunManifest, 'complete'>, part?: Shard | null): RunFolder<T> {
    const shard = part ?? null;
    const fresh: RunManifest = { ...manifest, complete: false };
    const state = RunFolder.preview(path, manifest, shard);
    if (shard !== null && state === 'complete' && isWholeShard(path)) throw new ShardFinished(path, shard);
    makeFolder(path);
    lock(path);
    const file = join(path, MANIFEST);
    if (state === 'new' && existsSync(file) && hasResults(path)) {
      // Another process was faster.
      releaseLock(join(path, LOCK));
      return RunFolder.open<T>(path, manifest, part);
    }
    clearScratch(path);
    if (shard !== null) writeShard(path, { ...shard, items: null });
    else if (state === 'new') rmSync(join(path, SHARD), { force: true });
    if (state === 'new') writeDurably(file, renderManifest(fresh));
    return new RunFolder<T>(path, fresh, shard === null && state === 'complete', shard);
  }

  /**
   * Works in a folder: what an earlier run finished is read, else `work` makes it. A run whose work fails stays as it
   * is, to be resumed.
   * @throws as `open`, and what `read` and `work` throw
   */
  static async use<T, R>(path: string, manifest: Omit<RunManifest, 'complete'>, use: RunUse<T, R>): Promise<R> {
    const folder = RunFolder.open<T>(path, manifest, use.shard);
    try {
      const made = await (folder.complete ? use.read(folder) : use.work(folder));
      if (folder.complete || use.isWhole?.(made) === false) folder.close();
      else folder.finish();
      return made;
    } catch (error) {
      folder.close();
      throw error;
    }
  }

  /**
   * Where this is a shard, leaves it as complete: its items are done, and products are written of all shards together.
   * @throws ShardFinished then
   */
  endShard(): void {
    const shard = this.#shard;
    if (shard === null) return;
    writeShard(this.path, { ...shard, items: this.journal.size });
    writeDurably(join(this.path, MANIFEST), renderManifest({ ...this.#manifest, complete: true }));
    throw new ShardFinished(this.path, shard);
  }

  /** Writes one product of the run, whole or not at all. */
  write(name: string, content: string | Iterable<string | Uint8Array>): void {
    writeDurably(join(this.path, name), content);
  }

  /** Marks the run complete and drops what only a resumed run needs. */
  finish(): void {
    writeDurably(join(this.path, MANIFEST), renderManifest({ ...this.#manifest, complete: true }));
    this.journal.remove();
    rmSync(join(this.path, SHARD_SCORES), { recursive: true, force: true });
    releaseLock(join(this.path, LOCK));
  }

  /** Leaves the run as it is, to be resumed. */
  close(): void {
    if (this.complete) this.journal.remove();
    else this.journal.close();
    releaseLock(join(this.path, LOCK));
  }
}

/** The text of a manifest as runs store it. */
export const renderManifest = (manifest: RunManifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

function writeShard(path: string, shard: StoredShard): void {
  writeDurably(join(path, SHARD), `${JSON.stringify(shard, null, 2)}\n`);
}

/**
 * Which shard a folder holds; null where it is the folder of a whole run.
 * @throws RunFolderError where its file can't be read
 */
export function readStoredShard(path: string): StoredShard | null {
  const file = join(path, SHARD);
  if (!existsSync(file)) return null;
  try {
    return shardFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new RunFolderError('this does not say which shard it is', {
      where: { file },
      cause,
      fix: 'Remove the folder, and run the shard again.',
    });
  }
}

/** Checks whether a complete shard still has all of its items. */
export function isWholeShard(path: string): boolean {
  const items = readStoredShard(path)?.items ?? null;
  return items !== null && countSoundItems(join(path, JOURNAL)) === items;
}

function refuseOtherShard(path: string, shard: Shard | null): void {
  const inWords = (one: Pick<Shard, 'index' | 'count'> | null): string =>
    one === null ? 'a whole run' : `shard ${one.index} of ${one.count}`;
  const [stored, wanted] = [readStoredShard(path), shard].map(inWords);
  if (stored === wanted) return;
  throw new RunFolderError(`this folder holds ${stored}, and ${wanted} was asked for`, {
    where: { file: path },
    fix: 'Name another --out folder, or ask for the same part again.',
  });
}

/** How shards differ; none of those that are there is in the way while it has finished nothing and none works on it. */
function shardDifferences(
  path: string,
  count: number,
  manifest: Omit<RunManifest, 'complete'>,
  wanted: Shard,
): readonly string[] {
  if (count !== wanted.count) return [`it is one of ${count}, one of ${wanted.count} was asked for`];
  if (!existsSync(join(path, MANIFEST)) || !holdsRun(path)) return [];
  const before = readRunManifest(path);
  if (before.command !== manifest.command) return [`it is of \`perturbql ${before.command}\``];
  return manifestDifferences(before, manifest);
}

/** Refuses a folder whose shards are of another run, or which is a shard's own: merging would, when all are done. */
function refuseOtherRun(run: string, manifest: Omit<RunManifest, 'complete'>, shard: Shard): void {
  if (existsSync(join(run, SHARD))) {
    throw new RunFolderError('this is the folder of a shard', {
      where: { file: run },
      fix: 'Name the folder of the whole run as --out: its shards are below it.',
    });
  }
  for (const name of existsSync(run) ? readdirSync(run) : []) {
    const other = shardOfName(name);
    if (other === null || name === shardName(shard)) continue;
    const path = join(run, name);
    const differences = shardDifferences(path, other.count, manifest, shard);
    if (differences.length === 0) continue;
    throw new RunFolderError(`here is a shard of another run:\n  ${differences.join('\n  ')}`, {
      where: { file: path },
      fix: 'Name another --out folder, or give the same options and number of shards again.',
    });
  }
}

function lock(path: string): void {
  const file = join(path, LOCK);
  const holder = takeLock(file);
  if (holder === null) return;
  throw new RunFolderError(`process ${holder} is working in this folder`, {
    where: { file: path },
    fix: `Wait for it, or remove ${file} if that process is not perturbql.`,
  });
}

/**
 * Reads the manifest of a run.
 * @throws RunFolderError when the folder holds none or it is not one of this version's.
 */
export function readRunManifest(path: string): RunManifest {
  const file = join(path, MANIFEST);
  const fix = 'Name a folder that a run of perturbql wrote, its --out.';
  if (!existsSync(path)) throw new RunFolderError('there is no such folder', { where: { file: path }, fix });
  try {
    return runManifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const what = existsSync(file)
      ? 'this is not a run of this version of perturbql'
      : 'this is not a run: it has no manifest';
    throw new RunFolderError(what, { where: { file }, cause, fix });
  }
}

/**
 * Refuses a folder that holds no finished run of a command; `products` names what the run makes: "the mutants".
 * @throws RunFolderError with the fix that is given
 */
export function requireFinishedRun(
  folder: string,
  { command, products, fix }: { readonly command: string; readonly products: string; readonly fix: string },
): void {
  const refuse = (what: string, cause?: unknown): never => {
    throw new RunFolderError(what, { where: { file: folder }, fix, cause });
  };
  const manifest = orRefuse(() => readRunManifest(folder), refuse);
  if (manifest.command !== command) refuse(`this is a run of ${manifest.command}`);
  if (!manifest.complete) refuse(`${products} are not finished`);
}

function orRefuse<T>(read: () => T, refuse: (what: string, cause: unknown) => never): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RunFolderError)) throw error;
    return refuse(error.message, error.cause);
  }
}
