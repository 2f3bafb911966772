import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/sql/edits.js';
import { CHANGE_KINDS, type ChangeKind } from '../../../src/testsuite/neighbors/change.js';
import { NEIGHBOR_RULES } from '../../../src/testsuite/neighbors/neighbors.js';
import { schoolChanges, schoolNeighbors } from './school.js';

/** Golds with all their neighbors of one kind; `…` stands for the gold's text up to there. */
const CHANGES: readonly (readonly [kind: ChangeKind, gold: string, changed: readonly string[]])[] = [
  ['table', 'SELECT count(text) FROM note', []],
  ['table', 'SELECT count(*) FROM note AS n', ['SELECT count(*) FROM student AS n', 'SELECT count(*) FROM grade AS n']],
  ['table', 'SELECT s.name FROM student AS s', []],
  // What is read of the one table, the other has, too: of both it would be ambiguous.
  ['table', 'SELECT mark FROM student JOIN grade ON id = mark', []],
  [
    'connective',
    "SELECT id FROM student WHERE age = 1 AND city = 'a' OR name = 'b'",
    [
      "SELECT id FROM student WHERE age = 1 AND city = 'a' AND name = 'b'",
      "SELECT id FROM student WHERE age = 1 OR city = 'a' OR name = 'b'",
    ],
  ],
  ['connective', 'SELECT id FROM student JOIN grade ON id = student AND mark = 1', []],
  [
    'arithmetic',
    'SELECT age - height FROM student',
    ['SELECT age + height FROM student', 'SELECT age FROM student', 'SELECT height FROM student'],
  ],
  ['arithmetic', "SELECT name || 'x' FROM student", ['SELECT name FROM student', "SELECT 'x' FROM student"]],
  [
    'join-type',
    'SELECT id FROM student INNER JOIN grade ON id = student',
    ['SELECT id FROM student LEFT JOIN grade ON id = student'],
  ],
  [
    'join-type',
    'SELECT id FROM student LEFT OUTER JOIN grade ON id = student',
    ['SELECT id FROM student JOIN grade ON id = student'],
  ],
  ['join-type', 'SELECT id FROM student, grade WHERE id = student', []],
  // SQLite takes no table in the condition of a LEFT JOIN that comes after it.
  [
    'join-type',
    'SELECT s.id FROM student AS s JOIN grade AS g ON s.id = t.age JOIN student AS t ON t.id = s.id',
    ['SELECT s.id FROM student AS s JOIN grade AS g ON s.id = t.age LEFT JOIN student AS t ON t.id = s.id'],
  ],
  [
    'set-operator',
    'SELECT name FROM student UNION SELECT course FROM grade',
    ['UNION ALL', 'INTERSECT', 'EXCEPT'].map((other) => `SELECT name FROM student ${other} SELECT course FROM grade`),
  ],
  ['add-distinct', 'SELECT city FROM student', ['SELECT DISTINCT city FROM student']],
  ['add-distinct', 'SELECT count(city), max(age) FROM student', ['SELECT count(DISTINCT city), max(age) FROM student']],
  ['add-distinct', 'SELECT name FROM student UNION SELECT course FROM grade', []],
  ['add-distinct', 'SELECT DISTINCT name FROM student WHERE id IN (SELECT student FROM grade)', []],
  [
    'add-limit',
    'SELECT name FROM student ORDER BY age DESC',
    [1, 10].map((limit) => `SELECT name FROM student ORDER BY age DESC LIMIT ${limit}`),
  ],
  ['null-handling', 'SELECT avg(age) FROM student', ['SELECT avg(coalesce(age, 0)) FROM student']],
  [
    'null-handling',
    "SELECT name FROM student WHERE city <> 'Ulm' OR age > (SELECT avg(T.age) FROM student AS T)",
    [
      "SELECT name FROM student WHERE city IS NOT 'Ulm' OR age > (SELECT avg(T.age) FROM student AS T)",
      "SELECT name FROM student WHERE city <> 'Ulm' OR age > (SELECT avg(coalesce(T.age, 0)) FROM student AS T)",
    ],
  ],
  ['null-handling', "SELECT max(age) FROM student WHERE city = 'Ulm'", []],
  ['add-limit', 'SELECT name FROM student ORDER BY age LIMIT 3', []],
  ['add-limit', 'SELECT name FROM student', []],
  [
    'drop-column',
    'SELECT name, city AS c, count(*) FROM student GROUP BY name ORDER BY c',
    [
      'SELECT city AS c, count(*) FROM student GROUP BY name ORDER BY c',
      'SELECT name, city AS c FROM student GROUP BY name ORDER BY c',
    ],
  ],
  ['drop-column', 'SELECT name, age FROM student ORDER BY 2', []],
  // Without the star, the name in ORDER BY would be that of both tables.
  [
    'drop-column',
    'SELECT b.age + 1, a.* FROM student AS a, student AS b ORDER BY city',
    ['SELECT a.* FROM student AS a, student AS b ORDER BY city'],
  ],
  ['drop-column', 'SELECT p.* FROM (SELECT name, city FROM student) AS p UNION SELECT course, term FROM grade', []],
  ['drop-column', 'SELECT name, age FROM student UNION SELECT course, mark FROM grade', []],
  [
    'drop-column',
    'SELECT name, count(*) FROM student HAVING count(*) > 1',
    ['SELECT count(*) FROM student HAVING count(*) > 1'],
  ],
  [
    'drop-aggregate',
    'SELECT count(*), max(age) FROM student',
    ['SELECT *, max(age) FROM student', 'SELECT count(*), age FROM student'],
  ],
  ['drop-aggregate', 'SELECT count(DISTINCT city) FROM student', ['SELECT city FROM student']],
  ['drop-aggregate', 'SELECT avg(age - id) FROM student', ['SELECT (age - id) FROM student']],
  [
    'drop-aggregate',
    'SELECT max(age) FROM student HAVING min(age) > 1',
    ['SELECT max(age) FROM student HAVING age > 1'],
  ],
  [
    'drop-bound',
    'SELECT id FROM student WHERE age BETWEEN 1 AND 2',
    ['SELECT id FROM student WHERE age >= 1', 'SELECT id FROM student WHERE age <= 2'],
  ],
  [
    'drop-bound',
    'SELECT id FROM student WHERE age NOT BETWEEN 1 AND 2',
    ['SELECT id FROM student WHERE age < 1', 'SELECT id FROM student WHERE age > 2'],
  ],
  [
    'drop-listed',
    'SELECT id FROM student WHERE age IN (1, 2)',
    ['SELECT id FROM student WHERE age IN (2)', 'SELECT id FROM student WHERE age IN (1)'],
  ],
  [
    'drop-listed',
    "SELECT CASE WHEN age > 1 THEN 'a' WHEN age > 2 THEN 'b' ELSE 'c' END FROM student",
    [
      "SELECT CASE WHEN age > 2 THEN 'b' ELSE 'c' END FROM student",
      "SELECT CASE WHEN age > 1 THEN 'a' ELSE 'c' END FROM student",
      "SELECT CASE WHEN age > 1 THEN 'a' WHEN age > 2 THEN 'b' END FROM student",
    ],
  ],
  ['drop-join', 'SELECT name FROM student JOIN grade ON id = student', ['SELECT name FROM student']],
  [
    'drop-join',
    'SELECT g.mark FROM student AS s JOIN grade AS g ON s.id = g.student',
    ['SELECT g.mark FROM grade AS g'],
  ],
  ['drop-join', 'SELECT s.*, mark FROM student AS s JOIN grade ON id = student', []],
  ['drop-on', 'SELECT name FROM student JOIN grade ON id = student', ['SELECT name FROM student JOIN grade']],
  [
    'drop-limit',
    'SELECT id FROM student LIMIT 2 OFFSET 1',
    ['SELECT id FROM student', 'SELECT id FROM student LIMIT 2'],
  ],
  ['drop-limit', 'SELECT id FROM student LIMIT 1, 2', ['SELECT id FROM student', 'SELECT id FROM student LIMIT 2']],
  [
    'drop-clauses',
    'SELECT name FROM student WHERE age > 1 ORDER BY id LIMIT 3',
    ['SELECT name FROM student LIMIT 3', 'SELECT name FROM student', 'SELECT name FROM student WHERE age > 1'],
  ],
  [
    'drop-clauses',
    'SELECT city FROM student GROUP BY city HAVING count(*) > 1 ORDER BY count(*)',
    ['SELECT city FROM student', 'SELECT city FROM student GROUP BY city'],
  ],
];

describe('changes', () => {
  it('have one rule for each kind', () => {
    expect(Object.keys(NEIGHBOR_RULES).sort()).toEqual([...CHANGE_KINDS].sort());
  });

  it.each(CHANGES)('%s: %s', (kind, gold, changed) => {
    expect(schoolChanges(kind, gold)).toEqual(changed);
  });

  it.each(CHANGES)('%s in a subquery: %s', (kind, gold, changed) => {
    const around = (sql: string): string => `SELECT mark FROM grade WHERE mark > 0 AND EXISTS (SELECT * FROM (${sql}))`;
    // A star stands for count(*) only where the number of columns is free.
    const expected = changed.filter((sql) => !sql.startsWith('SELECT *'));
    const found = schoolChanges(kind, around(gold)).map((sql) => sql.replaceAll(' )', ')'));
    expect(found).toEqual(expect.arrayContaining(expected.map(around)));
  });

  it('name a table without an alias by the name that it had', () => {
    const changed = schoolChanges('table', 'SELECT count(*) FROM student')
      .map((sql) => sql.slice(21))
      .sort();
    expect(changed).toEqual(['grade AS student', 'note AS student']);
  });

  it('are edits of the gold', () => {
    for (const [, gold] of CHANGES)
      for (const { sql, edit } of schoolNeighbors(gold)) expect(applyEdits(gold, [edit])).toBe(sql);
  });

  it('ask for texts that hold a word, and for a part of a pattern at its ends', () => {
    const compared = schoolChanges('comparison-operator', "SELECT id FROM student WHERE name = 'O''Hara' AND age = 3");
    expect(compared).toContain("SELECT id FROM student WHERE name LIKE '%O''Hara%' AND age = 3");
    expect(compared.join()).not.toContain('age LIKE');
    for (const seed of [1, 2, 3]) {
      const texts = schoolNeighbors("SELECT id FROM student WHERE name LIKE '%Ann%'", seed).map(({ sql }) => sql);
      const patterns = ['%nn%', '%An%', 'Ann%', '%Ann'].map(
        (text) => `SELECT id FROM student WHERE name LIKE '${text}'`,
      );
      expect(texts).toEqual(expect.arrayContaining(patterns));
    }
    const whole = schoolChanges('string-constant', "SELECT id FROM student WHERE name LIKE 'Ann'").join();
    expect(whole).not.toContain('%');
  });

  it('group by what is selected, and by the key, whatever else there is', () => {
    for (const seed of [1, 2, 3]) {
      const grouped = (sql: string): string =>
        schoolNeighbors(sql, seed)
          .map((each) => each.sql)
          .join('\n');
      expect(grouped('SELECT name, count(*) FROM student JOIN grade ON id = student GROUP BY id')).toContain('BY name');
      expect(grouped('SELECT name, count(*) FROM student JOIN grade ON id = student GROUP BY name')).toContain('BY id');
      expect(grouped('SELECT name FROM note JOIN student ON author = id GROUP BY name')).toContain('BY number');
    }
  });

  it('keep a star in a set operation, where the number of columns counts', () => {
    const sql =
      'SELECT * FROM student JOIN grade ON id = student UNION SELECT * FROM student JOIN grade ON id = student';
    expect(schoolChanges('drop-join', sql)).toEqual([]);
    expect(schoolChanges('table', sql)).toEqual([]);
  });

  it('keep what a set operation is ordered by, where that is no name', () => {
    const sql = 'SELECT max(age) FROM student UNION SELECT mark FROM grade ORDER BY max(age)';
    for (const kind of ['aggregator', 'drop-aggregate', 'column'] as const)
      expect(schoolChanges(kind, sql)).toEqual([]);
  });

  it('take another constant of the query, and other cases of a string but in LIKE', () => {
    const sql = "SELECT id FROM student WHERE name = 'Ann Lee' AND city = 'Rome' AND age IN (1, 7)";
    const strings = schoolChanges('string-constant', sql).join('\n');
    for (const part of ["name = 'Rome'", "city = 'Ann Lee'", "'ANN LEE'", "'ann lee'", "'Ann lee'"])
      expect(strings).toContain(part);
    expect(schoolChanges('numeric-constant', sql).join('\n')).toContain('IN (7, 7)');
    expect(schoolChanges('string-constant', "SELECT id FROM student WHERE name LIKE '%Ann%'").join()).not.toContain(
      'ANN',
    );
  });
});
