import { describe, expect, it } from 'vitest';
import type { QueryRows, ResultValue } from '../../../src/sql/execution/query-outcome.js';
import type { ResultEquality } from '../../../src/sql/execution/result-mode.js';
import { cellOf, PartialDenotation } from '../../../src/testsuite/denotation/partial-denotation.js';

const one = (...values: ResultValue[]) => [cellOf(values)];
const rowsOf = (...values: ResultValue[]): QueryRows => ({
  kind: 'rows',
  columns: ['x'],
  rows: values.map((value) => [value]),
});
const BAG: ResultEquality = { mode: 'bag', tolerance: null };

describe('a partial denotation', () => {
  /** `a`, then one of `a` and `b`. */
  const cut = new PartialDenotation(1, [
    { take: 1, patterns: [one('a')] },
    { take: 1, patterns: [one('a'), one('b')] },
  ]);

  it.each([
    ['a', 'b', true, true],
    ['a', 'a', true, true],
    ['b', 'a', true, false],
    ['b', 'b', false, false],
  ])('of sure and possible rows: %s %s', (first, second, inBag, inOrder) => {
    expect(cut.fits(rowsOf(first, second), BAG, true)).toBe(inBag);
    expect(cut.fits(rowsOf(first, second), { ...BAG, mode: 'ordered' }, false)).toBe(inBag);
    expect(cut.fits(rowsOf(first, second), { ...BAG, mode: 'ordered' }, true)).toBe(inOrder);
  });

  it('compares sets by what is sure and possible', () => {
    const set = { ...BAG, mode: 'set' } as const;
    expect(
      [rowsOf('a'), rowsOf('b', 'a', 'a'), rowsOf('b'), rowsOf()].map((rows) => cut.fits(rows, set, true)),
    ).toEqual([true, true, false, false]);
  });

  it('pairs up rows with patterns that allow several values', () => {
    const rows = [one('a', 'b'), one('b', 'c'), one('a')];
    const groups = new PartialDenotation(1, [{ take: 3, patterns: rows }]);
    expect(groups.fits(rowsOf('a', 'b', 'b'), BAG, false)).toBe(true);
    expect(groups.fits(rowsOf('a', 'b', 'c'), BAG, false)).toBe(true);
    expect(groups.fits(rowsOf('a', 'a', 'a'), BAG, false)).toBe(false);
    expect(groups.fits(rowsOf('c', 'c', 'a'), BAG, false)).toBe(false);
  });

  it('takes numbers for equal as whole results are compared', () => {
    const numbers = new PartialDenotation(1, [{ take: 2, patterns: [one(12345678901.25), one(1n)] }]);
    expect(numbers.fits(rowsOf(1, 12345678901.75), BAG, false)).toBe(true);
    expect(numbers.fits(rowsOf(1, 12345678909.75), BAG, false)).toBe(false);
    expect(numbers.fits(rowsOf(1.005, 12345678901.25), BAG, false)).toBe(false);
    expect(numbers.fits(rowsOf(1.005, 12345678901.25), { ...BAG, tolerance: 0.01 }, false)).toBe(true);
  });

  it('has a hash of what fits it, whatever the order in which tied rows were found', () => {
    const other = (...values: string[]): string =>
      new PartialDenotation(1, [{ take: 1, patterns: values.map((value) => one(value)) }]).hash;
    expect(other('a', 'b')).toBe(other('b', 'a'));
    expect(new Set([other('a', 'b'), other('a'), other('a', 'b', 'b'), other('a,b')]).size).toBe(4);
  });

  it('takes a result for right where the search for its rows grows too large', () => {
    const count = 1000;
    const patterns = Array.from({ length: count }, () => one('a', 'b'));
    const wide = new PartialDenotation(1, [{ take: count, patterns }]);
    expect(wide.fits(rowsOf(...Array.from({ length: count - 1 }, () => 'a'), 'c'), BAG, false)).toBe(true);
    expect(wide.fits(rowsOf('c', ...Array.from({ length: count - 1 }, () => 'a')), BAG, false)).toBe(false);
  });
});
