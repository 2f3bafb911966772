import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueryRows, ResultValue } from '../../../src/sql/execution/query-outcome.js';
import { PUBLISHED_MODES, RESULT_MODES, sameResult } from '../../../src/sql/execution/result-mode.js';
import { createRowSifter } from '../../../src/sql/execution/execute-query.js';

const value: fc.Arbitrary<ResultValue> = fc.oneof(
  fc.constantFrom(null, 1n, 1, 1.0000000000001, 2, 0.1 + 0.2, 0.3, '1', 'a'),
  fc.constantFrom(12_345_678_901.5, 12_345_678_901.4, 1e20, 1e20 + 16_384),
);
const result = fc
  .integer({ min: 1, max: 2 })
  .chain((width) =>
    fc
      .array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 5 })
      .map((rows): QueryRows => ({ kind: 'rows', columns: Array.from({ length: width }, (_, i) => `c${i}`), rows })),
  );
const mode = fc.constantFrom(...RESULT_MODES, ...PUBLISHED_MODES);

describe('reading that ends early', () => {
  it('says of two results what reading them whole says', () => {
    fc.assert(
      fc.property(
        result,
        result,
        mode,
        fc.constantFrom(null, 0.001),
        fc.boolean(),
        (reference, other, name, tolerance, isOrdered) => {
          const equality = { mode: name, tolerance };
          const sifter = createRowSifter(reference, equality);
          const rows = other.rows.filter((row) => sifter?.hasEnded !== true && sifter?.take(row) !== 'skip');
          const whole = sameResult(reference, other, equality, isOrdered);
          if (sifter?.hasEnded === true) expect(whole).toBe('different');
          else expect(sameResult(reference, { ...other, rows }, equality, isOrdered)).toBe(whole);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('ends at the first row that the reference lacks, or one row beyond its number', () => {
    const reference: QueryRows = { kind: 'rows', columns: ['a'], rows: [[1n], [1n], [2n]] };
    const takes = (name: 'set' | 'bag', rows: readonly (readonly ResultValue[])[]): readonly string[] => {
      const sifter = createRowSifter(reference, { mode: name, tolerance: null });
      return rows.map((row) => sifter?.take(row) ?? '');
    };
    expect(takes('set', [[2], [2n], [1n], [3n]])).toEqual(['keep', 'skip', 'keep', 'end']);
    expect(takes('bag', [[3n], [3n], [3n], [3n]])).toEqual(['keep', 'keep', 'keep', 'end']);
  });
});
