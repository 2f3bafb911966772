import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResultValue, SqlRow } from '../../../src/sql/execution/query-outcome.js';
import { compareResults, type ComparisonMode } from '../../../src/sql/execution/result-comparison.js';
import { valueKey } from '../../../src/sql/execution/value-key.js';
import { resultOf } from './query-fixture.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
const show = (...values: readonly ResultValue[]) => values.map((value) => inspect(value)).join(' and ');
const MODES: readonly ComparisonMode[] = ['bag', 'set', 'ordered'];

/** Values that must never be taken for one another. */
const DISTINCT: readonly ResultValue[] = [
  null,
  0n,
  1n,
  -1n,
  9007199254740992n,
  9007199254740993n,
  0,
  -0,
  1,
  1.5,
  0.1 + 0.2,
  0.3,
  Infinity,
  -Infinity,
  '',
  '1',
  '1.0',
  'n',
  'null',
  'A\0B',
  '\uFFFD',
  bytes(),
  bytes(49),
  bytes(255),
  { text: bytes(255) },
  { text: bytes(254) },
];

describe('compareResults', () => {
  it('distinguishes all values that differ in type or bits, in every mode', () => {
    for (const mode of MODES) {
      for (const [i, a] of DISTINCT.entries()) {
        for (const [j, b] of DISTINCT.entries()) {
          const difference = compareResults(resultOf([a]), resultOf([b]), mode, 'exact');
          expect(difference === null, show(a, b)).toBe(i === j);
        }
      }
    }
  });

  it('takes numbers by value where asked to, and nothing else', () => {
    const same: readonly (readonly [ResultValue, ResultValue])[] = [
      [1n, 1],
      [0n, -0],
      [0.1 + 0.2, 0.3],
      [1234567.8900000001, 1234567.89],
      [9007199254740992n, 9007199254740992],
      [100000000000n, 100000000000.00002],
      [2.9999999999999996, 3n],
    ];
    for (const [a, b] of same) {
      expect(compareResults(resultOf([a]), resultOf([b]), 'bag', 'numeric'), show(a, b)).toBeNull();
      expect(compareResults(resultOf([a]), resultOf([b]), 'bag', 'exact')).not.toBeNull();
    }
    const other: readonly (readonly [ResultValue, ResultValue])[] = [
      [1n, '1'],
      [1.001, 1],
      [12345678901n, 12345678902],
      [9007199254740993n, 9007199254740992n],
      [0n, null],
      [1e-12, 0],
      ['a', bytes(97)],
      [Infinity, 'Infinity'],
    ];
    for (const [a, b] of other) {
      expect(valueKey(a, 'numeric'), show(a, b)).not.toBe(valueKey(b, 'numeric'));
    }
  });

  it('counts rows in a bag, not in a set, and their sequence only where it is ordered', () => {
    const twice = resultOf([1n], [2n], [1n]);
    const once = resultOf([2n], [1n]);
    expect(compareResults(twice, once, 'set', 'exact')).toBeNull();
    expect(compareResults(twice, once, 'bag', 'exact')).toEqual({
      kind: 'rows',
      onlyLeft: 1,
      onlyRight: 0,
      leftRows: [[1n]],
      rightRows: [],
    });
    expect(compareResults(twice, resultOf([1n], [1n], [2n]), 'bag', 'exact')).toBeNull();
    expect(compareResults(twice, resultOf([1n], [1n], [2n]), 'ordered', 'exact')).toEqual({ kind: 'order', at: 1 });
  });

  it('compares empty results by their columns', () => {
    const empty = (count: number) => ({ ...resultOf(), columns: Array.from({ length: count }, () => 'c') });
    expect(compareResults(empty(2), empty(2), 'ordered', 'exact')).toBeNull();
    expect(compareResults(empty(2), empty(1), 'bag', 'exact')).toEqual({ kind: 'columns', left: 2, right: 1 });
    expect(compareResults(resultOf([1n]), empty(1), 'set', 'exact')).toMatchObject({ onlyLeft: 1, onlyRight: 0 });
  });

  it('keeps the sequence of columns and their borders', () => {
    expect(compareResults(resultOf([1n, 2n]), resultOf([2n, 1n]), 'bag', 'exact')).not.toBeNull();
    expect(compareResults(resultOf(['a,t1:b', 'c']), resultOf(['a', 'b,t1:c']), 'bag', 'exact')).not.toBeNull();
  });

  it('shows a few of the rows that differ and counts all', () => {
    const many = Array.from({ length: 10 }, (_, i) => [BigInt(i)]);
    expect(compareResults(resultOf(...many), resultOf([5n], [77n], [77n]), 'bag', 'exact')).toEqual({
      kind: 'rows',
      onlyLeft: 9,
      onlyRight: 2,
      leftRows: [[0n], [1n], [2n]],
      rightRows: [[77n], [77n]],
    });
    expect(compareResults(resultOf(...many), resultOf([5n], [77n], [77n]), 'set', 'exact')).toMatchObject({
      onlyLeft: 9,
      onlyRight: 1,
    });
  });

  const values = fc.oneof(
    fc.bigInt({ min: -2n, max: 2n }),
    fc.integer({ min: -2, max: 2 }),
    fc.constantFrom('', 'a', '1'),
    fc.constant(null),
  );
  const rows = fc.array(fc.tuple(values, values), { maxLength: 8 });
  const identity = fc.constantFrom('exact' as const, 'numeric' as const);
  const result = (list: readonly SqlRow[]) => ({ ...resultOf(...list), columns: ['a', 'b'] });

  it('gives the same verdict both ways round, and equal for equal', () => {
    fc.assert(
      fc.property(rows, rows, fc.constantFrom(...MODES), identity, (a, b, mode, by) => {
        const there = compareResults(result(a), result(b), mode, by) === null;
        expect(compareResults(result(b), result(a), mode, by) === null).toBe(there);
        expect(compareResults(result(a), result(a), mode, by)).toBeNull();
      }),
    );
  });

  it('gives the same verdict for shuffled rows, but where they are ordered', () => {
    const shuffled = rows.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, rows, identity, ([a, mixed], b, by) => {
        for (const mode of ['bag', 'set'] as const) {
          expect(compareResults(result(a), result(mixed), mode, by)).toBeNull();
          expect(compareResults(result(mixed), result(b), mode, by) === null).toBe(
            compareResults(result(a), result(b), mode, by) === null,
          );
        }
      }),
    );
  });
});
