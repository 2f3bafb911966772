import { describe, expect, it } from 'vitest';
import { featuresOf } from '../../src/sql/query-features.js';

describe('featuresOf', () => {
  it.each([
    ['SELECT name FROM t', ['no WHERE']],
    ["SELECT count(*) FROM t WHERE a = 'x'", ['one WHERE condition', 'aggregate']],
    ['SELECT a FROM t WHERE a = 1 AND (b = 2 OR c = 3)', ['several WHERE conditions']],
    ['SELECT a FROM t WHERE a BETWEEN 1 AND 2', ['one WHERE condition']],
    [
      'SELECT T1.a FROM t AS T1 JOIN u AS T2 ON T1.i = T2.i GROUP BY T1.a HAVING count(*) > 1 ORDER BY T1.a LIMIT 3',
      ['JOIN', 'no WHERE', 'GROUP BY', 'HAVING', 'ORDER BY', 'LIMIT', 'aggregate'],
    ],
    ['SELECT a FROM t WHERE a IN (SELECT b FROM u WHERE c = 1)', ['several WHERE conditions', 'nested']],
    ['SELECT DISTINCT a FROM t EXCEPT SELECT b FROM u', ['no WHERE', 'set operation', 'DISTINCT']],
    ['SELECT count(DISTINCT a) FROM t', ['no WHERE', 'aggregate', 'DISTINCT']],
    ['SELECT max(a) OVER (PARTITION BY b) FROM t', ['no WHERE']],
    ['SELECT max(a, b) FROM t', ['no WHERE']],
    ['no query at all', []],
  ])('%s', (sql, features) => {
    expect(featuresOf(sql)).toEqual(features);
  });
});
