import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { isOwn, ownItems, parseShard, scheduledShard, type Shard } from '../../src/run/shard.js';
import { errorOf } from '../error-of.js';

const shardsOf = (count: number): readonly Shard[] =>
  Array.from({ length: count }, (_, index) => ({ index, count, call: null }));

const weights = fc.uniqueArray(fc.tuple(fc.string(), fc.nat(1000)), { selector: ([id]) => id });
const counts = fc.integer({ min: 1, max: 20 });

describe('ownItems', () => {
  test('gives each item to one shard, whatever the order of the items', () => {
    fc.assert(
      fc.property(weights, counts, (items, count) => {
        const parts = shardsOf(count).map((shard) => ownItems(shard, new Map(items)));
        expect(parts.flatMap((part) => [...part]).sort()).toEqual(items.map(([id]) => id).sort());
        const again = shardsOf(count).map((shard) => ownItems(shard, new Map([...items].reverse())));
        expect(again).toEqual(parts);
      }),
    );
  });

  test('balances: no shard has more than the lightest and one item', () => {
    fc.assert(
      fc.property(weights, counts, (items, count) => {
        const all = new Map(items);
        const loads = shardsOf(count).map((shard) =>
          [...ownItems(shard, all)].reduce((sum, id) => sum + (all.get(id) ?? 0), 0),
        );
        const heaviest = Math.max(0, ...all.values());
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(heaviest);
      }),
    );
  });

  test('leaves all items to a run without shards', () => {
    expect(ownItems(null, new Map([['pets_1', 2]]))).toEqual(new Set(['pets_1']));
  });
});

test('each id falls to one shard by its hash', () => {
  fc.assert(
    fc.property(fc.string(), counts, (id, count) => {
      expect(shardsOf(count).filter((shard) => isOwn(shard, id))).toHaveLength(1);
    }),
  );
  expect(isOwn(null, 'dev:0')).toBe(true);
});

describe('which shard', () => {
  test('a text says', () => {
    expect(parseShard('2/8')).toEqual({ index: 2, count: 8 });
    for (const wrong of ['8/8', '1', '-1/2', '0/0', 'x/2', '1/2/3']) {
      expect(errorOf(ConfigError, () => parseShard(wrong)).message).toBe(`"${wrong}" is no shard`);
    }
  });

  test('a Slurm array says, from its first number on', () => {
    const array = { SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_MAX: '8', SLURM_ARRAY_TASK_COUNT: '8' };
    expect(scheduledShard({ ...array, SLURM_ARRAY_TASK_ID: '1' })).toEqual({ index: 0, count: 8 });
    expect(scheduledShard({ ...array, SLURM_ARRAY_TASK_ID: '8' })).toEqual({ index: 7, count: 8 });
  });

  test('a Slurm array with gaps does not', () => {
    const env = { SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_MAX: '5', SLURM_ARRAY_TASK_COUNT: '2' };
    const fault = errorOf(ConfigError, () => scheduledShard({ ...env, SLURM_ARRAY_TASK_ID: '5' }));
    expect(fault.message).toContain('gaps');
  });

  test('Kubernetes and GNU parallel say, with the number of shards', () => {
    expect(scheduledShard({ JOB_COMPLETION_INDEX: '0', PERTURBQL_SHARDS: '4' })).toEqual({ index: 0, count: 4 });
    expect(scheduledShard({ PARALLEL_SEQ: '4', PERTURBQL_SHARDS: '4' })).toEqual({ index: 3, count: 4 });
    expect(errorOf(ConfigError, () => scheduledShard({ PARALLEL_SEQ: '4' })).fix).toContain('PERTURBQL_SHARDS');
    expect(() => scheduledShard({ PARALLEL_SEQ: '5', PERTURBQL_SHARDS: '4' })).toThrow('"4/4" is no shard');
  });

  test('without a scheduler there is none', () => {
    expect(() => scheduledShard({})).toThrow('no scheduler says which shard this is');
  });
});
