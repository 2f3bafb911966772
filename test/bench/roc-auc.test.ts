import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rocAuc } from '../../bench/quality/roc-auc.js';

/** The definition: share of pairs in which the positive is above, ties counted half. */
function byCountingPairs(positives: readonly number[], negatives: readonly number[]): number {
  let won = 0;
  for (const p of positives) for (const n of negatives) won += p > n ? 1 : p === n ? 0.5 : 0;
  return won / (positives.length * negatives.length);
}

const free = fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 40 });
const tied = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 1, maxLength: 40 });

describe('rocAuc', () => {
  it('is 1, 0 and 0.5 where positives are above, below and alike', () => {
    expect(rocAuc([2, 3], [0, 1])).toBe(1);
    expect(rocAuc([0, 1], [2, 3])).toBe(0);
    expect(rocAuc([1, 1], [1, 1, 1])).toBe(0.5);
    expect(rocAuc([0], [-0])).toBe(0.5);
    expect(rocAuc([0.2, 0.8], [0.2, 0.5])).toBe(0.625);
  });

  it.each([
    ['free', free],
    ['tied', tied],
  ])('equals the count over all pairs (%s scores)', (_, scores) => {
    fc.assert(
      fc.property(scores, scores, (p, n) => {
        expect(rocAuc(p, n)).toBeCloseTo(byCountingPairs(p, n), 12);
      }),
    );
  });

  it('turns round when the classes change places, and depends on ranks alone', () => {
    fc.assert(
      fc.property(tied, tied, (p, n) => {
        expect(rocAuc(p, n) + rocAuc(n, p)).toBeCloseTo(1, 12);
        const stretched = (scores: number[]): number[] => scores.map((score) => Math.exp(3 * score) - 7);
        expect(rocAuc(stretched(p), stretched(n))).toBe(rocAuc(p, n));
      }),
    );
  });

  it('refuses an empty class and NaN', () => {
    expect(() => rocAuc([], [1])).toThrow(RangeError);
    expect(() => rocAuc([1], [])).toThrow(RangeError);
    expect(() => rocAuc([NaN], [1])).toThrow(RangeError);
  });
});
