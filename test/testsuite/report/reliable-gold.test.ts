import { describe, expect, it } from 'vitest';
import { isReliable } from '../../../src/testsuite/report/suite-report.js';

const GOLD = 'SELECT Name FROM Singer WHERE Age > 30 AND Country IN (SELECT Code FROM State) ORDER BY Name';

const isReliableWith = (...left: readonly string[]): boolean =>
  isReliable({ sql: GOLD, left: left.map((sql) => ({ sql })), isIndeterminate: false, hasRows: true });

describe('isReliable', () => {
  it('holds where no neighbor is left, or none that changes a condition', () => {
    expect(isReliableWith()).toBe(true);
    expect(isReliableWith(GOLD.replace('SELECT Name', 'SELECT DISTINCT Name'))).toBe(true);
    expect(isReliableWith(GOLD.replace('ORDER BY Name', 'ORDER BY Name DESC'))).toBe(true);
    expect(isReliableWith(GOLD.replace('Code FROM', 'Name FROM'))).toBe(true);
  });

  it.each([
    { what: 'changed', neighbor: GOLD.replace('30', '31') },
    { what: 'dropped', neighbor: GOLD.replace('WHERE Age > 30 AND Country IN (SELECT Code FROM State) ', '') },
    { what: 'dropped at its end', neighbor: GOLD.replace(' AND Country IN (SELECT Code FROM State)', '') },
  ])('does not where one is left whose condition is $what', ({ neighbor }) => {
    expect(isReliableWith(GOLD.replace('DESC', ''), neighbor)).toBe(false);
  });

  it('goes on after a subquery with the clause around it', () => {
    const sql = 'SELECT a FROM t WHERE b IN (SELECT b FROM u LIMIT 1) AND c = 1';
    const judged = { sql, left: [{ sql: sql.replace('c = 1', 'c = 2') }], isIndeterminate: false, hasRows: true };
    expect(isReliable(judged)).toBe(false);
  });

  it('does not for golds that depend on the order of rows, or find none', () => {
    const judged = { sql: GOLD, left: [], isIndeterminate: false, hasRows: true };
    expect(isReliable({ ...judged, isIndeterminate: true })).toBe(false);
    expect(isReliable({ ...judged, hasRows: false })).toBe(false);
  });
});
