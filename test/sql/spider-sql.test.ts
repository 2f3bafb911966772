import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../src/errors.js';
import { toSpiderSql } from '../../src/sql/spider-sql.js';
import { toQueryTokens, toQueryTokensNoValue } from '../../src/sql/spider-tokens.js';
import { hasSpider, NEEDS_SPIDER, readDatabases, readJson } from './spider-files.js';
import { TOWN } from './town-database.js';

interface RawExample {
  readonly db_id: string;
  readonly query: string;
  readonly query_toks: readonly string[];
  readonly query_toks_no_value: readonly string[];
  readonly sql: unknown;
}

describe.skipIf(!hasSpider)(`Spider's dev.json${NEEDS_SPIDER}`, () => {
  const examples = hasSpider ? (readJson('dev.json') as RawExample[]) : [];

  it('has the same sql for all examples', () => {
    const databases = readDatabases();
    const wrong = examples.filter(({ query, db_id, sql }) => {
      const database = databases.get(db_id);
      return database === undefined || JSON.stringify(toSpiderSql(query, database)) !== JSON.stringify(sql);
    });
    expect(wrong.map(({ query }) => query)).toEqual([]);
    expect(examples).toHaveLength(1034);
  });

  it('has the same query_toks and query_toks_no_value for all examples', () => {
    for (const { query, query_toks, query_toks_no_value } of examples) {
      expect(toQueryTokens(query)).toEqual(query_toks);
      expect(toQueryTokensNoValue(query)).toEqual(query_toks_no_value);
    }
  });
});

describe('toSpiderSql', () => {
  it('reads arithmetic, negative numbers, aliases and directions', () => {
    const { select, where, orderBy } = toSpiderSql(
      'SELECT max(age - id), age - id AS n FROM person WHERE age > -3 ORDER BY n, name DESC',
      TOWN,
    );
    const difference = [1, [0, 3, false], [0, 1, false]];
    expect(select).toEqual([
      false,
      [
        [1, difference],
        [0, difference],
      ],
    ]);
    expect(where).toEqual([[false, 3, [0, [0, 3, false], null], -3, null]]);
    expect(orderBy).toEqual(['desc', [difference, [0, [0, 2, false], null]]]);
  });

  it.each([
    'SELECT name FROM person WHERE age IN (1, 2)',
    'SELECT name FROM person WHERE age IS NULL',
    'SELECT name FROM person WHERE (age = 1 OR age = 2) AND id = 3',
    'SELECT name FROM person WHERE EXISTS (SELECT 1 FROM city)',
    'SELECT name FROM person LEFT JOIN visit ON id = person_id',
    'SELECT name FROM person LIMIT 1 OFFSET 2',
    'SELECT lower(name) FROM person',
    'WITH q AS (SELECT name FROM person) SELECT name FROM q',
    'VALUES (1)',
  ])('refuses what the structure has no form for: %s', (sql) => {
    expect(() => toSpiderSql(sql, TOWN)).toThrow(SqlRewriteError);
    expect(() => toSpiderSql(sql, TOWN)).toThrow(/has no form for .* at offset \d+/);
  });
});
