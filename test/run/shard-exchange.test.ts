import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SHARD_SCORES } from '../../src/run/run-folder.js';
import { openRunScores } from '../../src/run/score-cache.js';
import { sha256Of } from '../../src/run/sha256.js';
import { shardName } from '../../src/run/shard.js';
import { openShardVectors } from '../../src/run/shard-vectors.js';
import { type ExchangedValues, ShardExchange } from '../../src/run/shard-exchange.js';
import type { EntailmentPair, EntailmentScore } from '../../src/stage.js';
import { createFolder } from './run-fixture.js';

const SHA = 'a'.repeat(64);
const pair = (premise: string, hypothesis: string): EntailmentPair => ({ premise, hypothesis });
const scoreOf = (value: number): EntailmentScore => ({
  entailment: value,
  neutral: value / 3,
  contradiction: value / 7,
  entailmentLogit: -value,
  reading: value > 0.5 ? { replacement: value, addition: value / 2, topic: value / 5 } : null,
});
const never = (message: string): void => expect.unreachable(message);
const keyOf = (text: string): Buffer => Buffer.from(sha256Of(text), 'hex').subarray(0, 16);
const numbers = (name = 'numbers'): ExchangedValues<number> => ({
  name,
  bytes: 8,
  publishEvery: 512,
  encode(value) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  },
  decode: (bytes) => bytes.readDoubleLE(),
});
const open = (folder: string, shard: string, name?: string): ShardExchange<number> =>
  new ShardExchange(folder, numbers(name), shard, never);

describe('ShardExchange', () => {
  test('gives another shard every value to the bit', () => {
    const items = fc.uniqueArray(fc.tuple(fc.string(), fc.double({ noNaN: true })), {
      selector: ([text]) => text,
      maxLength: 40,
    });
    const folder = createFolder();
    let run = 0;
    fc.assert(
      fc.property(items, (given) => {
        const name = `numbers-${run++}`;
        const one = open(folder, 'shard-0-of-2', name);
        for (const [text, value] of given) one.put(keyOf(text), value);
        one.close();
        const other = open(folder, 'shard-1-of-2', name);
        for (const [text, value] of given) expect(other.get(keyOf(text))).toBe(value);
        expect(other.get(keyOf(JSON.stringify(given)))).toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test('publishes while it works, and goes on behind what it published before', () => {
    const folder = createFolder();
    const first = open(folder, 'shard-0-of-2');
    for (let i = 0; i < 1500; i++) first.put(keyOf(`p${i}`), i);
    const other = open(folder, 'shard-1-of-2');
    expect(other.get(keyOf('p1000'))).toBe(1000);
    expect(other.get(keyOf('p1499'))).toBeNull();
    // Killed here, the last ones are lost; it goes on.
    const again = open(folder, 'shard-0-of-2');
    again.put(keyOf('p1499'), 1499);
    again.close();
    expect(open(folder, 'shard-1-of-2').get(keyOf('p1499'))).toBe(1499);
    expect(open(folder, 'shard-1-of-2').get(keyOf('p0'))).toBe(0);
  });

  test('takes no damaged or cut file, and none of other values', () => {
    const folder = createFolder();
    for (const [index, shard] of ['shard-0-of-4', 'shard-1-of-4', 'shard-2-of-4'].entries()) {
      const one = open(folder, shard);
      one.put(keyOf(`p${index}`), index);
      one.close();
    }
    const [cut = '', damaged = ''] = readdirSync(folder).sort();
    writeFileSync(join(folder, cut), readFileSync(join(folder, cut)).subarray(0, 40));
    const bytes = readFileSync(join(folder, damaged));
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(join(folder, damaged), bytes);
    writeFileSync(join(folder, `${damaged}.tmp`), 'torn');
    const reader = open(folder, 'shard-3-of-4');
    expect([0, 1, 2].map((i) => reader.get(keyOf(`p${i}`)))).toEqual([null, null, 2]);
    expect(open(folder, 'shard-3-of-4', 'others').get(keyOf('p2'))).toBeNull();
  });

  test('a folder that can’t be used costs one warning', () => {
    const folder = join(createFolder(), 'file');
    writeFileSync(folder, '');
    const warnings: string[] = [];
    const exchange = new ShardExchange(folder, numbers(), 'shard-0-of-2', (message) => void warnings.push(message));
    for (let i = 0; i < 600; i++) exchange.put(keyOf(`p${i}`), i);
    expect(exchange.get(keyOf('p1'))).toBeNull();
    exchange.close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('shards exchange no numbers');
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
    expect(readdirSync(join(out, SHARD_SCORES))).toEqual([`scores-2-${SHA.slice(0, 16)}.sqlite`]);
  });
});

test('shards that stand together find each other’s vectors, to the bit; a whole run has none', () => {
  const run = createFolder();
  const encoder = { fingerprint: 'encoder:1', dimension: 3 };
  const openAt = (index: number): NonNullable<ReturnType<typeof openShardVectors>> => {
    const shard = { index, count: 2, call: null };
    return openShardVectors({ out: join(run, shardName(shard)), shard }, encoder, never)!;
  };
  const vector = Float32Array.of(0.1, -Math.PI, 1e-30);
  const first = openAt(0);
  first.put('wedding date', vector);
  expect(first.get('wedding date')).toBeNull();
  first.close();
  expect(openAt(1).get('wedding date')).toEqual(vector);
  expect(openAt(1).get('closing date')).toBeNull();
  expect(openShardVectors({ out: run }, encoder, never)).toBeNull();
});
