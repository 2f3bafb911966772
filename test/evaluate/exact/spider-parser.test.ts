import { describe, expect, it } from 'vitest';
import { createSpiderNames } from '../../../src/evaluate/exact/spider-names.js';
import { parseLikeSpider } from '../../../src/evaluate/exact/spider-parser.js';
import { toSpiderSql } from '../../../src/sql/spider-sql.js';
import { CONCERTS } from '../concert-database.js';

const NAMES = createSpiderNames(CONCERTS);
const parse = (sql: string): unknown => {
  const parsed = parseLikeSpider(sql, NAMES);
  return 'sql' in parsed ? parsed.sql : parsed.fault;
};

const isParsed = (sql: string): boolean => 'sql' in parseLikeSpider(sql, NAMES);

describe('parseLikeSpider', () => {
  it.each([
    'SELECT count(*) FROM Singer',
    'SELECT DISTINCT T1.Name FROM Singer AS T1 WHERE T1.Age > 20 AND T1.Country = "France"',
    "SELECT max(Capacity), avg(Capacity) FROM Stadium WHERE Name LIKE '%a%'",
    'SELECT T2.Name, count(*) FROM Concert AS T1 JOIN Stadium AS T2 ON T1.Stadium_Id = T2.Id GROUP BY T1.Stadium_Id HAVING count(*) >= 2',
    'SELECT Name FROM Stadium WHERE Id NOT IN (SELECT Stadium_Id FROM Concert WHERE Year BETWEEN 2010 AND 2014)',
    'SELECT Name FROM Stadium ORDER BY Capacity DESC, Name',
    'SELECT Country FROM Singer WHERE Age > 40 INTERSECT SELECT Country FROM Singer WHERE Age < 30',
    'SELECT Age - Singer_Id FROM Singer',
    'SELECT count(*) FROM (SELECT Name FROM Singer) ;',
  ])('makes of %s what our own parser makes of it', (sql) => {
    expect(parse(sql)).toEqual(toSpiderSql(sql, CONCERTS));
  });

  // The published evaluator's README of faults lists each of these as "cannot parse".
  it.each([
    'SELECT T1.Name FROM Stadium AS T1 LEFT JOIN Concert AS T2 ON T1.Id = T2.Stadium_Id',
    'SELECT T1.Name FROM Singer T1',
    'SELECT T1.Name FROM Stadium AS T1, Concert AS T2',
    'SELECT Name AS n FROM Singer',
    'SELECT CASE WHEN Age > 3 THEN 1 ELSE 0 END FROM Singer',
    'WITH x AS (SELECT Name FROM Singer) SELECT * FROM x',
    'SELECT round(Age) FROM Singer',
    'SELECT Name || Country FROM Singer',
    'SELECT Name FROM Singer WHERE Age <> 3',
    'SELECT Name FROM Singer WHERE Age IS NOT NULL',
    'SELECT `Name` FROM Singer',
    'SELECT Name FROM Singer WHERE (Age > 3 OR Age < 2)',
    'SELECT Name FROM Singer WHERE 3 < Age',
    'SELECT Name FROM Singer UNION ALL SELECT Name FROM Stadium',
    'SELECT 1',
    "SELECT Name FROM Singer WHERE Name = 'O''Neil' AND Country = 'it' 's'",
    `SELECT Name FROM Singer WHERE Name = "it's"`,
    'SELECT max(Age) - min(Age) FROM Singer',
    'SELECT x.Name FROM (SELECT Name FROM Singer) AS x',
    'SELECT Name FROM Singer WHERE Age>=3',
    'SELECT Name FROM Singer AS Stadium',
    '',
  ])('gives up on %s', (sql) => {
    expect(isParsed(sql)).toBe(false);
  });

  it('reads each LIMIT as 1 and nothing behind it', () => {
    expect(parse('SELECT Name FROM Singer LIMIT 3')).toEqual(parse('SELECT Name FROM Singer LIMIT 30 OFFSET 2'));
  });

  it('reads nothing between a compared column and the next clause', () => {
    expect(parse('SELECT Name FROM Singer WHERE Age = Singer_Id OR Age > 3 ORDER BY Name')).toEqual(
      parse('SELECT Name FROM Singer WHERE Age = Singer_Id ORDER BY Name'),
    );
  });

  it("does not know SQLite's own tables unless the file has them", () => {
    const table = { name: 'sqlite sequence', originalName: 'sqlite_sequence', columns: CONCERTS.tables[2]!.columns };
    const database = { ...CONCERTS, tables: [...CONCERTS.tables, table] };
    const sql = 'SELECT Age FROM sqlite_sequence';
    expect('sql' in parseLikeSpider(sql, createSpiderNames(database))).toBe(false);
    expect('sql' in parseLikeSpider(sql, createSpiderNames(database, new Set(['sqlite_sequence'])))).toBe(true);
  });

  it('ends on hostile text', () => {
    const deep = `SELECT Name FROM Singer WHERE Age = ${'(SELECT Age FROM Singer WHERE Age = '.repeat(5000)}1`;
    expect(isParsed(deep)).toBe(false);
    expect(isParsed('('.repeat(100_000))).toBe(false);
    expect(isParsed('as')).toBe(false);
    expect(isParsed(`SELECT a.${' '.repeat(200_000)}x`)).toBe(false);
    expect(isParsed(`${'SELECT a.'.repeat(50_000)}x`)).toBe(false);
  });
});
