import { describe, expect, it } from 'vitest';
import type { QueryRows, SqlRow } from '../../src/sql/execution/query-outcome.js';
import { differenceOf, resultDifference } from '../../src/report/result-difference.js';

const rowsOf = (rows: readonly SqlRow[], columns = ['a']): QueryRows => ({ kind: 'rows', columns, rows });
const numbers = (from: number, to: number): SqlRow[] => Array.from({ length: to - from }, (_, i) => [BigInt(from + i)]);

describe('differenceOf', () => {
  it('shows five rows of each result at most, those that differ among them wherever they are', () => {
    const { gold, predicted } = differenceOf(rowsOf(numbers(0, 100)), rowsOf(numbers(0, 101)), false);
    expect(gold).toEqual({ columns: ['a'], rows: [[0], [1], [2], [3], [4]], count: 100, differing: [] });
    expect(predicted).toEqual({ columns: ['a'], rows: [[0], [1], [2], [3], [100]], count: 101, differing: [4] });
  });

  it('marks rows that only stand in another place, and none where columns are swapped that may be', () => {
    const [first, second] = [numbers(0, 3), numbers(0, 3).reverse()];
    expect(differenceOf(rowsOf(first), rowsOf(second), false).gold.differing).toEqual([0, 2]);
    const [pair, swapped] = [rowsOf([[1n, 'x']], ['a', 'b']), rowsOf([['x', 1n]], ['b', 'a'])];
    expect(differenceOf(pair, swapped, true).gold.differing).toEqual([]);
    expect(differenceOf(pair, swapped, false).gold.differing).toEqual([0]);
  });

  it('cuts long texts, and has bytes, NULL and texts that are not UTF-8 as a report can hold them', () => {
    const odd: SqlRow = ['x'.repeat(1000), new Uint8Array([1, 255]), null, { text: new Uint8Array([255]) }, 2n ** 60n];
    const columns = ['a', 'b', 'c', 'd', 'e'];
    const found = differenceOf(rowsOf([odd], columns), rowsOf([], columns), false);
    expect(found.gold.rows).toEqual([[`${'x'.repeat(199)}…`, "X'01ff'", null, "X'ff'", String(2n ** 60n)]]);
    expect(found.predicted).toEqual({ columns, rows: [], count: 0, differing: [] });
    expect(resultDifference.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
  });
});
