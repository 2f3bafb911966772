import { describe, expect, test } from 'vitest';
import { afterWarmUp, growthOf, type MemoryPoint } from '../../bench/soak/memory-curve.js';
import { syntheticPairs } from '../../bench/soak/synthetic-pairs.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { locateModel } from '../../src/inference/model-store.js';

const points = (count: number, megabytes: (pairs: number) => number): readonly MemoryPoint[] =>
  Array.from({ length: count }, (_, i) => ({ pairs: 500 * (i + 1), megabytes: megabytes(500 * (i + 1)) }));

describe('growthOf', () => {
  test('is the slope after the warm-up, whatever memory did before and whatever one point or step says', () => {
    const rising = points(40, (pairs) => (pairs < 5000 ? pairs / 10 : 500 + pairs / 5000));
    expect(growthOf(afterWarmUp(rising))).toBeCloseTo(2, 6);
    const flat = points(40, (pairs) => (pairs === 12_000 ? 330 : 300));
    expect(Math.abs(growthOf(afterWarmUp(flat)))).toBeLessThan(2);
    const emptied = points(40, (pairs) => (pairs < 6000 ? 400 : Math.min(445, 300 + pairs / 50)));
    expect(growthOf(afterWarmUp(emptied))).toBeLessThan(1);
    expect(growthOf([])).toBe(0);
    expect(growthOf(points(1, () => 100))).toBe(0);
  });
});

describe('syntheticPairs', () => {
  test('gives the same pairs for a seed, in the shipped template and hardly ever twice', () => {
    const take = (seed: number): readonly string[] => {
      const source = syntheticPairs(seed);
      return Array.from({ length: 500 }, () => JSON.stringify(source.next().value));
    };
    expect(take(1)).toEqual(take(1));
    expect(new Set(take(1)).size).toBeGreaterThan(490);
    expect(take(1)[0]).toMatch(/\(\w+\)\."/);
  });
});

describe('memory of inference', () => {
  /** About 60 tokens each, so the encoder gives 90 kB a text: 768 outputs that nobody disposes of are 70 MB. */
  const lot = (number: number): readonly string[] =>
    Array.from({ length: 64 }, (_, i) => `${'number of the last order and its date '.repeat(7)}${64 * number + i}`);

  test('stays flat over a thousand inferences', { timeout: 300_000 }, async () => {
    const encoder = new SentenceEncoder(locateModel('table-context-encoder'), 1);
    const { signal } = new AbortController();
    const curve: number[] = [];
    try {
      for (let number = 0; number < 16; number++) {
        await encoder.embed(lot(number), signal);
        curve.push(process.memoryUsage.rss() / 2 ** 20);
      }
    } finally {
      await encoder.dispose();
    }
    // The heap has its own ups and downs: the lowest of the last lots against the highest of the first.
    const [early, late] = [Math.max(...curve.slice(0, 4)), Math.min(...curve.slice(-4))];
    expect(late - early).toBeLessThan(35);
  });
});
