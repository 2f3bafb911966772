import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRng, shuffled } from '../src/seeded-rng.js';

const draw = (seed: number, id: string): number[] => {
  const rng = createRng(seed, id);
  return Array.from({ length: 8 }, () => rng.next());
};

describe('createRng', () => {
  test('gives the same stream for the same seed and item, another for another', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), (seed, id) => {
        expect(draw(seed, id)).toEqual(draw(seed, id));
      }),
    );
    expect(draw(1, 'a')).not.toEqual(draw(2, 'a'));
    expect(draw(1, 'a')).not.toEqual(draw(1, 'b'));
    expect(draw(1, '2:a')).not.toEqual(draw(12, 'a'));
  });

  test('does not care what other items draw in between', () => {
    const [a, b] = [createRng(1, 'a'), createRng(1, 'b')];
    const mixed = Array.from({ length: 8 }, () => [a.next(), b.next()]);
    expect(mixed.map(([one]) => one)).toEqual(draw(1, 'a'));
    expect(mixed.map(([, two]) => two)).toEqual(draw(1, 'b'));
  });

  test('stays the same from release to release', () => {
    const rng = createRng(1, 'concert_singer/singer');
    expect(Array.from({ length: 6 }, () => rng.int(100))).toMatchInlineSnapshot(`
      [
        18,
        78,
        47,
        62,
        11,
        72,
      ]
    `);
  });

  test('is uniform in [0, 1) and [0, bound)', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 1000 }), (seed, bound) => {
        const rng = createRng(seed, 'x');
        for (let i = 0; i < 20; i++) {
          const [value, integer] = [rng.next(), rng.int(bound)];
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(1);
          expect(Number.isInteger(integer) && integer >= 0 && integer < bound).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[createRng(i, 'x').int(4)]!++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});

describe('shuffled', () => {
  test('is a permutation, seeded, and leaves its input', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const before = [...items];
        const once = shuffled(items, createRng(seed, 's'));
        expect(items).toEqual(before);
        expect([...once].sort()).toEqual([...items].sort());
        expect(shuffled(items, createRng(seed, 's'))).toEqual(once);
      }),
    );
  });

  test('reaches every order', () => {
    const orders = new Set(
      Array.from({ length: 200 }, (_, seed) => shuffled([1, 2, 3], createRng(seed, 's')).join('')),
    );
    expect(orders.size).toBe(6);
  });
});
