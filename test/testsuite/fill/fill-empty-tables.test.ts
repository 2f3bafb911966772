import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { loadSpiderTables } from '../../../src/formats/spider-tables.js';
import { sqlitePath } from '../../../src/formats/sample-values.js';
import { fillEmptyTables } from '../../../src/testsuite/fill/fill-empty-tables.js';
import type { ColumnType, Database } from '../../../src/schema/schema.js';
import { executableSql } from '../../../src/sql/execution/executable-sql.js';

let folder: string;
let source: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fill-empty-'));
  source = join(folder, 'source.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

const SCHOOL = `
  CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT CHECK (age > 0), country TEXT,
    mentor INTEGER REFERENCES student (id), birth DATE, twice AS (age * 2), FOREIGN KEY (country) REFERENCES country);
  CREATE TABLE course (title TEXT, term TEXT, credits REAL NOT NULL, PRIMARY KEY (title, term)) WITHOUT ROWID;
  CREATE TABLE grade (student INTEGER NOT NULL REFERENCES student (id), title TEXT, term TEXT, mark INTEGER, UNIQUE
    (student, title, term), FOREIGN KEY (title, term) REFERENCES course (title, term)) STRICT;
  CREATE TABLE room (number INT, building TEXT);
  INSERT INTO room VALUES (1, 'Main'), (2, 'Annex');`;

const table = (name: string, columns: Readonly<Record<string, ColumnType>>) => ({
  ...{ name, originalName: name },
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, originalName: column, type })),
});

const DATABASE: Database = {
  id: 'school',
  tables: [
    table('country', { code: 'text', name: 'text' }),
    table('student', { id: 'number', name: 'text', age: 'number', country: 'text', mentor: 'number', birth: 'time' }),
    table('course', { title: 'text', term: 'text', credits: 'number' }),
    table('grade', { student: 'number', title: 'text', term: 'text', mark: 'number' }),
    table('room', { number: 'number', building: 'text' }),
  ],
  primaryKeys: [],
  foreignKeys: [],
};

const JOIN =
  'student AS s JOIN grade AS g ON s.id = g.student JOIN course AS c ON c.title = g.title AND c.term = g.term';

const QUERIES = [
  `SELECT name FROM student WHERE age > 30 AND country = 'FRA' AND name LIKE '%van%'`,
  `SELECT s.name FROM ${JOIN} WHERE c.title = "Algebra" AND g.mark BETWEEN 7 AND 9 AND s.age < 20`,
  `SELECT country FROM student GROUP BY country HAVING count(*) > 7`,
  `SELECT country FROM student GROUP BY country HAVING count(*) = 3`,
  `SELECT name FROM student WHERE id NOT IN (SELECT student FROM grade)`,
  `SELECT name FROM student AS s WHERE NOT EXISTS (SELECT * FROM grade AS g WHERE g.student = s.id)`,
  `SELECT name FROM student EXCEPT SELECT s.name FROM ${JOIN} WHERE c.term = 'fall'`,
  `SELECT s.name FROM ${JOIN} WHERE c.term = 'fall' INTERSECT SELECT s.name FROM ${JOIN} WHERE c.term = 'spring'`,
  `SELECT name FROM student WHERE country IN ('DEU', 'ITA') AND birth > '1999-05-01'`,
  `SELECT name FROM student WHERE country = 'ITA' OR country = 'ESP' AND NOT age <= 40`,
  `SELECT age FROM student WHERE age = (SELECT max(age) FROM student WHERE country = 'FRA')`,
  `SELECT name FROM student WHERE age > (SELECT avg(age) FROM student)`,
  `SELECT a.name FROM student AS a JOIN student AS b ON a.mentor = b.id WHERE a.age > b.age`,
  `WITH old AS (SELECT id, name AS label FROM student WHERE age > 60) SELECT label FROM old WHERE label = 'Ada'`,
  `SELECT n FROM (SELECT name AS n, age FROM student) AS t WHERE t.age = 33`,
  `SELECT credits FROM course WHERE title = 'Logic' AND credits >= 7.5`,
  `SELECT lower(name) FROM country WHERE upper(code) = 'NOR'`,
  `SELECT building FROM room WHERE number = 2`,
].map((sql) => ({ sql, database: DATABASE }));

function create(sql: string): void {
  const sqlite = new Sqlite(source);
  sqlite.exec(sql);
  sqlite.close();
}

function fillInto(name: string, seed: number, queries = QUERIES) {
  const target = join(folder, name);
  const filled = fillEmptyTables(source, target, queries, seed);
  return { ...filled, target };
}

describe('fillEmptyTables', () => {
  it.each([1, 2, 3, 4, 5])('gives every query something to find, within all constraints (seed %i)', (seed) => {
    create(SCHOOL);
    const { target, rows, unread } = fillInto('filled.sqlite', seed);
    expect(unread).toBe(0);
    expect(Object.keys(rows)).toEqual(['country', 'student', 'course', 'grade']);
    for (const count of Object.values(rows)) expect(count).toBeGreaterThanOrEqual(20);
    const sqlite = new Sqlite(target, { readonly: true });
    const empty = QUERIES.filter(({ sql }) => sqlite.prepare(executableSql(sql, DATABASE)).all().length === 0);
    expect(empty).toEqual([]);
    expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(sqlite.prepare('SELECT * FROM room').raw().all()).toEqual([
      [1, 'Main'],
      [2, 'Annex'],
    ]);
    sqlite.close();
  });

  it('writes the same bytes for the same seed, others for another, and leaves the source as it is', () => {
    create(SCHOOL);
    const before = readFileSync(source);
    const [a, b, c] = [fillInto('a', 1), fillInto('b', 1), fillInto('c', 2)].map(({ target }) => readFileSync(target));
    expect(a!.equals(b!)).toBe(true);
    expect(a!.equals(c!)).toBe(false);
    expect(readFileSync(source).equals(before)).toBe(true);
  });

  it('fills tables without queries, and names those that it can’t read', () => {
    create(SCHOOL);
    expect(fillInto('none.sqlite', 1, []).rows['student']).toBeGreaterThanOrEqual(20);
    const broken = [
      { sql: 'SELECT FROM', database: DATABASE },
      { sql: 'SELECT x FROM student', database: DATABASE },
    ];
    expect(fillInto('broken.sqlite', 1, broken).unread).toBe(2);
  });

  it('takes rows that are there for what queries ask of their tables', () => {
    create(`CREATE TABLE room (number INT, building TEXT); INSERT INTO room VALUES (1, 'Main'), (2, 'Annex');
      CREATE TABLE grade (student INT, title TEXT, term TEXT, mark INT);`);
    const sql = `SELECT * FROM room JOIN grade ON room.number = grade.mark WHERE building = 'Annex' AND title = 'Logic'`;
    const { target } = fillInto('filled.sqlite', 1, [{ sql, database: DATABASE }]);
    const sqlite = new Sqlite(target, { readonly: true });
    expect(sqlite.prepare(sql).all().length).toBeGreaterThan(0);
    sqlite.close();
  });

  it('says so when the source is no database', () => {
    writeFileSync(source, 'this is a text, and no database at all, however long it may be');
    expect(() => fillInto('x', 1)).toThrow(InputFormatError);
    expect(() => fillEmptyTables(join(folder, 'absent'), join(folder, 'x'), [], 1)).toThrow(InputFormatError);
  });
});

const SPIDER = '../shared/data/spider';

function goldOf(dbId: string): readonly string[] {
  const queries = ['dev_gold.sql', 'train_gold.sql']
    .flatMap((file) => readFileSync(join(SPIDER, file), 'utf8').split('\n'))
    .map((line) => line.split('\t'))
    .flatMap(([sql, id]) => (id?.trim() === dbId ? [sql!.replace(/;\s*$/u, '')] : []));
  return [...new Set(queries)];
}

describe.skipIf(!existsSync(SPIDER))('Spider’s databases without rows (skipped without ../shared/data/spider)', () => {
  it.each([
    ['wta_1', 0.98],
    ['music_2', 0.98],
    ['restaurants', 0.98],
    ['yelp', 0.98],
    ['geo', 0.93],
  ])('%s: at least %d of its gold queries find something', (id, share) => {
    const database = loadSpiderTables(join(SPIDER, 'tables.json')).get(id)!;
    const queries = goldOf(id).map((sql) => ({ sql, database }));
    const target = join(folder, 'filled.sqlite');
    fillEmptyTables(sqlitePath(join(SPIDER, 'database'), id), target, queries, 1);
    const sqlite = new Sqlite(target, { readonly: true });
    const finding = queries.filter(({ sql }) => sqlite.prepare(executableSql(sql, database)).raw().get() !== undefined);
    expect(finding.length / queries.length).toBeGreaterThanOrEqual(share);
    sqlite.close();
  });
});
