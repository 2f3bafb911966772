import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kendallTau } from '../../../bench/correlation/kendall-tau.js';

const pairsOf = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), { maxLength: 12 })
  .map((pairs) => [pairs.map(([x]) => x), pairs.map(([, y]) => y)] as const);

describe('kendallTau', () => {
  it.each([
    // By hand: 10 pairs, 8 concordant, 2 discordant.
    { x: [1, 2, 3, 4, 5], y: [2, 1, 3, 5, 4], tau: 0.6, concordant: 8, discordant: 2 },
    { x: [1, 2, 3], y: [3, 2, 1], tau: -1, concordant: 0, discordant: 3 },
    // The example of scipy.stats.kendalltau's documentation, which says −0.47140452079103173.
    { x: [12, 2, 1, 12, 2], y: [1, 4, 7, 1, 0], tau: -0.47140452079103173, concordant: 2, discordant: 6 },
    // By hand: 6 pairs, one tied in x alone, one in y alone: 4 / sqrt(5 · 5).
    { x: [1, 1, 2, 3], y: [1, 2, 3, 3], tau: 0.8, concordant: 4, discordant: 0 },
    // Tied in both: 2 / sqrt(2 · 2).
    { x: [1, 1, 2], y: [5, 5, 6], tau: 1, concordant: 2, discordant: 0 },
  ])('of $x and $y is $tau', ({ x, y, tau, concordant, discordant }) => {
    const agreement = kendallTau(x, y);
    expect(agreement.tau).toBeCloseTo(tau, 12);
    expect([agreement.concordant, agreement.discordant]).toEqual([concordant, discordant]);
  });

  it.each([[[]], [[1]], [[2, 2, 2]]])('is null where one side puts nothing in order: %j', (values) => {
    const other = values.map((_, i) => i);
    expect(kendallTau(values, other).tau).toBeNull();
    expect(kendallTau(other, values).tau).toBeNull();
  });

  it('lies from −1 to 1, is the same for both directions, and turns its sign with an order', () => {
    fc.assert(
      fc.property(pairsOf, ([x, y]) => {
        const { tau } = kendallTau(x, y);
        expect(kendallTau(y, x).tau).toBe(tau);
        if (tau === null) return;
        expect(Math.abs(tau)).toBeLessThanOrEqual(1);
        expect(
          kendallTau(
            x.map((value) => -value),
            y,
          ).tau,
        ).toBeCloseTo(-tau, 12);
        const grown = x.map((value) => 3 * value + 7);
        expect(kendallTau(grown, y).tau).toBe(tau);
      }),
    );
  });

  it('is exactly 1 of a ranking with itself', () => {
    fc.assert(
      fc.property(pairsOf, ([x]) => {
        expect([1, null]).toContain(kendallTau(x, x).tau);
      }),
    );
  });
});
