import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchColumns, matchOrderedColumns } from '../../../src/sql/execution/column-matching.js';
import type { QueryRows, SqlRow, SqlValue } from '../../../src/sql/execution/query-outcome.js';

function result(rows: readonly SqlRow[], width = rows[0]?.length ?? 1): QueryRows {
  return { kind: 'rows', columns: Array.from({ length: width }, (_, i) => `c${i}`), rows };
}

const match = (left: QueryRows, right: QueryRows): string => matchColumns(left, right, 'numeric');

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((rest) =>
    Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)]),
  );
}

/** Whether some order of columns makes the bags of rows equal, by trying all. */
function bruteForce(left: readonly (readonly number[])[], right: readonly (readonly number[])[]): boolean {
  const bag = (rows: readonly (readonly number[])[]): string =>
    rows
      .map((row) => row.join())
      .sort()
      .join('|');
  if (left.length !== right.length) return false;
  return permutations(right[0]?.length ?? 0).some(
    (order) => bag(left) === bag(right.map((row) => order.map((c) => row[c] ?? -1))),
  );
}

const values = (rows: readonly (readonly number[])[]): SqlValue[][] => rows.map((row) => row.map((n) => BigInt(n)));

describe('matchColumns', () => {
  it('says what trying every order of columns says', () => {
    const table = (width: number): fc.Arbitrary<number[][]> =>
      fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 5,
      });
    const pair = fc.integer({ min: 1, max: 4 }).chain((width) => fc.tuple(table(width), table(width)));
    fc.assert(
      fc.property(pair, ([left, right]) => {
        expect(match(result(values(left)), result(values(right)))).toBe(
          bruteForce(left, right) ? 'equal' : 'different',
        );
      }),
      { numRuns: 400 },
    );
  });

  it('finds any order of columns and rows again, and any single value that is another', () => {
    const cell = fc.integer({ min: 0, max: 3 });
    const table = fc.tuple(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 12 })).chain(([width, height]) =>
      fc.record({
        rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
          minLength: height,
          maxLength: height,
        }),
        order: fc.shuffledSubarray([...Array(width).keys()], { minLength: width, maxLength: width }),
      }),
    );
    fc.assert(
      fc.property(table, ({ rows, order }) => {
        const turned = [...rows].reverse().map((row) => order.map((c) => row[c] ?? 0));
        expect(match(result(values(rows)), result(values(turned)))).toBe('equal');
        const other = turned.map((row, r) => row.map((value, c) => (r === 0 && c === 0 ? value + 9 : value)));
        expect(match(result(values(rows)), result(values(other)))).toBe('different');
      }),
    );
  });

  it('does not try out orders: 30 columns of 0 and 1, alike in their counts', () => {
    const rows = Array.from({ length: 60 }, (_, r) =>
      Array.from({ length: 30 }, (_, c) => Number((r * 7 + c * c) % 60 < 30)),
    );
    const turned = rows.map((row) => [...row].reverse());
    expect(match(result(values(rows)), result(values(turned)))).toBe('equal');
    const identity = Array.from({ length: 30 }, (_, r) => Array.from({ length: 30 }, (_, c) => Number(r === c)));
    expect(match(result(values(identity)), result(values([...identity].reverse())))).toBe('equal');
    const swapped = identity.map((row, r) => (r === 0 ? identity[1]! : row));
    expect(match(result(values(identity)), result(values(swapped)))).toBe('different');
  });

  it('ends on tables made to mislead it', () => {
    // Two rings of 6 against one of 12: each row and column looks like every other.
    const ring = (sizes: readonly number[]): number[][] => {
      let start = 0;
      return sizes.flatMap((size) => {
        const first = start;
        start += size;
        return Array.from({ length: size }, (_, i) =>
          Array.from({ length: 12 }, (_, c) => Number(c === first + i || c === first + ((i + 1) % size))),
        );
      });
    };
    expect(match(result(values(ring([6, 6]))), result(values(ring([12]))))).toBe('different');
    expect(match(result(values(ring([6, 6]))), result(values([...ring([6, 6])].reverse())))).toBe('equal');
  });

  it('takes results without rows, and numbers by value', () => {
    expect(match(result([], 3), result([], 3))).toBe('equal');
    expect(match(result([], 3), result([], 2))).toBe('different');
    expect(match(result([[1n, 0.3]]), result([[0.1 + 0.2, 1]]))).toBe('equal');
    expect(match(result([['1']]), result([[1n]]))).toBe('different');
    expect(match(result([[null, 'a']]), result([['a', null]]))).toBe('equal');
  });
});

describe('matchOrderedColumns', () => {
  it('allows another order of columns, not of rows', () => {
    const [left, turned] = [
      result([
        [1n, 'a'],
        [2n, 'b'],
      ]),
      result([
        ['a', 1n],
        ['b', 2n],
      ]),
    ];
    expect(matchOrderedColumns(left, turned, 'numeric')).toBe(true);
    expect(matchOrderedColumns(left, result([...turned.rows].reverse()), 'numeric')).toBe(false);
  });
});
