import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffQueries, type QueryPiece } from '../../src/report/document/query-html.js';

const join = (pieces: readonly QueryPiece[]): string => pieces.map(({ text }) => text).join('');
const kept = (pieces: readonly QueryPiece[]): string => join(pieces.filter(({ changed }) => !changed));
const sql = fc
  .array(fc.constantFrom('SELECT', ' ', 'a', 'b', ',', "'a b'", '"c"', 'é', '\n', "'"))
  .map((parts) => parts.join(''));

describe('diffQueries', () => {
  it('loses no character, and both sides agree on what was kept', () => {
    fc.assert(
      fc.property(sql, sql, (before, after) => {
        const diff = diffQueries(before, after);
        expect(join(diff.before)).toBe(before);
        expect(join(diff.after)).toBe(after);
        expect(kept(diff.before)).toBe(kept(diff.after));
      }),
    );
  });

  it('finds equal queries equal', () => {
    expect(diffQueries('SELECT a FROM b', 'SELECT a FROM b').after).toEqual([
      { text: 'SELECT a FROM b', changed: false },
    ]);
  });

  it('takes queries too long to compare as wholly changed', () => {
    const long = 'a, '.repeat(2000);
    expect(diffQueries(long, `${long}b`).before).toEqual([{ text: long, changed: true }]);
  });
});
