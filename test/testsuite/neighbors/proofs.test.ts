import type Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neighborsOf, type Neighbor } from '../../../src/testsuite/neighbors/neighbors.js';
import { classNeighbors, openClass } from './classroom.js';
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
  ['SELECT city FROM student GROUP BY city HAVING count(*) BETWEEN 1 AND 2', ['BETWEEN → <=']],
  ['SELECT city FROM student GROUP BY city HAVING count(*) >= 1', ['count(*) → count(DISTINCT id)']],
  ['SELECT name FROM student WHERE id = 2 ORDER BY age', ['LIMIT 1 added']],
  ['SELECT max(age) FROM student ORDER BY 1', ['LIMIT 1 added']],
  ['SELECT name FROM student WHERE age > (SELECT mark FROM grade ORDER BY course, term)', ['LIMIT 1 added']],
  ['SELECT name FROM student WHERE age > (SELECT min(age) FROM student)', ['> → !=']],
  ['SELECT name FROM student AS s WHERE s.age = (SELECT max(t.age) FROM student AS t)', ['= → >=']],
  ['SELECT name FROM student JOIN grade ON id = student WHERE (SELECT min(age) FROM student) = age', ['= → >=']],
  ['SELECT code FROM grade WHERE code != (SELECT max(code) FROM grade)', ['!= → <']],
  ['SELECT name FROM student JOIN grade ON id = student GROUP BY id HAVING count(*) > 1', ['JOIN → LEFT JOIN']],
  [
    'SELECT id, count(*) FROM student LEFT JOIN grade ON id = student GROUP BY id HAVING count(*) = 2',
    ['LEFT JOIN → JOIN'],
  ],
  ['SELECT id FROM student JOIN grade ON id = student GROUP BY id, mark HAVING count(mark) >= 1', ['JOIN → LEFT JOIN']],
  [
    'SELECT course FROM student JOIN grade ON id = student WHERE age = 1 INTERSECT SELECT course FROM grade WHERE mark = 2',
    ['JOIN → LEFT JOIN'],
  ],
  ['SELECT name FROM student EXCEPT SELECT course FROM student JOIN grade ON id = student', ['JOIN → LEFT JOIN']],
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
  ['SELECT city FROM student GROUP BY city HAVING count(*) BETWEEN 2 AND 3', ['BETWEEN → <=']],
  ['SELECT id FROM student ORDER BY id', ['LIMIT 1 added']],
  ['SELECT name FROM student WHERE age = 2 ORDER BY id', ['LIMIT 1 added']],
  ['SELECT name FROM student WHERE id IN (SELECT student FROM grade ORDER BY mark)', ['LIMIT 1 added']],
  ['SELECT name FROM student WHERE age > (SELECT min(age) FROM student WHERE id > 1)', ['> → !=']],
  ['SELECT mark FROM grade WHERE mark > (SELECT min(age) FROM student)', ['> → !=']],
  ['SELECT name FROM student WHERE age > (SELECT max(age) FROM student)', ['> → >=', '> → !=']],
  ['SELECT name FROM student WHERE age > (SELECT avg(age) FROM student)', ['> → !=']],
  ['SELECT name FROM student JOIN grade ON id = student GROUP BY id HAVING count(*) >= 1', ['JOIN → LEFT JOIN']],
  ['SELECT name FROM student JOIN grade ON id = student GROUP BY name HAVING count(*) > 1', ['JOIN → LEFT JOIN']],
  ['SELECT student FROM student JOIN grade ON id = student GROUP BY student HAVING count(*) > 1', ['JOIN → LEFT JOIN']],
  ['SELECT mark FROM student JOIN grade ON id = student INTERSECT SELECT mark FROM grade', ['JOIN → LEFT JOIN']],
  ['SELECT course FROM student JOIN grade ON id = student EXCEPT SELECT name FROM student', ['JOIN → LEFT JOIN']],
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

/** Golds over a classroom with the details of neighbors that are shown to be equivalent, and of some that are not. */
const SEATED: readonly (readonly [sql: string, proven: readonly string[], open: readonly string[]])[] = [
  ['SELECT DISTINCT s.student FROM pupil AS p JOIN seat AS s ON p.student = s.student', ['pupil → seat'], []],
  [
    'SELECT class FROM pupil WHERE student NOT IN (SELECT p.student FROM pupil AS p JOIN seat AS s ON p.student = s.student WHERE s.line = 1)',
    ['pupil → seat'],
    [],
  ],
  [
    'SELECT class FROM pupil WHERE student IN (SELECT s.student FROM seat AS s JOIN pupil AS p ON s.student = p.student)',
    ['ON s.student = p.student', 's.student → p.student', 'p.student → s.student', 'student → neighbor'],
    [],
  ],
  ['SELECT s.student FROM pupil AS p JOIN seat AS s ON p.student = s.student', [], ['pupil → seat']],
  ['SELECT DISTINCT p.student FROM pupil AS p JOIN seat AS s ON p.student = s.neighbor', [], ['pupil → seat']],
  ['SELECT DISTINCT p.student FROM pupil AS p', [], ['pupil → seat']],
  [
    'SELECT s.student FROM seat AS s JOIN pupil AS p ON s.student = p.student',
    [],
    ['ON s.student = p.student', 'student → neighbor'],
  ],
  [
    'SELECT class FROM pupil WHERE student IN (SELECT s.student FROM seat AS s JOIN pupil AS p ON s.student = p.student WHERE class = 1)',
    [],
    ['ON s.student = p.student', 'student → neighbor'],
  ],
  [
    'SELECT DISTINCT a.line FROM seat AS a JOIN seat AS b ON a.student = b.student',
    [],
    ['ON a.student = b.student', 'a.student → b.neighbor'],
  ],
];

/** The pairs of a gold and a neighbor that is shown to be equivalent. */
function provenPairs(golds: readonly string[], neighbors: (sql: string) => readonly Neighbor[]): [string, string][] {
  return golds.flatMap((gold) =>
    neighbors(gold).flatMap(({ sql, equivalent }): [string, string][] => (equivalent === null ? [] : [[gold, sql]])),
  );
}

function expectSame(sqlite: Sqlite.Database, pairs: readonly (readonly [gold: string, sql: string])[]): void {
  const bag = (sql: string): string[] => {
    const found = sqlite.prepare(sql).raw().all();
    return found.map((row) => JSON.stringify(row)).sort();
  };
  for (const [gold, sql] of pairs) expect({ sql, rows: bag(sql) }).toEqual({ sql, rows: bag(gold) });
}

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

it('shows that another number in count(1) counts the same rows', () => {
  const numbers = schoolNeighbors('SELECT city, count(1) FROM student GROUP BY city').filter(
    ({ kind }) => kind === 'numeric-constant',
  );
  expect(numbers.length).toBeGreaterThan(3);
  expect(new Set(numbers.map(({ equivalent }) => equivalent))).toEqual(new Set(['any number is counted']));
});

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
    const golds = [...PROVEN, ...OPEN].map(([gold]) => gold);
    const pairs = provenPairs(golds, schoolNeighbors);
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
        expectSame(sqlite, pairs);
        sqlite.close();
      }),
      { numRuns: 60 },
    );
  });

  it.each(SEATED)('over a classroom: %s', (sql, proven, open) => {
    const neighbors = classNeighbors(sql);
    const details = (isProven: boolean): string[] =>
      neighbors.flatMap(({ detail, equivalent }) => ((equivalent !== null) === isProven ? [detail] : []));
    expect(details(true)).toEqual(expect.arrayContaining([...proven]));
    expect(details(false)).toEqual(expect.arrayContaining([...open]));
  });

  it('have the result of their gold on every classroom', () => {
    const golds = SEATED.map(([gold]) => gold);
    const pairs = provenPairs(golds, classNeighbors);
    const seat = fc.record({ student: fc.nat(3), neighbor: fc.nat(3), line: fc.nat(2) });
    const seats = fc.uniqueArray(seat, { selector: ({ student, neighbor }) => 4 * student + neighbor });
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 4, maxLength: 5 }), seats, (classes, drawn) => {
        const sqlite = openClass();
        classes.forEach((each, i) => sqlite.prepare('INSERT INTO pupil VALUES (?, ?)').run(i, each));
        for (const { student, neighbor, line } of drawn) {
          sqlite.prepare('INSERT INTO seat VALUES (?, ?, ?)').run(student, neighbor, line);
        }
        expectSame(sqlite, pairs);
        sqlite.close();
      }),
      { numRuns: 60 },
    );
  });
});
