import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunFolderError } from '../../src/errors.js';
import { arrayExpression } from '../../src/run/array-expression.js';
import { findMissingShards, mergeShards } from '../../src/run/merge-shards.js';
import { RunFolder, type RunManifest } from '../../src/run/run-folder.js';
import { SCRATCH } from '../../src/run/working-folders.js';
import { isOwn, ShardFinished, shardName } from '../../src/run/shard.js';
import { errorOf } from '../error-of.js';
import { createFolder } from './run-fixture.js';

const MANIFEST: Omit<RunManifest, 'complete'> = {
  command: 'mutate',
  version: '0.1.0',
  seed: 1,
  settings: { limit: 5 },
  inputs: { tables: 'f00' },
};
const ITEMS = Array.from({ length: 20 }, (_, i) => `item ${i}`);

/** Does the items of one shard; `most` stops it before all are done, as kill -9 would. */
function work(run: string, index: number, count: number, manifest = MANIFEST, most = ITEMS.length): string {
  const shard = { index, count, call: null };
  const path = join(run, shardName(shard));
  try {
    const folder = RunFolder.open<string>(path, manifest, shard);
    const own = ITEMS.filter((id) => isOwn(shard, id));
    for (const id of own.slice(0, most)) {
      if (folder.journal.get(id) === undefined) folder.journal.append(id, id.toUpperCase());
    }
    try {
      if (most >= own.length) folder.endShard();
    } finally {
      folder.close();
    }
  } catch (error) {
    if (!(error instanceof ShardFinished)) throw error;
  }
  return path;
}

const workAll = (run: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => work(run, index, count));

const journal = (path: string): string => join(path, '.items.jsonl');

async function faultOf(action: Promise<unknown>): Promise<RunFolderError> {
  const error = await action.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(RunFolderError);
  return error as RunFolderError;
}

describe('mergeShards', () => {
  test('makes the run that a job finishes with all items done', async () => {
    const [run, out] = [createFolder(), createFolder()];
    await mergeShards([...workAll(run, 3)].reverse(), out);
    const folder = RunFolder.open<string>(out, MANIFEST);
    expect(folder.complete).toBe(false);
    expect(ITEMS.map((id) => folder.journal.get(id))).toEqual(ITEMS.map((id) => id.toUpperCase()));
    folder.finish();
    const again = RunFolder.open<string>(out, MANIFEST);
    expect(again.complete).toBe(true);
    again.close();
  });

  test('leaves what a merge before has brought there', async () => {
    const [run, out] = [createFolder(), createFolder()];
    const shards = workAll(run, 2);
    await mergeShards(shards, out);
    const before = readFileSync(journal(out), 'utf8');
    await mergeShards(shards, out);
    expect(readFileSync(journal(out), 'utf8')).toBe(before);
  });

  test('begins again where a merge was killed', async () => {
    const [run, out] = [createFolder(), createFolder()];
    const shards = workAll(run, 2);
    await mergeShards(shards, out);
    // The manifest was in its place, the journal not yet.
    rmSync(journal(out));
    mkdirSync(join(out, '.unfinished'));
    await mergeShards(shards, out);
    const folder = RunFolder.open<string>(out, MANIFEST);
    expect(folder.journal.results).toHaveLength(ITEMS.length);
    folder.close();
  });

  test('takes the items where a run was stopped before it had a manifest', async () => {
    const [run, out] = [createFolder(), createFolder()];
    mkdirSync(join(out, SCRATCH, '4711'), { recursive: true });
    writeFileSync(join(out, '.lock.4711'), '4711');
    await mergeShards(workAll(run, 2), out);
    const folder = RunFolder.open<string>(out, MANIFEST);
    expect(folder.journal.results).toHaveLength(ITEMS.length);
    folder.close();
  });

  test('refuses shards that are missing, twice, unfinished, whole runs or of other runs', async () => {
    const [run, other, out] = [createFolder(), createFolder(), join(createFolder(), 'out')];
    const [first = '', second = '', third = ''] = workAll(run, 3);
    expect((await faultOf(mergeShards([first, third], out))).message).toBe('shards are missing: 1 of 3');
    expect((await faultOf(mergeShards([first, second, third, second], out))).message).toContain('so is');
    const open = work(other, 1, 3, MANIFEST, 1);
    expect((await faultOf(mergeShards([first, open, third], out))).message).toContain('not done, or damaged: 1 of 3');
    const changed = work(createFolder(), 1, 3, { ...MANIFEST, settings: { limit: 6 } });
    expect((await faultOf(mergeShards([first, changed, third], out))).message).toContain('limit is 6 here');
    const fewer = work(createFolder(), 1, 2);
    expect((await faultOf(mergeShards([first, fewer], out))).message).toContain('it is one of 2, the other one of 3');
    const foreign = work(createFolder(), 1, 3, { ...MANIFEST, command: 'compose' });
    expect((await faultOf(mergeShards([first, foreign, third], out))).message).toContain('of `perturbql compose`');
    const whole = createFolder();
    RunFolder.open(whole, MANIFEST).close();
    expect((await faultOf(mergeShards([whole], out))).message).toBe('this is a whole run, no shard');
    expect((await faultOf(mergeShards([], out))).message).toBe('there are no shards to merge');
    expect(existsSync(out)).toBe(false);
  });

  test('leaves nothing on a full disk, and merges when there is room', async (context) => {
    const disk = createFolder();
    const resize = (options: string): boolean =>
      spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status === 0;
    if (!resize('size=64k')) context.skip('no small disk can be mounted here');
    try {
      const run = createFolder();
      const shards = workAll(run, 2);
      for (const path of shards) writeFileSync(join(path, `${basename(path)}.bin`), Buffer.alloc(48 * 1024));
      const out = join(disk, 'out');
      await expect(mergeShards(shards, out)).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(existsSync(out)).toBe(false);
      expect(resize('remount,size=1m')).toBe(true);
      await mergeShards(shards, out);
      const folder = RunFolder.open<string>(out, MANIFEST);
      expect(folder.journal.results).toHaveLength(ITEMS.length);
      folder.close();
    } finally {
      spawnSync('umount', ['-l', disk]);
    }
  });

  test('refuses an output folder that holds something else', async () => {
    const [run, out] = [createFolder(), createFolder()];
    writeFileSync(join(out, 'thesis.txt'), '');
    expect((await faultOf(mergeShards(workAll(run, 2), out))).message).toContain('not empty');
  });
});

describe('a shard’s folder', () => {
  test('is refused to another shard, another number of shards, and a whole run', () => {
    const path = work(createFolder(), 0, 2, MANIFEST, 1);
    const open = (shard: { index: number; count: number } | null) =>
      errorOf(RunFolderError, () => RunFolder.open(path, MANIFEST, shard && { ...shard, call: null })).message;
    expect(open({ index: 1, count: 2 })).toBe('this folder holds shard 0 of 2, and shard 1 of 2 was asked for');
    expect(open({ index: 0, count: 4 })).toBe('this folder holds shard 0 of 2, and shard 0 of 4 was asked for');
    expect(open(null)).toBe('this folder holds shard 0 of 2, and a whole run was asked for');
  });

  test('is refused where the run’s other shards differ in number, settings or command, or in a shard’s folder', () => {
    const run = createFolder();
    const path = work(run, 0, 2, MANIFEST, 1);
    const refusal = (index: number, count: number, manifest = MANIFEST, at = run): string =>
      errorOf(RunFolderError, () => work(at, index, count, manifest)).message;
    expect(refusal(1, 3)).toBe('here is a shard of another run:\n  it is one of 2, one of 3 was asked for');
    expect(refusal(1, 2, { ...MANIFEST, seed: 2 })).toContain('seed');
    expect(refusal(1, 2, { ...MANIFEST, inputs: { tables: 'f01' } })).toContain('tables');
    expect(refusal(1, 2, { ...MANIFEST, command: 'augment' })).toContain('it is of `perturbql mutate`');
    expect(refusal(1, 2, MANIFEST, path)).toBe('this is the folder of a shard');
    // One that was killed before it had a manifest says nothing else.
    rmSync(join(path, 'run.json'));
    expect(existsSync(work(run, 1, 2, { ...MANIFEST, seed: 2 }))).toBe(true);
  });

  test('goes on after an interruption', () => {
    const run = createFolder();
    work(run, 0, 2, MANIFEST, 1);
    work(run, 1, 2);
    expect(findMissingShards(run)).toEqual({ count: 2, absent: [], broken: [0] });
    work(run, 0, 2);
    expect(findMissingShards(run)).toEqual({ count: 2, absent: [], broken: [] });
  });

  test('is broken where an item was damaged, and whole when it was run again', () => {
    const run = createFolder();
    const [path = ''] = workAll(run, 2);
    writeFileSync(journal(path), readFileSync(journal(path), 'utf8').replace('ITEM', 'item'));
    expect(findMissingShards(run).broken).toEqual([0]);
    work(run, 0, 2);
    expect(findMissingShards(run).broken).toEqual([]);
  });
});

describe('findMissingShards', () => {
  test('names those without a folder', () => {
    const run = createFolder();
    work(run, 3, 6);
    work(run, 5, 6);
    expect(findMissingShards(run)).toEqual({ count: 6, absent: [0, 1, 2, 4], broken: [] });
  });

  test('refuses a folder without shards, and one with shards of two runs', () => {
    const run = createFolder();
    expect(errorOf(RunFolderError, () => findMissingShards(run)).message).toBe('there are no shards here');
    work(run, 0, 2);
    renameSync(work(createFolder(), 0, 4), join(run, 'shard-0-of-4'));
    expect(errorOf(RunFolderError, () => findMissingShards(run)).message).toContain('of runs in 2 and in 4');
  });
});

test('arrays of schedulers: runs of numbers, and single ones', () => {
  expect(arrayExpression([])).toBe('');
  expect(arrayExpression([5, 3, 4, 0])).toBe('0,3-5');
  expect(arrayExpression([7])).toBe('7');
});
