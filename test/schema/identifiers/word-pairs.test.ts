import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordPairs } from '../../../src/schema/identifiers/transitions.js';

const id = fc.nat({ max: 40_000 });

test('each pair keeps its number, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, id), { minLength: 1, maxLength: 6000 }), (pairs) => {
      const known = new WordPairs();
      const numberOf = (first: number, second: number): number => first * 3 + second / 2;
      for (const [first, second] of pairs) known.get(first, second, numberOf);
      for (const [first, second] of pairs)
        expect(known.get(first, second, () => Number.NaN)).toBe(numberOf(first, second));
    }),
    { numRuns: 20 },
  );
});
