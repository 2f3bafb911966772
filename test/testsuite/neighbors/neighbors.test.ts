import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../../src/errors.js';
import type { Database, Table } from '../../../src/schema/schema.js';
import { neighborsOf } from '../../../src/testsuite/neighbors/neighbors.js';
import { SCHOOL, schoolChanges, schoolNeighbors } from './school.js';

describe('neighborsOf', () => {
  it('moves an integer by one and draws random ones', () => {
    const changed = schoolChanges('numeric-constant', 'SELECT name FROM student WHERE age > 34');
    const numbers = changed.map((sql) => Number(/> (-?[0-9]+)$/.exec(sql)?.[1]));
    expect(numbers.slice(0, 2)).toEqual([35, 33]);
    expect(numbers.slice(2, 4)).toEqual([0, 340]);
    expect(numbers).toHaveLength(6);
  });

  it('moves a decimal by 0.001', () => {
    const changed = schoolChanges('numeric-constant', 'SELECT name FROM student WHERE height > 1.5');
    expect(changed.slice(0, 2).map((sql) => sql.slice(-5))).toEqual(['1.501', '1.499']);
  });

  it('takes constants of BETWEEN, LIMIT and HAVING, and numbers in quotes', () => {
    const sql = `SELECT city FROM student WHERE age BETWEEN 10 AND 20 AND name = '7' GROUP BY city
      HAVING count(*) > 3 LIMIT 4`;
    const changed = schoolChanges('numeric-constant', sql).join('\n');
    for (const part of ['BETWEEN 11 AND', 'BETWEEN 10 AND 19', "'8'", '> 4', 'LIMIT 5'])
      expect(changed).toContain(part);
  });

  it('never makes a negative LIMIT, a comment, or another position in ORDER BY', () => {
    expect(schoolChanges('numeric-constant', 'SELECT name FROM student LIMIT 0').join()).not.toContain('-1');
    const signed = schoolChanges('numeric-constant', 'SELECT age-0 FROM student');
    expect(signed).toContain('SELECT age- -1 FROM student');
    expect(schoolChanges('numeric-constant', 'SELECT name FROM student ORDER BY 1')).toEqual([]);
  });

  it('makes random strings, parts and longer strings, also of a string in double quotes', () => {
    const changed = schoolChanges('string-constant', 'SELECT age FROM student WHERE name = "O\'Hara"');
    const strings = changed.map((sql) => /= '(.*)'$/.exec(sql)?.[1] ?? '');
    expect(strings).toContain("''Hara");
    expect(strings).toContain("O''Har");
    expect(strings.some((text) => text.endsWith("O''Hara"))).toBe(true);
    expect(strings.some((text) => text.startsWith("O''Hara"))).toBe(true);
    expect(strings.some((text) => /^[a-z]+$/.test(text))).toBe(true);
  });

  it('keeps the wildcards of a pattern around a random word, and its ESCAPE', () => {
    const changed = schoolChanges('string-constant', "SELECT age FROM student WHERE name LIKE '%an%' ESCAPE '!'");
    expect(changed.some((sql) => /'%[a-z]+%' ESCAPE '!'$/.test(sql))).toBe(true);
    expect(changed.every((sql) => sql.endsWith("ESCAPE '!'"))).toBe(true);
  });

  it('swaps comparison operators, spelled either way, and negates LIKE, IN, BETWEEN and IS', () => {
    const compared = schoolChanges('comparison-operator', 'SELECT name FROM student WHERE age<>3');
    expect(compared.map((sql) => sql.slice(31))).toEqual(['age=3', 'age<3', 'age<=3', 'age>3', 'age>=3']);
    const negated = (condition: string): string[] =>
      schoolChanges('comparison-operator', `SELECT name FROM student WHERE ${condition}`).map((sql) => sql.slice(31));
    expect(negated("name NOT LIKE 'a'")).toEqual(["name LIKE 'a'", "name != 'a'"]);
    expect(negated('age IN (1, 2)')).toEqual(['age NOT IN (1, 2)']);
    expect(negated('age NOT IN (SELECT 1)')).toEqual(['age IN (SELECT 1)', 'age != (SELECT 1)']);
    expect(negated('age BETWEEN 1 AND 2')).toEqual(['age NOT BETWEEN 1 AND 2']);
    expect(negated('age IS NOT NULL')).toEqual(['age IS NULL']);
    expect(negated('NOT(age = 1)')).toContain('(age = 1)');
  });

  it('leaves the operators of the condition of a join', () => {
    const sql = 'SELECT name FROM student AS s JOIN grade AS g ON s.id = g.student AND g.mark > 2';
    for (const kind of ['comparison-operator', 'drop-condition', 'connective'] as const)
      expect(schoolChanges(kind, sql)).toEqual([]);
  });

  it('swaps aggregators, and counts rows or the values of a column', () => {
    expect(schoolChanges('aggregator', 'SELECT max(age) FROM student').map((sql) => sql.slice(7, 10))).toEqual([
      ...['cou', 'sum', 'avg', 'min'],
    ]);
    expect(schoolChanges('aggregator', 'SELECT city, count(*) FROM student GROUP BY city')).toEqual([
      'SELECT city, count(id) FROM student GROUP BY city',
      'SELECT city, count(DISTINCT id) FROM student GROUP BY city',
      'SELECT city, count(city) FROM student GROUP BY city',
      'SELECT city, count(DISTINCT city) FROM student GROUP BY city',
    ]);
    expect(schoolChanges('aggregator', 'SELECT max(age, 3) FROM student')).toEqual([]);
  });

  it('swaps a column with those of its table and type, in the same qualification', () => {
    const [first, ...others] = schoolChanges('column', 'SELECT s.name FROM student AS s');
    expect(first).toBe('SELECT s.city FROM student AS s');
    expect(others.sort()).toEqual(['age', 'height', 'id'].map((name) => `SELECT s.${name} FROM student AS s`));
  });

  it('swaps a column with those of other tables at hand, in a join by the same type only', () => {
    const changed = schoolChanges('column', 'SELECT mark FROM student JOIN grade ON id = student');
    const selected = changed.flatMap((sql) => /^SELECT (\w+) .* ON id = student$/.exec(sql)?.[1] ?? []);
    expect(selected).toEqual(expect.arrayContaining(['student', 'id', 'age', 'height']));
    expect(selected.filter((name) => ['course', 'term', 'code', 'name', 'city'].includes(name))).toHaveLength(5);
    const conditions = changed.slice(selected.length).map((sql) => sql.slice(39));
    expect(conditions).toEqual(expect.arrayContaining(['age = student', 'mark = student', 'id = mark', 'id = height']));
    expect(conditions.join()).not.toMatch(/name|city|course|term|code/);
  });

  it('swaps few columns of other tables and types, however many there are', () => {
    const table = (name: string): Table => {
      const columns = Array.from({ length: 100 }, (_, i) => ({ name: `${name}${i}`, originalName: `${name}${i}` }));
      const typed = columns.map((column, i) => ({ ...column, type: i < 50 ? ('text' as const) : ('number' as const) }));
      return { name, originalName: name, columns: typed };
    };
    const wide: Database = { id: 'wide', tables: [table('a'), table('b')], primaryKeys: [], foreignKeys: [] };
    const changed = neighborsOf('SELECT a0 FROM a, b', wide, { seed: 1 }).filter(({ kind }) => kind === 'column');
    expect(changed).toHaveLength(49 + 8 + 5);
  });

  it('leaves a column of a subquery that is named outside, and one that a set operation is ordered by', () => {
    const derived = schoolChanges('column', 'SELECT name FROM (SELECT name FROM student) AS t');
    expect(derived).toEqual([]);
    const ordered = schoolChanges('column', 'SELECT name FROM student UNION SELECT course FROM grade ORDER BY name');
    expect(ordered).toContain('SELECT name FROM student UNION SELECT term FROM grade ORDER BY name');
    expect(ordered.every((sql) => sql.startsWith('SELECT name') && sql.endsWith('ORDER BY name'))).toBe(true);
  });

  it('drops one side of a condition with its operator, or the whole of WHERE', () => {
    const changed = schoolChanges(
      'drop-condition',
      "SELECT id FROM student WHERE(age = 1)AND name = 'a' OR city = 'b'",
    );
    expect(changed.map((sql) => sql.slice(22))).toEqual([
      '',
      " WHERE city = 'b'",
      " WHERE(age = 1)AND name = 'a'",
      " WHERE name = 'a' OR city = 'b'",
      " WHERE(age = 1)OR city = 'b'",
    ]);
  });

  it('drops DISTINCT, ORDER BY, directions, LIMIT, GROUP BY and HAVING', () => {
    const sql =
      'SELECT DISTINCT city FROM student GROUP BY city, age HAVING max(age) > 1 ORDER BY city DESC, age LIMIT 3;';
    const dropped = (kind: Parameters<typeof schoolChanges>[0]): string[] => schoolChanges(kind, sql);
    expect(dropped('drop-distinct')).toEqual([sql.replace('DISTINCT ', '')]);
    expect(dropped('drop-order-by')).toEqual([
      sql.replace('ORDER BY city DESC, age ', ''),
      sql.replace('city DESC, ', ''),
      sql.replace(', age LIMIT', ' LIMIT'),
    ]);
    expect(dropped('order-direction')).toEqual([sql.replace('DESC,', ','), sql.replace('age LIMIT', 'age DESC LIMIT')]);
    expect(dropped('drop-limit')).toEqual([sql.replace(' LIMIT 3', '')]);
    expect(dropped('drop-having')).toEqual([sql.replace('HAVING max(age) > 1 ', '')]);
    expect(dropped('drop-group-by')).toEqual([
      sql.replace('GROUP BY city, age HAVING max(age) > 1 ', ''),
      sql.replace('BY city, age HAVING', 'BY age HAVING'),
      sql.replace('city, age HAVING', 'city HAVING'),
    ]);
  });

  it('keeps a GROUP BY that an aggregate in ORDER BY needs', () => {
    expect(schoolChanges('drop-group-by', 'SELECT city FROM student GROUP BY city ORDER BY count(*)')).toEqual([]);
  });

  it('drops one branch of a set operation', () => {
    expect(schoolChanges('drop-branch', 'SELECT name FROM student EXCEPT SELECT course FROM grade')).toEqual([
      'SELECT course FROM grade',
      'SELECT name FROM student',
    ]);
  });

  it('says what it changed', () => {
    const [neighbor] = schoolNeighbors('SELECT count(*) FROM grade LIMIT 3').filter(
      ({ kind }) => kind === 'drop-limit',
    );
    expect(neighbor).toEqual({
      sql: 'SELECT count(*) FROM grade',
      edit: { start: 26, end: 34, before: ' LIMIT 3', after: '' },
      kind: 'drop-limit',
      detail: 'LIMIT 3',
      equivalent: 'an aggregate without GROUP BY has one row',
    });
  });

  it('has none for a query without anything to change', () => {
    expect(schoolNeighbors('SELECT 1 AS one, 2 AS two')).not.toEqual([]);
    expect(schoolNeighbors('VALUES (NULL)')).toEqual([]);
  });

  it('depends on the seed and the gold only', () => {
    const sql = "SELECT id FROM student WHERE name = 'Ann'";
    expect(schoolNeighbors(sql, 1)).toEqual(schoolNeighbors(sql, 1));
    expect(schoolNeighbors(sql, 1)).not.toEqual(schoolNeighbors(sql, 2));
  });

  it('refuses a gold that does not resolve', () => {
    expect(() => neighborsOf('SELECT nothing FROM student', SCHOOL, { seed: 1 })).toThrow(SqlRewriteError);
  });
});
