import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeShards } from '../../src/run/merge-shards.js';
import { type RunItems, runReported } from '../../src/run/reported-run.js';
import { type Shard, ShardFinished, shardName } from '../../src/run/shard.js';
import { rejectionOf } from '../error-of.js';
import { createFolder } from './run-fixture.js';

const MANIFEST = { command: 'evaluate', version: '0.1.0', seed: 0, settings: {}, inputs: {} };
const IDS = Array.from({ length: 300 }, (_, i) => `item ${i}`);

/** Sums lengths of ids; `most` items are made before it stops as a killed process would. */
function job(out: string | null, shard: Shard | null = null, most = Infinity) {
  const made: string[] = [];
  const work = async (items: RunItems<number>): Promise<{ sum: number }> => {
    let sum = 0;
    for (const id of IDS.filter((one) => items.isOwn(one))) {
      sum += await items.of(id, () => {
        if (made.length >= most) throw new Error('killed');
        made.push(id);
        return Promise.resolve(id.length);
      });
    }
    items.end();
    return { sum };
  };
  const load = (file: string): { sum: number } => JSON.parse(readFileSync(file, 'utf8')) as { sum: number };
  return {
    made,
    run: () => runReported<number, { sum: number }>({ out, shard, manifest: () => MANIFEST, load, work }),
  };
}

const SUM = { sum: IDS.join('').length };

describe('runReported', () => {
  test('goes on where it was stopped, and gives the report of a finished run', async () => {
    const out = createFolder();
    await expect(job(out, null, 200).run()).rejects.toThrow('killed');
    const second = job(out);
    expect(await second.run()).toEqual(SUM);
    expect(second.made.length).toBeGreaterThanOrEqual(100);
    expect(second.made.length).toBeLessThan(200);
    const third = job(out);
    expect(await third.run()).toEqual(SUM);
    expect(third.made).toEqual([]);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toEqual(SUM);
  });

  test('keeps nothing without a folder', async () => {
    const { run, made } = job(null);
    expect(await run()).toEqual(SUM);
    expect(made).toEqual(IDS);
  });

  test('does the items of a shard, and of merged shards none', async () => {
    const [folder, out] = [createFolder(), createFolder()];
    const paths = await Promise.all(
      [0, 1, 2].map(async (index) => {
        const shard = { index, count: 3, call: null };
        const path = join(folder, shardName(shard));
        expect((await rejectionOf(ShardFinished, job(path, shard).run)).shard).toEqual(shard);
        expect(existsSync(join(path, 'report.json'))).toBe(false);
        return path;
      }),
    );
    await mergeShards(paths, out);
    const merged = job(out);
    expect(await merged.run()).toEqual(SUM);
    expect(merged.made).toEqual([]);
  });
});
