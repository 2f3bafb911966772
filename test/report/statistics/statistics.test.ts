import { quantile as publishedQuantile } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import {
  bootstrapMean,
  bootstrapStatistics,
  quantile,
  rateInterval,
} from '../../../src/report/statistics/bootstrap.js';
import { meanOf } from '../../../src/report/statistics/mean.js';
import { testMcNemar } from '../../../src/report/statistics/mcnemar.js';
import { createRng } from '../../../src/seeded-rng.js';

const ones = (of: number, n: number): number[][] => Array.from({ length: n }, (_, i) => [Number(i < of)]);

describe('bootstrapMean', () => {
  it('comes near the interval of the normal distribution for a share', () => {
    // 1.96 · √(0.6 · 0.4 / 400) = 0.048
    const interval = bootstrapMean(ones(240, 400), createRng(1, 'a'))!;
    expect(interval.mean).toBe(0.6);
    expect(interval.low).toBeCloseTo(0.552, 1.9);
    expect(interval.high).toBeCloseTo(0.648, 1.9);
    expect(interval.confidence).toBe(0.95);
  });

  it('covers the mean about as often as it says', () => {
    const covered = Array.from({ length: 200 }, (_, run) => {
      const rng = createRng(run, 'sample');
      const sample = Array.from({ length: 100 }, () => [Number(rng.next() < 0.3)]);
      const { low, high } = bootstrapMean(sample, createRng(run, 'resample'), { resamples: 400 })!;
      return low! <= 0.3 && 0.3 <= high!;
    }).filter(Boolean).length;
    expect(covered).toBeGreaterThan(180);
    expect(covered).toBeLessThan(200);
  });

  it('is wider where values come in clusters that agree', () => {
    const width = (values: number[][]): number => {
      const { low, high } = bootstrapMean(values, createRng(3, 'x'))!;
      return high! - low!;
    };
    const clusters = Array.from({ length: 50 }, (_, i) => Array<number>(4).fill(i % 2));
    expect(width(clusters)).toBeGreaterThan(1.7 * width(clusters.flat().map((value) => [value])));
  });

  it('is the same for the same seed, and null of nothing', () => {
    expect(bootstrapMean(ones(3, 9), createRng(7, 'a'))).toEqual(bootstrapMean(ones(3, 9), createRng(7, 'a')));
    expect(bootstrapMean(ones(3, 9), createRng(7, 'a'), { confidence: 0.5 })?.confidence).toBe(0.5);
    expect(bootstrapMean([], createRng(7, 'a'))).toBeNull();
    expect(bootstrapMean([...ones(5, 5), []], createRng(7, 'a'))).toMatchObject({ mean: 1, low: 1, high: 1 });
  });

  it('has no ends where there are fewer than five groups, however many values these hold', () => {
    const groups = (count: number): number[][] => Array.from({ length: count }, (_, i) => [i % 2, 1, 0, 1]);
    for (const few of [[[1], []], groups(4)]) {
      expect(bootstrapMean(few, createRng(7, 'a'))).toMatchObject({ mean: meanOf(few.flat()), low: null, high: null });
    }
    expect(rateInterval([[1], [1]], createRng(7, 'a'))).toMatchObject({ mean: 1, low: null, high: null });
    const [four] = bootstrapStatistics(groups(4), ([sum = 0]) => [sum], createRng(7, 'a'));
    expect(four).toEqual({ value: 2, low: null, high: null, confidence: 0.95 });
    expect(bootstrapMean(groups(5), createRng(7, 'a'))?.low).toBeLessThan(0.6);
  });
});

describe('quantile', () => {
  it('lies between neighbors in proportion', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([10], 0.975)).toBe(10);
    // At places that are whole, all definitions agree.
    const values = Array.from({ length: 101 }, (_, i) => i * i);
    expect(quantile(values, 0.25)).toBe(publishedQuantile(values, 0.25));
  });
});

describe('bootstrapStatistics', () => {
  const share = ([part, whole]: readonly number[]): readonly number[] => [part! / whole!];
  const vectors = ones(240, 400).map(([part]) => [part!, 1]);

  it('of a share is the interval of its mean', () => {
    const [estimate] = bootstrapStatistics(vectors, share, createRng(1, 'a'));
    expect(estimate!.value).toBe(0.6);
    expect(estimate!.low).toBeCloseTo(0.552, 1.9);
    expect(estimate!.high).toBeCloseTo(0.648, 1.9);
  });

  it('of many items, drawn in bundles, is as wide as that of single ones', () => {
    // 1.96 · √(0.6 · 0.4 / 8000) = 0.0107
    const many = Array.from({ length: 20 }, () => vectors).flat();
    const [estimate] = bootstrapStatistics(many, share, createRng(1, 'a'));
    expect(estimate!.value).toBe(0.6);
    expect(estimate!.high! - estimate!.low!).toBeGreaterThan(0.0195);
    expect(estimate!.high! - estimate!.low!).toBeLessThan(0.0235);
  });

  it('is null where the statistic is not defined, and nothing of nothing', () => {
    expect(bootstrapStatistics([[0, 0]], share, createRng(1, 'a'))).toEqual([null]);
    expect(bootstrapStatistics([], share, createRng(1, 'a'))).toEqual([]);
  });
});

describe('testMcNemar', () => {
  it('gives the published p values of a worked example with 6 against 16', () => {
    // Fagerland, Lydersen & Laake 2013, as in the second example of Wikipedia's article: 0.053 and 0.035.
    const { p, midP } = testMcNemar(6, 16);
    expect(p).toBeCloseTo(0.0525, 4);
    expect(midP).toBeCloseTo(0.0347, 4);
    expect(testMcNemar(16, 6)).toMatchObject({ p, midP });
  });

  it('is exact: small counts by hand', () => {
    expect(testMcNemar(0, 5).p).toBeCloseTo(2 / 32, 12);
    expect(testMcNemar(1, 4).p).toBeCloseTo((2 * (1 + 5)) / 32, 12);
    expect(testMcNemar(3, 3)).toMatchObject({ p: 1 });
    expect(testMcNemar(0, 0)).toEqual({ onlyFirst: 0, onlySecond: 0, p: 1, midP: 1 });
  });

  it('does not vanish or overflow on large counts', () => {
    // Agresti 1990: 86 against 150, z = -4.17, p = 3·10⁻⁵.
    expect(testMcNemar(86, 150).p).toBeGreaterThan(2e-5);
    expect(testMcNemar(86, 150).p).toBeLessThan(5e-5);
    expect(testMcNemar(50_000, 50_000).p).toBe(1);
    expect(testMcNemar(0, 2000).p).toBeGreaterThanOrEqual(0);
  });
});
