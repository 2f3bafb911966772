import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSOCIATION_FLOOR, keepAssociated, LEAST_ASSOCIATION } from '../../src/naturalness/association-rule.js';

describe('keepAssociated', () => {
  const [above, between, foreign] = [
    ASSOCIATION_FLOOR + 0.1,
    (ASSOCIATION_FLOOR + LEAST_ASSOCIATION) / 2,
    LEAST_ASSOCIATION - 0.1,
  ];

  test.each<[string, number[], boolean[]]>([
    ['nothing of nothing', [], []],
    ['all at or above the floor', [ASSOCIATION_FLOOR, above, above, above], [true, true, true, true]],
    [
      'the nearest three where too few are above it',
      [between, between - 0.02, between + 0.01, between - 0.01],
      [true, false, true, true],
    ],
    ['nothing that is wholly foreign', [foreign, -0.5], [false, false]],
    ['the least associated of three', [above, LEAST_ASSOCIATION, foreign], [true, true, false]],
    [
      'one above, two under it, no fourth',
      [between, above, LEAST_ASSOCIATION, between + 0.01],
      [true, true, false, true],
    ],
  ])('keeps %s', (_, associations, kept) => {
    expect(keepAssociated(associations)).toEqual(kept);
  });

  const lists = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { maxLength: 12 });

  test('never drops what is above the floor, never keeps what is wholly foreign, and under the floor keeps at most three', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const kept = keepAssociated(list);
        expect(kept).toHaveLength(list.length);
        list.forEach((value, i) => {
          if (value >= ASSOCIATION_FLOOR) expect(kept[i]).toBe(true);
          if (value < LEAST_ASSOCIATION) expect(kept[i]).toBe(false);
        });
        expect(list.filter((value, i) => kept[i] === true && value < ASSOCIATION_FLOOR).length).toBeLessThanOrEqual(3);
      }),
    );
  });

  test('never keeps the lower of two and drops the higher', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const kept = keepAssociated(list);
        const lowestKept = Math.min(...list.filter((_, i) => kept[i]));
        const highestDropped = Math.max(...list.filter((_, i) => !kept[i]));
        expect(lowestKept).toBeGreaterThanOrEqual(highestDropped);
      }),
    );
  });
});
