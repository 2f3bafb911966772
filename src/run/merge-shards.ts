import {
  copyFileSync,
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RunFolderError } from '../errors.js';
import { arrayExpression } from './array-expression.js';
import { commitFile, writeDurably } from './durable-file.js';
import { makeFolder } from './output-place.js';
import { manifestDifferences } from './manifest-differences.js';
import {
  isWholeShard,
  JOURNAL,
  MANIFEST,
  readRunManifest,
  readStoredShard,
  renderManifest,
  RunFolder,
  type RunManifest,
  SHARD,
  SHARD_SCORES,
} from './run-folder.js';
import { type Shard, shardName, shardOfName } from './shard.js';
import { isFreeFolder, UnfinishedFolder } from './working-folders.js';

/** A folder with one part of a run. */
export interface ShardFolder {
  readonly path: string;
  readonly shard: Shard;
  readonly manifest: RunManifest;
  /** True if all of its items are done and sound. */
  readonly isWhole: boolean;
}

/** @throws RunFolderError where a folder holds no shard */
export function readShardFolder(path: string): ShardFolder {
  const manifest = readRunManifest(path);
  const stored = readStoredShard(path);
  if (stored === null) {
    throw new RunFolderError('this is a whole run, no shard', {
      where: { file: path },
      fix: 'Name folders that a command wrote with --shard.',
    });
  }
  return { path, shard: stored, manifest, isWhole: manifest.complete && isWholeShard(path) };
}

/** Shards in the folder of their run, as their folders are named, in order. */
function namedShards(
  run: string,
): readonly { readonly path: string; readonly index: number; readonly count: number }[] {
  const names = existsSync(run) ? readdirSync(run) : [];
  const shards = names.flatMap((name) => {
    const shard = shardOfName(name);
    return shard === null ? [] : [{ path: join(run, name), ...shard }];
  });
  return shards.sort((a, b) => a.count - b.count || a.index - b.index);
}

/** The folders of shards in that of their run, in order. */
export const shardFoldersIn = (run: string): readonly string[] => namedShards(run).map(({ path }) => path);

/** The missing shards of a run. */
export interface MissingShards {
  readonly count: number;
  /** Without a folder. */
  readonly absent: readonly number[];
  /** Begun and not done, or damaged since. */
  readonly broken: readonly number[];
}

/** Checks whether a shard is done and its files can be read. */
function isSound(path: string): boolean {
  try {
    return readShardFolder(path).isWhole;
  } catch (error) {
    if (error instanceof RunFolderError) return false;
    throw error;
  }
}

function absentOf(shards: readonly Pick<Shard, 'index'>[], count: number): readonly number[] {
  const there = new Set(shards.map(({ index }) => index));
  return Array.from({ length: count }, (_, index) => index).filter((index) => !there.has(index));
}

/** @throws RunFolderError where a folder holds no shards, or shards of several runs */
export function findMissingShards(run: string): MissingShards {
  const named = namedShards(run);
  const counts = [...new Set(named.map(({ count }) => count))];
  const [count] = counts;
  if (count === undefined || counts.length > 1) {
    const what =
      count === undefined ? 'there are no shards here' : `there are shards of runs in ${counts.join(' and in ')}`;
    throw new RunFolderError(what, {
      where: { file: run },
      fix: 'Name the --out folder of one run with --shard.',
    });
  }
  const broken = named.filter(({ path, index }) => index < count && !isSound(path)).map(({ index }) => index);
  return { count, absent: absentOf(named, count), broken };
}

const AGAIN = 'Run these shards again, and merge then';

function refuseGaps(shards: readonly ShardFolder[], count: number): void {
  const absent = absentOf(
    shards.map(({ shard }) => shard),
    count,
  );
  if (absent.length > 0) {
    throw new RunFolderError(`shards are missing: ${arrayExpression(absent)} of ${count}`, { fix: `${AGAIN}.` });
  }
  const broken = shards.filter(({ isWhole }) => !isWhole);
  if (broken.length === 0) return;
  const numbers = arrayExpression(broken.map(({ shard }) => shard.index));
  throw new RunFolderError(`shards are not done, or damaged: ${numbers} of ${count}`, {
    where: { file: broken.map(({ path }) => path).join(', ') },
    fix: `${AGAIN}: they go on where they were.`,
  });
}

function differencesOf(first: ShardFolder, { shard, manifest }: Pick<ShardFolder, 'shard' | 'manifest'>): string[] {
  if (manifest.command !== first.manifest.command) return [`it is of \`perturbql ${manifest.command}\``];
  const counts = `it is one of ${shard.count}, the other one of ${first.shard.count}`;
  return [...(shard.count === first.shard.count ? [] : [counts]), ...manifestDifferences(first.manifest, manifest)];
}

/** All shards of one run, each once. @throws RunFolderError where they are not */
function checkShards(paths: readonly string[]): readonly [ShardFolder, ...ShardFolder[]] {
  const [first, ...others] = paths.map(readShardFolder).sort((a, b) => a.shard.index - b.shard.index);
  if (first === undefined) throw new RunFolderError('there are no shards to merge', { fix: 'Name their folders.' });
  const seen = new Map([[first.shard.index, first.path]]);
  for (const { path, shard, manifest } of others) {
    const differences = differencesOf(first, { shard, manifest });
    if (differences.length > 0) {
      throw new RunFolderError(`this is a shard of another run than ${first.path}:\n  ${differences.join('\n  ')}`, {
        where: { file: path },
        fix: 'Merge the shards of one run.',
      });
    }
    const twin = seen.get(shard.index);
    if (twin !== undefined) {
      throw new RunFolderError(`this is shard ${shard.index} of ${shard.count}, and so is ${twin}`, {
        where: { file: path },
        fix: 'Name each shard once.',
      });
    }
    seen.set(shard.index, path);
  }
  const shards = [first, ...others] as const;
  refuseGaps(shards, first.shard.count);
  return [...shards];
}

/** Products of single items, such as a suite's schemas: files of a shard that are not its own bookkeeping. */
function* productsOf(path: string): Generator<string> {
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    const name = relative(path, join(entry.parentPath, entry.name));
    const isOwn = name === MANIFEST || name === SHARD || name.startsWith('.');
    if (entry.isFile() && !isOwn) yield name;
  }
}

function copyProduct(from: string, to: string): void {
  if (existsSync(to) && !readFileSync(from).equals(readFileSync(to))) {
    throw new RunFolderError('two shards have different files of this name', {
      where: { file: from },
      fix: 'Make the shards again, all with the same version.',
    });
  }
  makeFolder(dirname(to));
  linkOrCopy(from, to);
}

/** Products are only ever replaced, never changed in place, so a shard and the whole may share a file. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another disk, a file system without links, or the file that is there already.
    copyFileSync(from, to);
  }
}

/**
 * Puts the shards of a run together as a run that was interrupted when all items were done: the same job with this
 * folder, and without a shard, then writes the products, the bytes of a run in one piece. What is there already is
 * kept.
 * @throws RunFolderError where shards are missing, twice, broken or of different runs, or `out` holds something else
 */
export async function mergeShards(paths: readonly string[], out: string): Promise<ShardFolder> {
  const shards = checkShards(paths);
  const [first] = shards;
  const manifest = { ...first.manifest, complete: false };
  if (!isFreeFolder(out) && RunFolder.preview(out, manifest) !== 'new') return first;
  const folder = new UnfinishedFolder(out);
  try {
    for (const { path, shard } of shards) {
      for (const name of productsOf(path)) copyProduct(join(path, name), join(folder.path, name));
      const scores = join(path, SHARD_SCORES);
      const place = join(folder.path, SHARD_SCORES, shardName(shard));
      if (existsSync(scores)) cpSync(scores, place, { recursive: true });
    }
    const journal = join(folder.path, JOURNAL);
    for (const { path } of shards) {
      await pipeline(createReadStream(join(path, JOURNAL)), createWriteStream(`${journal}.tmp`, { flags: 'a' }));
    }
    commitFile(`${journal}.tmp`, journal);
    writeDurably(join(folder.path, MANIFEST), renderManifest(manifest));
    folder.finish();
  } catch (error) {
    folder.abandon();
    throw error;
  }
  return first;
}
