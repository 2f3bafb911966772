import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Addition, keepAdditions } from '../../src/naturalness/addition-rule.js';

const addition = (name: string, column: number, association: number, isTopical = true): Addition => ({
  name,
  column,
  association,
  isTopical,
});

describe('keepAdditions', () => {
  it('keeps a name for the two columns that it is closest to', () => {
    const given = [addition('currency', 0, 0.7), addition('currency', 1, 0.9), addition('currency', 2, 0.8)];
    expect(keepAdditions(given)).toEqual([false, true, true]);
  });

  it('keeps one name of the row for each two that are close, and one where nothing is', () => {
    expect(keepAdditions([addition('a', 0, 0.2, false), addition('b', 0, 0.3, false)])).toEqual([false, true]);
    const close = [addition('a', 0, 0.9), addition('b', 0, 0.9)];
    expect(keepAdditions([...close.slice(1), addition('c', 0, 0.2, false)])).toEqual([true, false]);
    const given = [...close, addition('c', 0, 0.2, false), addition('d', 0, 0.1, false)];
    expect(keepAdditions(given)).toEqual([true, true, true, false]);
  });

  it('leaves at least two of three of a column close to it, and no name with more than two columns', () => {
    const one = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      column: fc.nat(3),
      association: fc.double({ min: 0, max: 1, noNaN: true }),
      isTopical: fc.boolean(),
    });
    const distinct = fc.uniqueArray(one, { selector: ({ name, column }) => `${name} ${column}` });
    fc.assert(
      fc.property(distinct, (given) => {
        const kept = given.filter((_, i) => keepAdditions(given)[i]);
        for (const column of new Set(kept.map((each) => each.column))) {
          const own = kept.filter((each) => each.column === column);
          const close = own.filter(({ isTopical }) => isTopical).length;
          expect(close >= (2 / 3) * own.length || (close === 0 && own.length === 1)).toBe(true);
        }
        for (const { name } of kept) expect(kept.filter((each) => each.name === name).length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
