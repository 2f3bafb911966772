import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../src/errors.js';
import { columnKey } from '../../src/schema/schema.js';
import { applyEdits } from '../../src/sql/edits.js';
import { undoEdits } from './undo-edits.js';
import { expandStars, renameColumns, rewriteForAdded, rewriteVariant } from '../../src/sql/rename-columns.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import { TOWN } from './town-database.js';
import { TOWN_QUERIES } from './town-queries.js';

const COLUMNS = TOWN.tables.flatMap((table, t) =>
  table.columns.map(({ originalName }, c) => ({
    key: columnKey({ table: t, column: c }),
    name: `${table.originalName}.${originalName}`,
    originalName,
  })),
);

function keyOf(name: string): string {
  return COLUMNS.find((column) => column.name === name)?.key ?? '';
}

const renamed = (sql: string, names: Readonly<Record<string, string>>): string =>
  renameColumns(sql, TOWN, new Map(Object.entries(names).map(([from, to]) => [keyOf(from), to]))).sql;

const added = (sql: string, names: Readonly<Record<string, readonly string[]>>, keepStars = false): string => {
  const tables = Object.entries(names).map(
    ([table, list]) => [TOWN.tables.findIndex((t) => t.originalName === table), list] as const,
  );
  return rewriteForAdded(sql, TOWN, new Map(tables), { keepStars }).sql;
};

describe('renameColumns', () => {
  it.each<[string, Record<string, string>, string]>([
    // bytes around the tokens
    [
      'select  NAME/*name*/ ,"name"\nfrom person -- name',
      { 'person.name': 'title' },
      'select  title/*name*/ ,title\nfrom person -- name',
    ],
    ['SELECT"name"FROM person', { 'person.name': 'title' }, 'SELECT title FROM person'],
    ["SELECT name||'name' FROM person", { 'person.name': 'title' }, "SELECT title||'name' FROM person"],
    // quotes only where they must be
    [
      'SELECT [name], `age` FROM person',
      { 'person.name': 'title', 'person.age': 'order' },
      'SELECT title, "order" FROM person',
    ],
    ['SELECT name FROM person', { 'person.name': 'a"b c' }, 'SELECT "a""b c" FROM person'],
    ['SELECT name FROM person', { 'person.name': 'key' }, 'SELECT key FROM person'],
    // only the column of that table
    [
      'SELECT p.name, c.name FROM person p, city c',
      { 'city.name': 'label' },
      'SELECT p.name, c.label FROM person p, city c',
    ],
    // capture
    [
      'SELECT age, country FROM person, city',
      { 'person.age': 'country' },
      'SELECT person.country, city.country FROM person, city',
    ],
    [
      'SELECT age AS n, boss FROM person ORDER BY boss',
      { 'person.boss': 'n' },
      'SELECT age AS n, n FROM person ORDER BY person.n',
    ],
    [
      'SELECT age, count(*) AS n FROM person GROUP BY age HAVING n > 1',
      { 'person.boss': 'n' },
      'SELECT age, count(*) AS n FROM person GROUP BY age HAVING (count(*)) > 1',
    ],
    [
      'SELECT name FROM person WHERE name = "Ann"',
      { 'person.age': 'Ann' },
      "SELECT name FROM person WHERE name = 'Ann'",
    ],
    [
      'SELECT name FROM person WHERE EXISTS (SELECT 1 FROM visit WHERE year = age)',
      { 'visit.cost': 'age' },
      'SELECT name FROM person WHERE EXISTS (SELECT 1 FROM visit WHERE year = person.age)',
    ],
    ['SELECT rowid FROM person', { 'person.age': 'rowid' }, 'SELECT _rowid_ FROM person'],
    [
      'SELECT age FROM (SELECT age, id FROM person), city',
      { 'person.age': 'country' },
      'SELECT derived.country FROM (SELECT country, id FROM person) AS derived, city',
    ],
    // names through subqueries
    [
      'SELECT name FROM (SELECT name FROM person)',
      { 'person.name': 'title' },
      'SELECT title FROM (SELECT title FROM person)',
    ],
    [
      'WITH q AS (SELECT name FROM person) SELECT q.name FROM q',
      { 'person.name': 'title' },
      'WITH q AS (SELECT title FROM person) SELECT q.title FROM q',
    ],
    [
      'SELECT n FROM (SELECT name AS n FROM person)',
      { 'person.name': 'title' },
      'SELECT n FROM (SELECT title AS n FROM person)',
    ],
    [
      'SELECT "max(age)" FROM (SELECT max(age) FROM person)',
      { 'person.age': 'years' },
      'SELECT "max(age)" FROM (SELECT max(years) AS "max(age)" FROM person)',
    ],
    [
      'SELECT name, country FROM (SELECT p.name, country FROM person p, city)',
      { 'person.name': 'country' },
      'SELECT name, country FROM (SELECT p.country AS name, city.country FROM person p, city)',
    ],
    // joins
    [
      'SELECT city_id FROM person JOIN visit USING (city_id)',
      { 'person.city_id': 'home' },
      'SELECT home FROM person JOIN visit ON person.home = visit.city_id',
    ],
    [
      'SELECT city_id FROM person JOIN visit USING (city_id)',
      { 'person.city_id': 'place', 'visit.city_id': 'place' },
      'SELECT place FROM person JOIN visit USING (place)',
    ],
    [
      'SELECT year FROM person NATURAL JOIN visit',
      { 'visit.cost': 'age' },
      'SELECT year FROM person JOIN visit USING (city_id)',
    ],
    [
      'SELECT * FROM visit NATURAL LEFT JOIN person',
      { 'visit.city_id': 'place' },
      'SELECT visit.person_id, visit.place, visit.year, visit.cost, person.id, person.name, person.age, person.boss ' +
        'FROM visit LEFT JOIN person ON visit.place = person.city_id',
    ],
    ['SELECT count(*) FROM visit NATURAL JOIN city', { 'visit.cost': 'name' }, 'SELECT count(*) FROM visit JOIN city'],
    [
      'SELECT CASE WHEN age > 3 THEN true ELSE FALSE END FROM person ORDER BY true',
      { 'person.name': 'TRUE' },
      'SELECT CASE WHEN age > 3 THEN (1 = 1) ELSE FALSE END FROM person ORDER BY (1 = 1)',
    ],
  ])('%s', (sql, names, expected) => {
    expect(renamed(sql, names)).toBe(expected);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['SELECT name FROM person', { 'person.name': 'AGE' }, /two columns of person would be called "age"/],
    ['SELECT name FROM person', { 'person.name': '' }, /no usable name/],
    ['SELECT nome FROM person', { 'person.name': 'x' }, /no such column: nome/],
    ['SELECT name FROM person WHERE age IS NOT (true)', { 'person.age': 'TRUE' }, /would become the name of a column/],
    [
      'SELECT city_id FROM person FULL JOIN visit USING (city_id)',
      { 'person.city_id': 'home' },
      /would be ambiguous or mean another/,
    ],
    [
      'SELECT a.age FROM person a WHERE EXISTS (SELECT a.age FROM city a)',
      { 'city.country': 'age' },
      /would be ambiguous or mean another column/,
    ],
  ])('refuses %s', (sql, names, message) => {
    expect(() => renamed(sql, names)).toThrow(SqlRewriteError);
    expect(() => renamed(sql, names)).toThrow(message);
  });

  it.each(TOWN_QUERIES)('changes nothing without a change: %s', (sql) => {
    const same = new Map(COLUMNS.map(({ key, originalName }) => [key, originalName]));
    for (const renames of [new Map<string, string>(), same]) {
      expect(renameColumns(sql, TOWN, renames)).toEqual({ sql, edits: [] });
    }
    expect(rewriteForAdded(sql, TOWN, new Map())).toEqual({ sql, edits: [] });
  });
});

describe('recorded edits', () => {
  it('undone, give the original bytes; applied, the rewritten ones', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      fc.constantFrom('select', 'n', 'p', 'name', 'Ann', 'rowid'),
    );
    const renames = fc.dictionary(fc.constantFrom(...COLUMNS.map(({ key }) => key)), name, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.constantFrom(...TOWN_QUERIES), renames, (sql, names) => {
        try {
          const rewritten = renameColumns(sql, TOWN, new Map(Object.entries(names)));
          for (const { start, end, before } of rewritten.edits) expect(sql.slice(start, end)).toBe(before);
          expect(undoEdits(rewritten.sql, rewritten.edits)).toBe(sql);
          expect(applyEdits(sql, rewritten.edits)).toBe(rewritten.sql);
        } catch (error) {
          expect(error).toBeInstanceOf(SqlRewriteError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('rewriteForAdded', () => {
  it.each<[string, Record<string, readonly string[]>, string]>([
    ['SELECT * FROM person', { person: ['x'] }, 'SELECT id, name, age, city_id, boss FROM person'],
    ['SELECT * FROM person', { city: ['x'] }, 'SELECT * FROM person'],
    ['SELECT count(*) FROM person', { person: ['x'] }, 'SELECT count(*) FROM person'],
    ['SELECT p.*, c.name FROM person p, city c', { city: ['x'] }, 'SELECT p.*, c.name FROM person p, city c'],
    [
      'SELECT c.*, p.id FROM person p, city c',
      { city: ['x'] },
      'SELECT c.id, c.name, c.country, c.population, p.id FROM person p, city c',
    ],
    ['SELECT * FROM "Odd Table"', { 'Odd Table': ['x'] }, 'SELECT "first name", "order", id FROM "Odd Table"'],
    [
      'SELECT name FROM person WHERE EXISTS (SELECT * FROM visit)',
      { visit: ['x'] },
      'SELECT name FROM person WHERE EXISTS (SELECT * FROM visit)',
    ],
    ['SELECT age FROM person, visit', { visit: ['age'] }, 'SELECT person.age FROM person, visit'],
    [
      'SELECT year FROM person NATURAL JOIN visit',
      { visit: ['age'] },
      'SELECT year FROM person JOIN visit USING (city_id)',
    ],
    ['SELECT name FROM person WHERE name = "Ann"', { person: ['ann'] }, "SELECT name FROM person WHERE name = 'Ann'"],
    // IN a table compares with all of its columns
    [
      'SELECT 1 WHERE (1, 2, 3) IN "Odd Table"',
      { 'Odd Table': ['x'] },
      'SELECT 1 WHERE (1, 2, 3) IN (SELECT "first name", "order", id FROM "Odd Table")',
    ],
    [
      'SELECT 1 WHERE(1,2,3)IN main.[Odd Table]AND 1',
      { 'Odd Table': ['x'] },
      'SELECT 1 WHERE(1,2,3)IN (SELECT "first name", "order", id FROM main.[Odd Table]) AND 1',
    ],
    ['SELECT 1 WHERE (1, 2, 3) IN "Odd Table"', { person: ['x'] }, 'SELECT 1 WHERE (1, 2, 3) IN "Odd Table"'],
    [
      'WITH person AS (SELECT id FROM city) SELECT name FROM city WHERE id IN person',
      { person: ['x'] },
      'WITH person AS (SELECT id FROM city) SELECT name FROM city WHERE id IN person',
    ],
    [
      'WITH c AS (SELECT * FROM city) SELECT 1 WHERE (1, 2, 3, 4) NOT IN c',
      { city: ['x'] },
      'WITH c AS (SELECT id, name, country, population FROM city) SELECT 1 WHERE (1, 2, 3, 4) NOT IN c',
    ],
  ])('%s', (sql, names, expected) => {
    expect(added(sql, names)).toBe(expected);
  });

  it('leaves stars alone when asked to', () => {
    expect(added('SELECT * FROM person', { person: ['x'] }, true)).toBe('SELECT * FROM person');
  });
});

describe('expandStars', () => {
  it.each([
    ['SELECT * FROM visit', 'SELECT person_id, city_id, year, cost FROM visit'],
    ['SELECT*FROM visit v', 'SELECT person_id, city_id, year, cost FROM visit v'],
    ['SELECT count(*) FROM visit', 'SELECT count(*) FROM visit'],
  ])('%s', (sql, expected) => {
    expect(expandStars(sql, TOWN).sql).toBe(expected);
  });
});

describe('singleQuoteLiterals', () => {
  it.each([
    ['SELECT "name" FROM person WHERE name = "Ann"', 'SELECT "name" FROM person WHERE name = \'Ann\''],
    [
      'SELECT name AS "Ann" FROM person WHERE name LIKE "%it\'s%"',
      "SELECT name AS \"Ann\" FROM person WHERE name LIKE '%it''s%'",
    ],
    ['SELECT "a""b" FROM person', "SELECT 'a\"b' FROM person"],
    ['SELECT"x"FROM person', "SELECT 'x' FROM person"],
    ["SELECT 'x' FROM person", "SELECT 'x' FROM person"],
  ])('%s', (sql, expected) => {
    const { sql: result, edits } = singleQuoteLiterals(sql, TOWN);
    expect(result).toBe(expected);
    expect(undoEdits(result, edits)).toBe(sql);
  });
});

describe('rewriteVariant', () => {
  const renames = new Map([[keyOf('person.name'), 'title']]);
  const add = new Map([[0, ['Ann']]]);

  it.each<[string, number, string]>([
    ['SELECT name FROM person WHERE name = "Ann"', 1, "SELECT title FROM person WHERE title = 'Ann'"],
    ['SELECT "name" FROM person WHERE name LIKE "%it\'s%"', 1, "SELECT title FROM person WHERE title LIKE '%it''s%'"],
    ['SELECT name AS "Ann" FROM person WHERE name = \'x\'', 0, 'SELECT title AS "Ann" FROM person WHERE title = \'x\''],
    [
      'SELECT * FROM person WHERE name IN ("a", "b") AND age = (SELECT max(id) FROM city WHERE name = "c")',
      3,
      "SELECT id, title, age, city_id, boss FROM person WHERE title IN ('a', 'b') AND age = " +
        "(SELECT max(id) FROM city WHERE name = 'c')",
    ],
    [
      'SELECT "max(""a"")" FROM (SELECT max("a") FROM person)',
      1,
      'SELECT "max(""a"")" FROM (SELECT max(\'a\') AS "max(""a"")" FROM person)',
    ],
  ])('renames, adds and writes strings in single quotes at once: %s', (sql, count, expected) => {
    const { sql: result, edits, literals } = rewriteVariant(sql, TOWN, { renames, added: add });
    expect(result).toBe(expected);
    expect(literals).toBe(count);
    expect(undoEdits(result, edits)).toBe(sql);
    for (const { start, end, before } of edits) expect(sql.slice(start, end)).toBe(before);
  });

  it('leaves stars alone when asked to, and counts nothing where nothing is quoted', () => {
    const variant = rewriteVariant('SELECT * FROM person', TOWN, { added: add, keepStars: true });
    expect(variant).toEqual({ sql: 'SELECT * FROM person', edits: [], literals: 0 });
  });

  it.each(TOWN_QUERIES)('without a change it is singleQuoteLiterals: %s', (sql) => {
    const { literals, ...rewritten } = rewriteVariant(sql, TOWN, {});
    const single = singleQuoteLiterals(sql, TOWN);
    const names = rewritten.edits.filter(({ after }) => after.startsWith("'") || after.startsWith(" '"));
    expect(literals).toBe(single.edits.length);
    expect(names.length).toBe(literals);
  });
});
