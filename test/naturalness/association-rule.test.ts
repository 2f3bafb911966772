import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Addition,
  ASSOCIATION_FLOOR,
  associationOf,
  hasEnoughAdditions,
  judgingRounds,
  keepAssociated,
  LEAST_ASSOCIATION,
  spreadAdditions,
} from '../../src/naturalness/association-rule.js';

describe('associationOf', () => {
  test('counts the domain more than the name, and a score that is no cosine as an average one', () => {
    const of = (name: number, domain: number): number =>
      associationOf({ name, title: 0.2, domain, entity: 0, aside: 0, foreign: 0 });
    expect(of(1, 0.5)).toBeCloseTo(2.2);
    expect(of(0.9, 0.6)).toBeGreaterThan(of(1, 0.5));
    expect(of(1, 17)).toBeCloseTo(of(1, 0.45));
  });

  test('is lowered by what makes a name another table’s, and raised by what makes it this one’s', () => {
    const of = (foreign: number): number =>
      associationOf({ name: 1, title: 0.2, domain: 0.5, entity: 0, aside: 0, foreign });
    expect(of(0.6)).toBeCloseTo(of(0) - 0.6);
    expect(of(-0.6)).toBeCloseTo(of(0) + 0.6);
  });
});

describe('the title that an addition was found under', () => {
  const of = (entity: number, aside: number): number =>
    associationOf({ name: 1, title: 0.2, domain: 0.5, entity, aside, foreign: 0 });

  test('raises it by naming the table’s entity, most where it names nothing else', () => {
    expect(of(0.5, 0)).toBeGreaterThan(of(0, 0));
    expect(of(1, 0)).toBeGreaterThan(of(0.5, 0));
  });

  test('lowers it where the name goes with the title’s other words', () => {
    expect(of(0.5, 0.3)).toBeLessThan(of(0.5, 0));
    expect(of(0.5, -0.3)).toBeGreaterThan(of(0.5, 0));
  });
});

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

  const lists = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { maxLength: 12 });

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

describe('judgingRounds', () => {
  test('asks the most associated first, and never about what could not be kept', () => {
    expect(judgingRounds([LEAST_ASSOCIATION, LEAST_ASSOCIATION - 0.1, 5])).toEqual([0, null, 0]);
    const rounds = judgingRounds(Array.from({ length: 40 }, (_, i) => 4 + i / 100));
    expect([rounds[39], rounds[24], rounds[23], rounds[8], rounds[7]]).toEqual([0, 0, 1, 1, 2]);
  });

  test('end with three additions', () => {
    expect([hasEnoughAdditions(2), hasEnoughAdditions(3)]).toEqual([false, true]);
  });
});

describe('spreadAdditions', () => {
  const names = (count: number, column: number): Addition[] =>
    Array.from({ length: count }, (_, i) => ({ name: `own ${column} ${i}`, column, association: 0.9 }));
  const filler = (column: number, association: number): Addition => ({ name: 'filler', column, association });

  test('keeps a name with the two columns that it goes with best', () => {
    const additions = [0, 1, 2, 3].flatMap((column) => [...names(3, column), filler(column, 0.6 + column / 100)]);
    const kept = additions.filter((_, i) => spreadAdditions(additions)[i]);
    expect(kept.filter(({ name }) => name === 'filler').map(({ column }) => column)).toEqual([2, 3]);
  });

  test('leaves no column with fewer than three for it', () => {
    const additions = [0, 1, 2, 3].flatMap((column) => [...names(2, column), filler(column, 0.6)]);
    expect(spreadAdditions(additions)).not.toContain(false);
  });

  test('never drops a column below the lesser of three and what it had', () => {
    const addition = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      column: fc.nat(4),
      association: fc.double({ min: -1, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(addition, { maxLength: 40 }), (additions) => {
        const kept = spreadAdditions(additions);
        for (const column of new Set(additions.map((one) => one.column))) {
          const had = additions.filter((one) => one.column === column).length;
          const has = additions.filter((one, i) => one.column === column && kept[i]).length;
          expect(has).toBeGreaterThanOrEqual(Math.min(3, had));
        }
      }),
    );
  });
});
