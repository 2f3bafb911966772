import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueryRows, SqlRow } from '../../../src/sql/execution/query-outcome.js';
import { RESULT_MODES, sameResult } from '../../../src/sql/execution/result-mode.js';
import { isClose, matchTolerantly } from '../../../src/sql/execution/tolerant-matching.js';

const result = (rows: readonly SqlRow[]): QueryRows => ({
  kind: 'rows',
  columns: (rows[0] ?? []).map((_, i) => `c${i}`),
  rows,
});
const BAG = { rows: 'bag', isAnyColumn: false, tolerance: 0.1, from: 0 } as const;

describe('isClose', () => {
  it.each([
    [1.05, 1, true],
    [1.2, 1, false],
    [1000, 1050.5, true],
    [1n, 2n, false],
    [10n, 10.5, true],
    ['1', 1, false],
    [null, null, true],
    [null, 0, false],
    [Infinity, 5, false],
    [Infinity, Infinity, true],
  ])('of %s and %s at a tenth: %s', (left, right, expected) => {
    expect(isClose(left, right, BAG)).toBe(expected);
    expect(isClose(right, left, BAG)).toBe(expected);
  });
});

describe('matchTolerantly', () => {
  it('pairs up rows though their order by value is another', () => {
    const left = result([
      ['a', 1.0, 5.0],
      ['a', 1.05, 9.0],
    ]);
    const right = result([
      ['a', 1.0, 9.0],
      ['a', 1.04, 5.0],
    ]);
    expect(matchTolerantly(left, right, BAG)).toBe('equal');
    expect(matchTolerantly(left, right, { ...BAG, rows: 'ordered' })).toBe('different');
    expect(matchTolerantly(left, right, { ...BAG, tolerance: 0.001 })).toBe('different');
  });

  it('gives a row that has an equal to another one where only so all have one', () => {
    expect(matchTolerantly(result([[0.5], [0.59]]), result([[0.41], [0.5]]), BAG)).toBe('equal');
    expect(matchTolerantly(result([[0.5], [0.71]]), result([[0.41], [0.5]]), BAG)).toBe('different');
  });

  it('counts rows in a bag and not in a set', () => {
    const [twice, once] = [result([[1.0], [1.01], [2.0]]), result([[1.0], [2.0], [2.01]])];
    expect(matchTolerantly(twice, once, BAG)).toBe('different');
    expect(matchTolerantly(twice, once, { ...BAG, rows: 'set' })).toBe('equal');
  });

  it('finds columns in another order', () => {
    const left = result([
      [1.0, 'a', 7n],
      [2.0, 'b', 8n],
    ]);
    const right = result([
      [8n, 2.01, 'b'],
      [7n, 1.01, 'a'],
    ]);
    expect(matchTolerantly(left, right, BAG)).toBe('different');
    expect(matchTolerantly(left, right, { ...BAG, isAnyColumn: true })).toBe('equal');
  });

  it('takes shuffled rows with small changes as equal, and a change beyond the tolerance not', () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom('a', 'b'));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), fc.nat(), (rows, turn) => {
        const left = rows.map(([number, text]) => [number + 0.5, text]);
        const moved = rows.map(([number, text], i) => [number + 0.5 + (i % 3) * 0.02, text]);
        const at = turn % moved.length;
        const right = [...moved.slice(at), ...moved.slice(0, at)].reverse();
        expect(matchTolerantly(result(left), result(right), BAG)).toBe('equal');
        const far = right.map(([number, text], i) => [i === 0 ? Number(number) + 100 : number, text] as SqlRow);
        expect(matchTolerantly(result(left), result(far), BAG)).toBe('different');
      }),
    );
  });

  it('reads ten thousand rows and thirty columns', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => [i + 0.5, `t${i % 10}`, 0.0]);
    const others = rows.map(([a, b, c]) => [Number(a) + 0.0005, b, c] as SqlRow).reverse();
    expect(matchTolerantly(result(rows as SqlRow[]), result(others), { ...BAG, tolerance: 0.001 })).toBe('equal');
    const wide = [Array.from({ length: 30 }, (_, i) => i + 0.5)];
    const turned = [[...wide[0]!].reverse()];
    expect(matchTolerantly(result(wide), result(turned), { ...BAG, isAnyColumn: true, tolerance: 0.001 })).toBe(
      'equal',
    );
  });
});

describe('sameResult', () => {
  it('compares in sequence only where the reference orders its rows', () => {
    const [left, right] = [result([[1.0], [2.0]]), result([[2.001], [1.0]])];
    const equality = { mode: 'ordered', tolerance: 0.01 } as const;
    expect(sameResult(left, right, equality, false)).toBe('equal');
    expect(sameResult(left, right, equality, true)).toBe('different');
    expect(sameResult(left, right, { ...equality, tolerance: null }, false)).toBe('different');
  });

  const turnRows = (rows: readonly SqlRow[], order: readonly number[]): SqlRow[] =>
    rows.map((row) => order.map((c) => row[c] ?? null));
  const ANY_ORDER = ['ordered-any-column-order', 'bag-any-column-order'] as const;

  it('takes small integers with their columns in another order as equal, with a tolerance and without', () => {
    const table = fc.integer({ min: 1, max: 8 }).chain((width) =>
      fc.record({
        rows: fc.array(fc.array(fc.bigInt({ min: 0n, max: 2n }), { minLength: width, maxLength: width }), {
          minLength: 1,
          maxLength: 40,
        }),
        order: fc.shuffledSubarray([...Array(width).keys()], { minLength: width, maxLength: width }),
      }),
    );
    fc.assert(
      fc.property(table, fc.boolean(), ({ rows, order }, isOrdered) => {
        for (const mode of ANY_ORDER) {
          for (const tolerance of [null, 0.001]) {
            const other = result(turnRows(rows, order));
            expect(sameResult(result(rows), other, { mode, tolerance }, isOrdered)).toBe('equal');
          }
        }
      }),
    );
  });

  const bits = (height: number, width: number): bigint[][] => {
    let seed = 7;
    const next = (): bigint => BigInt((seed = (seed * 48271) % 2147483647) & 1);
    return Array.from({ length: height }, () => Array.from({ length: width }, next));
  };
  const ORDER = [7, 2, 11, 0, 5, 9, 1, 10, 3, 8, 6, 4];

  it.each([0.001, null])('distinguishes twelve columns of 0 and 1 in 300 rows at a tolerance of %s', (tolerance) => {
    const rows = bits(300, 12);
    for (const mode of ANY_ORDER) {
      expect(sameResult(result(rows), result(turnRows(rows, ORDER)), { mode, tolerance }, false)).toBe('equal');
    }
  });

  it('distinguishes them next to a real that differs a little, too', () => {
    const rows = bits(300, 12);
    const ours = rows.map((row, i) => [...row, i + 0.5]);
    const theirs = turnRows(rows, ORDER).map((row, i) => [i + 0.5004, ...row]);
    const equality = { mode: 'bag-any-column-order', tolerance: 0.001 } as const;
    expect(sameResult(result(ours), result(theirs), equality, false)).toBe('equal');
    const far = theirs.map(([real, ...row], i) => [Number(real) + (i === 9 ? 1 : 0), ...row]);
    expect(sameResult(result(ours), result(far), equality, false)).toBe('different');
  });

  it('adds a tolerance to ten digits', () => {
    const equality = { mode: 'bag', tolerance: 1e-14 } as const;
    expect(sameResult(result([[3000.1]]), result([[3000.1000000001]]), equality, false)).toBe('equal');
  });

  const TEN_DIGITS = { mode: 'bag', tolerance: null } as const;

  it.each([
    [123456789012.5, 123456789012.49998],
    [812577556712271.5, 812577556712271.4],
    [10193471812777000.0, 10193471812777002.0],
    [-123456789012.5, -123456789012.50002],
    [12345678901n, 12345678901.6],
  ])('takes %s and %s as equal, to ten digits', (left, right) => {
    for (const mode of RESULT_MODES) {
      for (const tolerance of [null, 1e-14]) {
        const [ours, theirs] = [result([['a', left, 1n]]), result([['a', right, 1n]])];
        expect(sameResult(ours, theirs, { mode, tolerance }, true)).toBe('equal');
        expect(sameResult(theirs, ours, { mode, tolerance }, true)).toBe('equal');
      }
    }
  });

  it.each([
    [123456789012.5, 123456789112.5],
    [123456789012n, 123456789013n],
    [9007199254740993n, 9007199254740992n],
    ['123456789012.5', 123456789012.5],
    [1e15, Infinity],
  ])('distinguishes %s and %s', (left, right) => {
    for (const mode of RESULT_MODES) {
      expect(sameResult(result([[left]]), result([[right]]), { ...TEN_DIGITS, mode }, false)).toBe('different');
    }
  });

  it('compares what stands next to a large real as without it', () => {
    const same = (left: SqlRow, right: SqlRow): string =>
      sameResult(result([left]), result([right]), TEN_DIGITS, false);
    expect(same([123456789012.5, 0.1 + 0.2], [123456789012.49998, 0.3])).toBe('equal');
    expect(same([123456789012.5, 1e-12], [123456789012.49998, 0])).toBe('different');
    expect(same([123456789012.5, 123456789012n], [123456789012.49998, 123456789013n])).toBe('different');
    // One of the two is below 10 billion, but not as the whole number that both of them are.
    expect(same([123456789012.5, 9999999999.6], [123456789012.49998, 10000000000.2])).toBe('equal');
  });

  it('pairs up rows of large reals in any order', () => {
    const rows = Array.from({ length: 500 }, (_, i) => [(i % 50) * 1e11 + 123456789012.5, `t${i % 7}`] as const);
    const others = rows.map(([value, text]) => [value - 0.0005, text] as const).reverse();
    expect(sameResult(result(rows), result(others), TEN_DIGITS, false)).toBe('equal');
    expect(sameResult(result(rows), result([...others.slice(1), others[1]!]), TEN_DIGITS, false)).toBe('different');
  });

  it('pairs up six thousand rows that are all close to each other', () => {
    const rows = Array.from({ length: 6000 }, (_, i) => [1 + i * 1e-6]);
    const others = rows.map(([value]) => [Number(value) + 5e-7]).reverse();
    expect(sameResult(result(rows), result(others), { mode: 'bag', tolerance: 0.1 }, false)).toBe('equal');
  });
});
