import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neighborsOf } from '../../../src/testsuite/neighbors/neighbors.js';
import { openSchool, SCHOOL, schoolNeighbors } from './school.js';

/** Golds with the details of those neighbors that are shown to be equivalent. */
const PROVEN: readonly (readonly [sql: string, details: readonly string[]])[] = [
  ['SELECT name FROM student WHERE age > 34.5', ['34.5 → 34.501', '34.5 → 34.499', '> → >=']],
  ['SELECT name FROM student WHERE 34.5 < age', ['34.5 → 34.501', '34.5 → 34.499', '< → <=']],
  ['SELECT name FROM student WHERE age BETWEEN 1.5 AND 3', ['1.5 → 1.501', '1.5 → 1.499']],
  ['SELECT city FROM student GROUP BY city HAVING count(*) = 1', ['= → <=']],
  ['SELECT city FROM student GROUP BY city HAVING count(*) >= 1', ['1 → 0', 'HAVING count(*) >= 1']],
  ['SELECT city FROM student GROUP BY city HAVING count(*) >= 1 AND max(age) > 3', ['1 → 0', 'AND count(*) >= 1']],
  ['SELECT count(*) FROM student', ['count(*) → count(id)']],
  ['SELECT count(course) FROM grade', ['course → term', 'count(course) → count(*)']],
  ['SELECT DISTINCT id, city FROM student', ['SELECT DISTINCT → SELECT']],
  ['SELECT DISTINCT course, term FROM grade', ['SELECT DISTINCT → SELECT']],
  ['SELECT DISTINCT city FROM student GROUP BY city', ['SELECT DISTINCT → SELECT']],
  ['SELECT DISTINCT city FROM student UNION SELECT course FROM grade', ['SELECT DISTINCT → SELECT']],
  ['SELECT max(DISTINCT age) FROM student', ['max(DISTINCT …) → max(…)']],
  [
    'SELECT name FROM student WHERE id IN (SELECT DISTINCT student FROM grade ORDER BY mark)',
    ['SELECT DISTINCT → SELECT', 'ORDER BY mark', 'ASC → DESC'],
  ],
  ['SELECT max(age) FROM student ORDER BY max(age) LIMIT 1', ['LIMIT 1', 'ORDER BY max(age)']],
  ['SELECT name FROM student WHERE EXISTS (SELECT mark FROM grade WHERE student = id LIMIT 2)', ['LIMIT 2', '2 → 3']],
  ['SELECT name FROM student WHERE EXISTS (SELECT mark FROM grade WHERE student = id)', ['mark → student']],
  ['SELECT count(*) FROM student WHERE age = 1 OR age > 3', ['count(*) → count(age)']],
  ['SELECT count(mark) FROM grade JOIN student ON id = student WHERE mark BETWEEN 1 AND 2', ['count(mark) → count(*)']],
  ['SELECT name FROM student JOIN grade ON id = student WHERE mark = 1', ['JOIN → LEFT JOIN']],
  ['SELECT name FROM student LEFT JOIN grade ON id = student WHERE mark IN (1, 2)', ['LEFT JOIN → JOIN']],
  ['SELECT sum(mark) FROM student JOIN grade ON id = student', ['JOIN → LEFT JOIN']],
  [
    'SELECT text, author FROM note JOIN student ON author = id',
    ['JOIN → LEFT JOIN', 'student', 'note.author → student.id'],
  ],
  ['SELECT note.text FROM student JOIN note ON author = id', ['student']],
  ['SELECT mark FROM grade LEFT JOIN student ON student = id', ['student']],
  ['SELECT note.text, name FROM note JOIN student ON author = id ORDER BY id, name', ['name', 'ASC → DESC']],
  ['SELECT text FROM note WHERE number = 3 ORDER BY number', ['ASC → DESC']],
  ['SELECT number, name FROM note JOIN student ON author = id', ['SELECT → SELECT DISTINCT']],
  ['SELECT DISTINCT number FROM note JOIN student ON author = id GROUP BY number', ['SELECT DISTINCT → SELECT']],
  ['SELECT city FROM student ORDER BY city LIMIT 1', ['SELECT → SELECT DISTINCT']],
  [
    'SELECT name, count(*) FROM student JOIN note ON id = author GROUP BY id, name',
    ['GROUP BY name', 'student.id → note.author'],
  ],
  ['SELECT name, count(*) FROM student JOIN note ON id = author GROUP BY id', ['count(*) → count(DISTINCT number)']],
  ['SELECT count(DISTINCT number) FROM note', ['count(DISTINCT …) → count(…)', 'count(DISTINCT number) → count(*)']],
  ['SELECT name FROM student GROUP BY id', ['GROUP BY id']],
  ['SELECT name, max(age) FROM student GROUP BY id', ['max → min', 'max(age) → age']],
  ['SELECT name FROM student WHERE age = (SELECT mark FROM grade ORDER BY course, term LIMIT 1)', ['LIMIT 1', '1 → 2']],
  ['SELECT name FROM student WHERE age IN (SELECT max(mark) FROM grade)', ['IN → =']],
  ['SELECT name FROM student WHERE id IN (SELECT student FROM grade UNION SELECT 1)', ['UNION → UNION ALL']],
  ['SELECT city FROM student UNION ALL SELECT course FROM grade UNION SELECT term FROM grade', ['UNION ALL → UNION']],
  [
    'SELECT 1 FROM student AS a, student AS b, note WHERE a.id = b.id AND b.id = author AND a.id = author',
    ['AND a.id = b.id', 'AND b.id = author', 'AND a.id = author'],
  ],
];

/** Golds with the details of neighbors that look equivalent and are not. */
const OPEN: readonly (readonly [sql: string, details: readonly string[]])[] = [
  ['SELECT name FROM student WHERE age > 34', ['34 → 35', '> → >=']],
  ['SELECT name FROM student WHERE height > 34.5', ['34.5 → 34.501', '> → >=']],
  ['SELECT city FROM student GROUP BY city HAVING count(city) >= 1', ['1 → 0', 'HAVING count(city) >= 1']],
  ['SELECT count(*) > 0 FROM student', ['> → >=']],
  ['SELECT count(city) FROM student', ['count(city) → count(*)', 'city → name']],
  ['SELECT count(name) FROM grade LEFT JOIN student ON student = id', ['count(name) → count(*)', 'name → city']],
  ['SELECT count(DISTINCT name) FROM student', ['count(DISTINCT …) → count(…)']],
  ['SELECT DISTINCT id FROM student JOIN grade ON id = student', ['SELECT DISTINCT → SELECT']],
  ['SELECT DISTINCT course FROM grade', ['SELECT DISTINCT → SELECT']],
  ['SELECT DISTINCT city FROM student UNION ALL SELECT course FROM grade', ['SELECT DISTINCT → SELECT']],
  ['SELECT DISTINCT age FROM student GROUP BY city', ['SELECT DISTINCT → SELECT']],
  [
    'SELECT id FROM student WHERE id IN (SELECT student FROM grade ORDER BY mark LIMIT 1)',
    ['ORDER BY mark', 'LIMIT 1'],
  ],
  ['SELECT max(age) FROM student LIMIT 1 OFFSET 1', ['LIMIT 1 OFFSET 1']],
  ['SELECT max(age) FROM student LIMIT 1', ['1 → 0']],
  ['SELECT name FROM student ORDER BY age', ['ORDER BY age']],
  ['SELECT count(*) FROM student WHERE age = 1 OR height > 3', ['count(*) → count(age)']],
  ['SELECT name FROM student JOIN grade ON id = student', ['JOIN → LEFT JOIN', 'grade']],
  ['SELECT name FROM student LEFT JOIN grade ON id = student WHERE mark IS NULL', ['LEFT JOIN → JOIN']],
  ['SELECT name FROM student LEFT JOIN grade ON id = student WHERE mark NOT IN (SELECT 1)', ['LEFT JOIN → JOIN']],
  // Not all grades have a student.
  ['SELECT mark FROM grade JOIN student ON student = id', ['JOIN → LEFT JOIN', 'student']],
  ['SELECT text FROM note JOIN student ON author = id AND age > 1', ['student', 'JOIN → LEFT JOIN']],
  ['SELECT sum(mark), count(*) FROM student JOIN grade ON id = student', ['JOIN → LEFT JOIN']],
  ['SELECT name FROM student LEFT JOIN note ON id = author', ['note']],
  ['SELECT text, name FROM note JOIN student ON author = id ORDER BY name, id', ['id', 'ASC → DESC']],
  ['SELECT number, name FROM note JOIN grade ON author = student, student', ['SELECT → SELECT DISTINCT']],
  // SQLite orders the first of each name.
  ['SELECT name FROM student ORDER BY age LIMIT 1', ['SELECT → SELECT DISTINCT']],
  ['SELECT name, count(*) FROM student JOIN note ON id = author GROUP BY name, id', ['GROUP BY id']],
  ['SELECT name, count(*) FROM student JOIN note ON id = author GROUP BY id', ['count(*) → count(DISTINCT id)']],
  ['SELECT name, max(mark) FROM student JOIN grade ON id = student GROUP BY id', ['max → min', 'GROUP BY id']],
  ['SELECT name FROM student WHERE age IN (SELECT mark FROM grade)', ['IN → =']],
  ['SELECT name FROM student WHERE age NOT IN (SELECT max(mark) FROM grade HAVING count(*) > 2)', ['NOT IN → !=']],
  ['SELECT city FROM student UNION ALL SELECT course FROM grade', ['UNION ALL → UNION']],
  // Equal texts of numbers may be different texts.
  ['SELECT code, id FROM student, grade WHERE id = code GROUP BY code', ['grade.code → student.id']],
];

const rows = fc.array(
  fc.record({
    city: fc.constantFrom('a', 'b', null),
    age: fc.constantFrom(0, 1, 2, 3, 33, 34, 35, null),
    student: fc.constantFrom(1, 2, 3, null),
    author: fc.nat(5),
    code: fc.constantFrom('1', '01', '2', null),
    term: fc.constantFrom('x', 'y'),
    mark: fc.constantFrom(1, 2, 3, null),
  }),
  { maxLength: 6 },
);

describe('equivalent neighbors', () => {
  it.each(PROVEN)('%s', (sql, details) => {
    const proven = schoolNeighbors(sql).filter(({ equivalent }) => equivalent !== null);
    expect(proven.map(({ detail }) => detail)).toEqual(expect.arrayContaining([...details]));
  });

  it.each(OPEN)('not of: %s', (sql, details) => {
    const open = schoolNeighbors(sql).filter(({ equivalent }) => equivalent === null);
    expect(open.map(({ detail }) => detail)).toEqual(expect.arrayContaining([...details]));
  });

  it('needs more than names and types for what only declarations tell', () => {
    for (const sql of ['SELECT DISTINCT id FROM student', 'SELECT name FROM student WHERE age > 34.5']) {
      const proven = neighborsOf(sql, SCHOOL, { seed: 1 }).filter(({ equivalent }) => equivalent !== null);
      expect(proven).toEqual([]);
    }
  });

  it('have the result of their gold on every database', () => {
    const pairs = [...PROVEN, ...OPEN].flatMap(([gold]) =>
      schoolNeighbors(gold).flatMap(({ sql, equivalent }) => (equivalent === null ? [] : [[gold, sql] as const])),
    );
    fc.assert(
      fc.property(rows, (drawn) => {
        const sqlite = openSchool();
        const student = sqlite.prepare('INSERT INTO student (name, city, age) VALUES (?, ?, ?)');
        const grade = sqlite.prepare('INSERT INTO grade VALUES (?, ?, ?, ?, ?)');
        const note = sqlite.prepare('INSERT INTO note (author, text) VALUES (?, ?)');
        drawn.forEach((row, i) => {
          student.run(`n${i % 3}`, row.city, row.age);
          grade.run(row.student, `c${i >> 1}`, `${row.term}${i % 2}`, row.mark, row.code);
        });
        drawn.forEach(({ author, city }) => note.run(1 + (author % drawn.length), city));
        const bag = (sql: string): string[] =>
          sqlite
            .prepare(sql)
            .raw()
            .all()
            .map((r) => JSON.stringify(r));
        for (const [gold, sql] of pairs)
          expect({ sql, rows: bag(sql).sort() }).toEqual({ sql, rows: bag(gold).sort() });
        sqlite.close();
      }),
      { numRuns: 60 },
    );
  });
});
