import { expect, it } from 'vitest';
import { drawNumber } from '../../../src/rows/values/number-values.js';
import { createRng } from '../../../src/seeded-rng.js';

it('draws no zero with a sign, which SQLite would store as another value', () => {
  const rng = createRng(1, 'zeros');
  const drawn = Array.from({ length: 100 }, () => drawNumber({ low: -0.04, high: 0, decimals: 1 }, rng));
  expect(drawn.filter((value) => !Object.is(value, 0))).toEqual([]);
});
