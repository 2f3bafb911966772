import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { denotationHash } from '../../../src/testsuite/denotation/denotation-runner.js';
import type { QueryRows, SqlValue } from '../../../src/sql/execution/query-outcome.js';
import { compareResults } from '../../../src/sql/execution/result-comparison.js';

// Few values, so that equal results come up; some are texts that a careless hash would mix up.
const value = fc.constantFrom<SqlValue>(null, 1n, 1, 0.30000000000000004, 0.3, '1', '', 't1:1,', ',', 'a', 2n);
const result: fc.Arbitrary<QueryRows> = fc
  .integer({ min: 1, max: 2 })
  .chain((width) =>
    fc
      .array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 3 })
      .map((rows) => ({ kind: 'rows', columns: Array.from({ length: width }, (_, c) => `c${c}`), rows })),
  );

describe('denotationHash', () => {
  it.each(['bag', 'set', 'ordered'] as const)('is shared exactly by results that are equal: %s', (mode) => {
    fc.assert(
      fc.property(result, result, fc.boolean(), (left, other, again) => {
        const right = again ? { ...left, rows: [...left.rows].reverse() } : other;
        const isEqual = compareResults(left, right, mode, 'numeric') === null;
        expect(denotationHash(left, mode) === denotationHash(right, mode)).toBe(isEqual);
      }),
      { numRuns: 1000 },
    );
  });

  it('distinguishes results without rows by their columns, not by the names of these', () => {
    const empty = (...columns: string[]): string => denotationHash({ kind: 'rows', columns, rows: [] }, 'bag');
    expect(empty('a')).toBe(empty('b'));
    expect(empty('a')).not.toBe(empty('a', 'b'));
  });
});
