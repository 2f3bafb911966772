import { describe, expect, it } from 'vitest';
import { clampTopK, defaultTopK } from '../../src/retriever/top-k.js';

describe('defaultTopK', () => {
  it.each([
    [600_000, 100],
    [2_000, 100],
    [1_100, 55],
    [601, 31],
    [10, 1],
    [0, 1],
  ])('of an index of %i tables is %i', (size, k) => {
    expect(defaultTopK(size)).toBe(k);
  });
});

describe('clampTopK', () => {
  it('gives whole numbers within the index, and refuses NaN', () => {
    expect([5.9, -1, 50, Infinity].map((k) => clampTopK(k, 10))).toEqual([5, 0, 10, 10]);
    expect(() => clampTopK(NaN, 10)).toThrow(RangeError);
  });
});
