import { describe, expect, it } from 'vitest';
import { dropDistinct } from '../../src/evaluate/execution/execution-tasks.js';

describe('dropDistinct', () => {
  it.each([
    ['SELECT DISTINCT a FROM t', 'SELECT a FROM t'],
    ['select distinct(a), b from t', 'select (a), b from t'],
    ['SELECT count(DISTINCT  a) FROM t', 'SELECT count(a) FROM t'],
    ['SELECT count( /* all */ DISTINCT a) FROM t', 'SELECT count( /* all */ a) FROM t'],
    [
      'SELECT a FROM t WHERE b IN (SELECT DISTINCT b FROM u) UNION SELECT DISTINCT c FROM v',
      'SELECT a FROM t WHERE b IN (SELECT b FROM u) UNION SELECT c FROM v',
    ],
  ])('%s is %s', (sql, expected) => {
    expect(dropDistinct(sql)).toBe(expected);
  });

  it.each([
    'SELECT a FROM t',
    "SELECT a FROM t WHERE b = 'SELECT DISTINCT'",
    'SELECT a IS NOT DISTINCT FROM b FROM t',
    'SELECT t."distinct" FROM t',
    "SELECT DISTINCT a FROM t WHERE b = 'unterminated",
  ])('leaves %s', (sql) => {
    expect(dropDistinct(sql)).toBe(sql);
  });
});
