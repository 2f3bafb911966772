import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SHARD_SCORES } from '../../src/run/run-folder.js';
import { openRunScores } from '../../src/run/score-cache.js';
import { ScoreExchange } from '../../src/run/score-exchange.js';
import { shardName } from '../../src/run/shard.js';
import type { EntailmentPair, EntailmentScore } from '../../src/stage.js';
import { createFolder } from './run-fixture.js';

const SHA = 'a'.repeat(64);
const pair = (premise: string, hypothesis: string): EntailmentPair => ({ premise, hypothesis });
const scoreOf = (value: number): EntailmentScore => ({
  entailment: value,
  neutral: value / 3,
  contradiction: value / 7,
  entailmentLogit: -value,
});
const never = (message: string): void => expect.unreachable(message);
const open = (folder: string, shard: string, sha = SHA): ScoreExchange => new ScoreExchange(folder, sha, shard, never);

describe('ScoreExchange', () => {
  test('gives another shard every score to the bit', () => {
    const value = fc.double({ noNaN: true });
    const score = fc.record({ entailment: value, neutral: value, contradiction: value, entailmentLogit: value });
    const pairs = fc.uniqueArray(fc.tuple(fc.string(), fc.string(), score), {
      selector: ([a, b]) => JSON.stringify([a, b]),
      maxLength: 40,
    });
    const folder = createFolder();
    let model = 0;
    fc.assert(
      fc.property(pairs, (items) => {
        const sha = String(model++).padStart(16, '0');
        const one = open(folder, 'shard-0-of-2', sha);
        for (const [premise, hypothesis, given] of items) one.put({ premise, hypothesis }, given);
        one.close();
        const other = open(folder, 'shard-1-of-2', sha);
        for (const [premise, hypothesis, given] of items) expect(other.get({ premise, hypothesis })).toEqual(given);
        expect(other.get(pair('not', 'scored'))).toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test('publishes while it works, and goes on behind what it published before', () => {
    const folder = createFolder();
    const first = open(folder, 'shard-0-of-2');
    for (let i = 0; i < 1500; i++) first.put(pair(`p${i}`, 'h'), scoreOf(i));
    const other = open(folder, 'shard-1-of-2');
    expect(other.get(pair('p1000', 'h'))).toEqual(scoreOf(1000));
    expect(other.get(pair('p1499', 'h'))).toBeNull();
    // Killed here, the last ones are lost; it goes on.
    const again = open(folder, 'shard-0-of-2');
    again.put(pair('p1499', 'h'), scoreOf(1499));
    again.close();
    expect(open(folder, 'shard-1-of-2').get(pair('p1499', 'h'))).toEqual(scoreOf(1499));
    expect(open(folder, 'shard-1-of-2').get(pair('p0', 'h'))).toEqual(scoreOf(0));
  });

  test('takes no damaged or cut file, and none of another model', () => {
    const folder = createFolder();
    for (const [index, shard] of ['shard-0-of-4', 'shard-1-of-4', 'shard-2-of-4'].entries()) {
      const one = open(folder, shard);
      one.put(pair(`p${index}`, 'h'), scoreOf(index));
      one.close();
    }
    const [cut = '', damaged = ''] = readdirSync(folder).sort();
    writeFileSync(join(folder, cut), readFileSync(join(folder, cut)).subarray(0, 50));
    const bytes = readFileSync(join(folder, damaged));
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(join(folder, damaged), bytes);
    writeFileSync(join(folder, `${damaged}.tmp`), 'torn');
    const reader = open(folder, 'shard-3-of-4');
    expect([0, 1, 2].map((i) => reader.get(pair(`p${i}`, 'h'))?.entailment)).toEqual([undefined, undefined, 2]);
    expect(open(folder, 'shard-3-of-4', 'b'.repeat(64)).get(pair('p2', 'h'))).toBeNull();
  });

  test('a folder that can’t be used costs one warning', () => {
    const folder = join(createFolder(), 'file');
    writeFileSync(folder, '');
    const warnings: string[] = [];
    const exchange = new ScoreExchange(folder, SHA, 'shard-0-of-2', (message) => void warnings.push(message));
    for (let i = 0; i < 600; i++) exchange.put(pair(`p${i}`, 'h'), scoreOf(i));
    expect(exchange.get(pair('p1', 'h'))).toBeNull();
    exchange.close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('scores are not shared between shards');
  });
});

describe('openRunScores of shards that stand together', () => {
  const openShard = (run: string, index: number): NonNullable<ReturnType<typeof openRunScores>> => {
    const shard = { index, count: 2, call: null };
    const out = join(run, shardName(shard));
    mkdirSync(out, { recursive: true });
    return openRunScores({ out, cacheFolder: join(run, 'no-cache'), shard }, SHA, never)!;
  };

  test('a score that one has made is not made by the other', () => {
    const run = createFolder();
    const first = openShard(run, 0);
    first.put(pair('a', 'b'), scoreOf(1));
    first.close();
    const second = openShard(run, 1);
    expect(second.get(pair('a', 'b'))).toEqual(scoreOf(1));
    second.close();
  });

  test('folders with other names than those of shards exchange nothing', () => {
    const run = createFolder();
    const out = join(run, 'mine');
    const scores = openRunScores({ out, cacheFolder: run, shard: { index: 0, count: 2, call: null } }, SHA, never)!;
    scores.put(pair('a', 'b'), scoreOf(1));
    scores.close();
    expect(readdirSync(run)).toEqual(['mine']);
    expect(readdirSync(join(out, SHARD_SCORES))).toEqual([`scores-${SHA.slice(0, 16)}.sqlite`]);
  });
});
