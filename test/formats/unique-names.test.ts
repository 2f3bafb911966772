import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uniqueNames } from '../../src/formats/sqlite-tables.js';

describe('uniqueNames', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'A', 'a'],
      ['a', 'A_2', 'a_3'],
    ],
    [
      ['', 'x', ''],
      ['column_1', 'x', 'column_3'],
    ],
    [
      ['a', 'a', 'a_2'],
      ['a', 'a_3', 'a_2'],
    ],
    [
      ['', 'column_1'],
      ['column_1_2', 'column_1'],
    ],
  ])('%j → %j', (names, unique) => {
    expect(uniqueNames(names)).toEqual(unique);
  });

  it('never gives a name twice or an empty one', () => {
    const name = fc.constantFrom('', 'a', 'A', 'a_2', 'b', 'column_1', 'column_2');
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const unique = uniqueNames(names).map((one) => one.toLowerCase());
        expect(new Set(unique).size).toBe(names.length);
        expect(unique).not.toContain('');
      }),
    );
  });
});
