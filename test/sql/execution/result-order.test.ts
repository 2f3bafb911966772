import { describe, expect, it } from 'vitest';
import { ordersResult } from '../../../src/sql/execution/result-mode.js';

describe('ordersResult', () => {
  it.each([
    'SELECT a FROM t ORDER BY a',
    'select a from t order  by a',
    'SELECT a FROM t ORDER\n\tBY a DESC LIMIT 3;',
    'SELECT a FROM t ORDER /* by */ BY -- x\n a',
    'SELECT a FROM t UNION SELECT b FROM u ORDER BY 1',
    'WITH x AS (SELECT 1) SELECT * FROM x ORDER BY 1',
    'VALUES (2), (1) ORDER BY 1',
    '(SELECT a FROM t ORDER BY a)',
    '((SELECT a FROM t) ORDER BY a) ;',
    '(SELECT a FROM t) UNION (SELECT b FROM u) ORDER BY a',
  ])('is true: %s', (sql) => {
    expect(ordersResult(sql)).toBe(true);
  });

  it.each([
    'SELECT a FROM t',
    'SELECT a FROM (SELECT a FROM t ORDER BY a)',
    'SELECT a FROM t WHERE a IN (SELECT b FROM u ORDER BY b LIMIT 3)',
    'WITH x AS (SELECT 1 ORDER BY 1) SELECT * FROM x',
    'SELECT row_number() OVER (ORDER BY a) FROM t',
    'SELECT group_concat(a ORDER BY a) FROM t',
    "SELECT 'ORDER BY a' FROM t",
    'SELECT a AS "ORDER", b AS [BY] FROM t',
    'SELECT a FROM t -- ORDER BY a',
    'SELECT "order" by FROM t',
    '(SELECT a FROM t ORDER BY a) UNION (SELECT b FROM u ORDER BY b)',
    '',
  ])('is false: %s', (sql) => {
    expect(ordersResult(sql)).toBe(false);
  });

  it('says where a text is no SQL', () => {
    expect(() => ordersResult("SELECT 'a")).toThrow(/unterminated/);
  });
});
