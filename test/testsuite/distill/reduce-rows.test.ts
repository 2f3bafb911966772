import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceRows } from '../../../src/testsuite/distill/reduce-database.js';
import type { TableRows } from '../../../src/rows/fuzz/fuzzer.js';

const tables = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.array(fc.bigInt({ min: 0n, max: 30n }), { maxLength: 40 }),
);

const rowsOf = (values: Readonly<Record<string, readonly bigint[]>>): TableRows =>
  new Map(Object.entries(values).map(([table, own]) => [table, own.map((value) => [value])]));

const cellsOf = (rows: TableRows): string[] =>
  [...rows].flatMap(([table, own]) => own.map(([value]) => `${table} ${String(value)}`));

/** Whether a list is another one with some left out. */
function isWithin(fewer: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const one of all) if (one === fewer[at]) at++;
  return at === fewer.length;
}

describe('reduceRows', () => {
  it('leaves rows of which the property holds, in their order, and no more than were there', () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 1, max: 200 }), (values, maxTries) => {
        const rows = rowsOf(values);
        const sum = (some: TableRows): number => cellsOf(some).length;
        const least = Math.floor(sum(rows) / 3);
        const reduced = reduceRows(rows, (some) => sum(some) >= least, maxTries);
        expect(sum(reduced)).toBeGreaterThanOrEqual(least);
        expect([...reduced.keys()]).toEqual([...rows.keys()]);
        expect(isWithin(cellsOf(reduced), cellsOf(rows))).toBe(true);
      }),
    );
  });

  it('finds the rows that alone are needed where there is time, and looks at no more sets than it may', () => {
    fc.assert(
      fc.property(tables, fc.nat(5), fc.boolean(), (values, needed, isBounded) => {
        const rows = rowsOf(values);
        const wanted = cellsOf(rows).filter((_, i) => i % 7 === needed);
        const count = (some: TableRows, cell: string): number => cellsOf(some).filter((one) => one === cell).length;
        let tries = 0;
        const holds = (some: TableRows): boolean => {
          tries++;
          return wanted.every((cell) => count(some, cell) >= wanted.filter((one) => one === cell).length);
        };
        const reduced = reduceRows(rows, holds, isBounded ? 5 : 10_000);
        if (isBounded) expect(tries).toBeLessThanOrEqual(5);
        else expect(cellsOf(reduced).sort()).toEqual([...wanted].sort());
      }),
    );
  });

  it('leaves rows as they are where nothing can go', () => {
    const rows = rowsOf({ a: [1n, 2n], b: [] });
    expect(reduceRows(rows, () => false, 100)).toEqual(rows);
  });
});
