import { describe, expect, it } from 'vitest';
import { restoreValues } from '../../../src/variants/verify/verify-groups.js';
import type { QueryRows } from '../../../src/sql/execution/query-outcome.js';

const result: QueryRows = {
  kind: 'rows',
  columns: ['country', 'code', 'n'],
  rows: [
    ['FRA', 'FRA', 1n],
    ['France', 'NLD', null],
  ],
};
const country = { column: 'singer.Country', now: ['singer.Country'], restored: null } as const;

describe('restoreValues', () => {
  it('gives old values back in the columns that a mapping names, and nowhere else', () => {
    const values = [['France', 'FRA'] as const];
    expect(restoreValues(result, [{ ...country, values, results: [0] }]).rows).toEqual([
      ['France', 'FRA', 1n],
      ['France', 'NLD', null],
    ]);
  });

  it('undoes the last of several changes first', () => {
    const first = { ...country, values: [['F', 'Female'] as const], results: [0] };
    const second = { ...country, values: [['Female', 'FEMALE'] as const], results: [0] };
    const changed: QueryRows = { ...result, rows: [['FEMALE', 'x', null]] };
    expect(restoreValues(changed, [first, second]).rows).toEqual([['F', 'x', null]]);
  });

  it('leaves a result as it is where rows stay', () => {
    expect(restoreValues(result, null)).toBe(result);
    expect(restoreValues(result, [{ ...country, restored: 'Country' }])).toBe(result);
  });
});
