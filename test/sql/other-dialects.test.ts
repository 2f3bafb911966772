import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../src/errors.js';
import { columnKey, type Database } from '../../src/schema/schema.js';
import { renderIdentifier, type SqlDialect } from '../../src/sql/dialect.js';
import { undoEdits } from './undo-edits.js';
import { MYSQL } from '../../src/sql/mysql-dialect.js';
import { POSTGRESQL } from '../../src/sql/postgresql-dialect.js';
import { expandStars, renameColumns, rewriteForAdded } from '../../src/sql/rename-columns.js';
import { resolveColumns } from '../../src/sql/resolver.js';
import { tokenize } from '../../src/sql/tokenizer.js';
import { MYSQL_QUERIES, POSTGRESQL_QUERIES } from './dialect-queries.js';
import { TOWN } from './town-database.js';

const DIALECTS: readonly [SqlDialect, readonly string[]][] = [
  [POSTGRESQL, POSTGRESQL_QUERIES],
  [MYSQL, MYSQL_QUERIES],
];

type Title = 'PostgreSQL' | 'MySQL';
const BY_TITLE: Readonly<Record<Title, SqlDialect>> = { PostgreSQL: POSTGRESQL, MySQL: MYSQL };

const COLUMNS = TOWN.tables.flatMap((table, t) =>
  table.columns.map(({ originalName }, c) => ({
    key: columnKey({ table: t, column: c }),
    name: `${table.originalName}.${originalName}`,
    originalName,
  })),
);

function renamed(sql: string, names: Readonly<Record<string, string>>, dialect: SqlDialect, database = TOWN): string {
  const keyOf = (name: string): string => COLUMNS.find((column) => column.name === name)?.key ?? '';
  const renames = new Map(Object.entries(names).map(([from, to]) => [keyOf(from), to]));
  return renameColumns(sql, database, renames, dialect).sql;
}

function added(sql: string, names: Readonly<Record<string, readonly string[]>>, dialect: SqlDialect): string {
  const tables = Object.entries(names).map(
    ([table, list]) => [TOWN.tables.findIndex((t) => t.originalName === table), list] as const,
  );
  return rewriteForAdded(sql, TOWN, new Map(tables), { dialect }).sql;
}

describe.each(DIALECTS)('$title', (dialect, queries) => {
  const fresh = new Map(COLUMNS.map(({ key }, i) => [key, i % 2 === 0 ? `fresh_${i}` : `Fresh "\`' ${i}`]));

  it.each(queries)('cuts into tokens and changes nothing without a change: %s', (sql) => {
    expect(
      tokenize(sql, dialect)
        .map(({ text }) => text)
        .join(''),
    ).toBe(sql);
    const same = new Map(COLUMNS.map(({ key, originalName }) => [key, originalName]));
    for (const renames of [new Map<string, string>(), same]) {
      expect(renameColumns(sql, TOWN, renames, dialect)).toEqual({ sql, edits: [] });
    }
    expect(rewriteForAdded(sql, TOWN, new Map(), { dialect })).toEqual({ sql, edits: [] });
  });

  it.each(queries.filter((sql) => !sql.includes('FULL JOIN')))(
    'follows new names everywhere, and edits can be undone: %s',
    (sql) => {
      const { sql: result, edits } = renameColumns(sql, TOWN, fresh, dialect);
      expect(undoEdits(result, edits)).toBe(sql);
      const table = new Map([...TOWN.tables.keys()].map((t) => [t, ['extra', 'count', 'n', 'q']]));
      const more = rewriteForAdded(sql, TOWN, table, { dialect });
      expect(undoEdits(more.sql, more.edits)).toBe(sql);
      expect(undoEdits(expandStars(sql, TOWN, dialect).sql, expandStars(sql, TOWN, dialect).edits)).toBe(sql);
    },
  );
});

describe('renaming in PostgreSQL', () => {
  it.each<[string, Record<string, string>, string]>([
    // quotes where a bare name would be folded or is a keyword
    ['SELECT NAME FROM Person', { 'person.name': 'Title' }, 'SELECT "Title" FROM Person'],
    ['SELECT name FROM person', { 'person.name': 'user' }, 'SELECT "user" FROM person'],
    ['SELECT name FROM person', { 'person.name': 'key' }, 'SELECT key FROM person'],
    ['SELECT name FROM person', { 'person.name': 'values' }, 'SELECT "values" FROM person'],
    ['SELECT name FROM person', { 'person.name': 'a"b' }, 'SELECT "a""b" FROM person'],
    ['SELECT age FROM person, city', { 'city.name': 'AGE' }, 'SELECT age FROM person, city'],
    // each clause
    ['SELECT p.age::text x FROM person p', { 'person.age': 'years' }, 'SELECT p.years::text x FROM person p'],
    [
      'SELECT 1 FROM person WHERE age ILIKE $$age$$',
      { 'person.age': 'n' },
      'SELECT 1 FROM person WHERE n ILIKE $$age$$',
    ],
    ['SELECT 1 FROM person HAVING max(age) > 1', { 'person.age': 'n' }, 'SELECT 1 FROM person HAVING max(n) > 1'],
    ['SELECT DISTINCT ON (age) name FROM person', { 'person.age': 'n' }, 'SELECT DISTINCT ON (n) name FROM person'],
    [
      'SELECT p.name FROM person p, city c ORDER BY name',
      { 'person.name': 'title' },
      'SELECT p.title FROM person p, city c ORDER BY title',
    ],
    [
      'SELECT p.name, c.country FROM person p, city c ORDER BY country',
      { 'person.name': 'country' },
      'SELECT p.country AS name, c.country FROM person p, city c ORDER BY country',
    ],
    [
      'SELECT age + 1 AS n FROM person GROUP BY n',
      { 'person.boss': 'n' },
      'SELECT age + 1 AS n FROM person GROUP BY (age + 1)',
    ],
    [
      'SELECT lower(name) FROM person GROUP BY lower',
      { 'person.boss': 'lower' },
      'SELECT lower(name) FROM person GROUP BY (lower(name))',
    ],
    // names of outputs that follow a column
    [
      'SELECT q.age FROM (SELECT age::text FROM person) q',
      { 'person.age': 'years' },
      'SELECT q.years FROM (SELECT years::text FROM person) q',
    ],
    [
      'SELECT q.max FROM (SELECT max(age) FROM person) q',
      { 'person.age': 'years' },
      'SELECT q.max FROM (SELECT max(years) FROM person) q',
    ],
    [
      'SELECT q.name FROM (SELECT CASE WHEN age > 1 THEN 1 ELSE boss END, name FROM person) q ORDER BY q.boss',
      { 'person.boss': 'chief' },
      'SELECT q.name FROM (SELECT CASE WHEN age > 1 THEN 1 ELSE chief END, name FROM person) q ORDER BY q.chief',
    ],
    // joins: the columns of USING come first under a star
    [
      'SELECT * FROM person JOIN visit USING (city_id)',
      { 'person.city_id': 'home' },
      'SELECT person.home, person.id, person.name, person.age, person.boss, visit.person_id, visit.year, visit.cost ' +
        'FROM person JOIN visit ON person.home = visit.city_id',
    ],
    [
      'SELECT p.name FROM person p, LATERAL (SELECT 1 FROM visit WHERE person_id = p.id) l',
      { 'person.id': 'person_id' },
      'SELECT p.name FROM person p, LATERAL (SELECT 1 FROM visit WHERE person_id = p.person_id) l',
    ],
  ])('%s', (sql, names, expected) => {
    expect(renamed(sql, names, POSTGRESQL)).toBe(expected);
  });

  it('distinguishes names by case where they are quoted', () => {
    const database: Database = {
      ...TOWN,
      tables: [{ name: 't', originalName: 'T', columns: [{ name: 'a', originalName: 'Home', type: 'text' }] }],
    };
    const refs = resolveColumns('SELECT "Home", t."Home" FROM "T" AS T', database, POSTGRESQL);
    expect(refs.map(({ kind }) => kind)).toEqual(['column', 'alias', 'column', 'table']);
    expect(() => resolveColumns('SELECT Home FROM "T"', database, POSTGRESQL)).toThrow(/no such column: home/);
    expect(() => resolveColumns('SELECT 1 FROM T', database, POSTGRESQL)).toThrow(/no such table: t /);
  });
});

describe('renaming in MySQL', () => {
  it.each<[string, Record<string, string>, string]>([
    ['SELECT NAME FROM person', { 'person.name': 'Title' }, 'SELECT Title FROM person'],
    ['SELECT name FROM person', { 'person.name': 'rank' }, 'SELECT `rank` FROM person'],
    ['SELECT name FROM person', { 'person.name': 'a`b' }, 'SELECT `a``b` FROM person'],
    [
      'SELECT "name" FROM person WHERE name = "name"',
      { 'person.name': 'n' },
      'SELECT "name" FROM person WHERE n = "name"',
    ],
    ['SELECT age FROM person # age', { 'person.age': 'n' }, 'SELECT n FROM person # age'],
    ['SELECT age-1--1 FROM person', { 'person.age': 'n' }, 'SELECT n-1--1 FROM person'],
    [
      'SELECT age, country FROM person, city',
      { 'person.age': 'Country' },
      'SELECT person.Country, city.country FROM person, city',
    ],
    ['SELECT 1 FROM person WHERE age DIV 2', { 'person.age': 'n' }, 'SELECT 1 FROM person WHERE n DIV 2'],
    [
      'SELECT age AS years FROM person HAVING years > 1',
      { 'person.boss': 'years' },
      'SELECT age AS years FROM person HAVING years > 1',
    ],
    [
      'SELECT max(age) AS age FROM person HAVING age > 1',
      { 'person.age': 'n' },
      'SELECT max(n) AS age FROM person HAVING age > 1',
    ],
    // in HAVING an alias comes first, but not in aggregates
    [
      'SELECT name AS n, age FROM person HAVING age > 1',
      { 'person.age': 'n' },
      'SELECT name AS n, n FROM person HAVING person.n > 1',
    ],
    [
      'SELECT city_id AS n FROM person GROUP BY n HAVING max(age) > n',
      { 'person.age': 'n' },
      'SELECT city_id AS n FROM person GROUP BY (city_id) HAVING max(n) > n',
    ],
    [
      'SELECT boss, count(*) AS m FROM person GROUP BY boss HAVING m > 1',
      { 'person.boss': 'm' },
      'SELECT m, count(*) AS m FROM person GROUP BY m HAVING (count(*)) > 1',
    ],
    ['SELECT age AS m FROM person HAVING m > 1', { 'person.age': 'm' }, 'SELECT m AS m FROM person HAVING m > 1'],
    [
      'SELECT age AS m FROM person GROUP BY age HAVING max(m) > 1',
      { 'person.boss': 'm' },
      'SELECT age AS m FROM person GROUP BY age HAVING max((age)) > 1',
    ],
    // a name that several tables have is the result's in GROUP BY and HAVING, and in HAVING also that of GROUP BY
    [
      'SELECT p.name, count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY name HAVING name > 1',
      { 'person.name': 'title' },
      'SELECT p.title, count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY title HAVING title > 1',
    ],
    [
      'SELECT p.name, count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY name HAVING name > 1',
      { 'person.name': 'country' },
      'SELECT p.country, count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY country HAVING country > 1',
    ],
    [
      'SELECT count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY c.name HAVING name > 1',
      { 'person.name': 'title', 'city.name': 'label' },
      'SELECT count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY c.label HAVING label > 1',
    ],
    [
      'SELECT p.age + 1 AS name, count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY name HAVING name > 1',
      { 'person.name': 'title', 'person.age': 'years' },
      'SELECT p.years + 1 AS name, count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY (p.years + 1) HAVING name > 1',
    ],
    // an aggregate in HAVING takes the column where an alias has its name, too
    [
      'SELECT city_id, sum(age) AS age FROM person GROUP BY city_id HAVING sum(age) > 0 AND age > 1',
      { 'person.age': 'years' },
      'SELECT city_id, sum(years) AS age FROM person GROUP BY city_id HAVING sum(years) > 0 AND age > 1',
    ],
    // so it does as a whole term of a window's ORDER BY
    [
      'SELECT id AS r, rank() OVER (PARTITION BY age ORDER BY age, -age) FROM person p',
      { 'person.age': 'r' },
      'SELECT id AS r, rank() OVER (PARTITION BY r ORDER BY p.r, -r) FROM person p',
    ],
    [
      'SELECT rank() OVER w AS r FROM person WINDOW w AS (ORDER BY (age) DESC)',
      { 'person.age': 'r' },
      'SELECT rank() OVER w AS r FROM person WINDOW w AS (ORDER BY (person.r) DESC)',
    ],
    [
      'SELECT age + 1 AS n FROM person GROUP BY n',
      { 'person.boss': 'n' },
      'SELECT age + 1 AS n FROM person GROUP BY (age + 1)',
    ],
    [
      'SELECT max(age) FROM person ORDER BY `max(age)`',
      { 'person.age': 'n' },
      'SELECT max(n) AS `max(age)` FROM person ORDER BY `max(age)`',
    ],
    [
      'SELECT p.name FROM person p USE INDEX (age) STRAIGHT_JOIN city c ON age = c.id LIMIT 1, 2',
      { 'person.age': 'n' },
      'SELECT p.name FROM person p USE INDEX (age) STRAIGHT_JOIN city c ON n = c.id LIMIT 1, 2',
    ],
    [
      'SELECT DATE_ADD(age, INTERVAL boss DAY) FROM person',
      { 'person.boss': 'day' },
      'SELECT DATE_ADD(age, INTERVAL day DAY) FROM person',
    ],
  ])('%s', (sql, names, expected) => {
    expect(renamed(sql, names, MYSQL)).toBe(expected);
  });
});

describe('refusals to rename in MySQL', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'SELECT -boss AS m FROM person GROUP BY boss HAVING m > 1',
      { 'person.boss': 'm' },
      /the alias m would mean a column after the change at offset 51/,
    ],
    [
      'SELECT age + 1 AS m FROM person HAVING EXISTS (SELECT 1 FROM city WHERE population > m)',
      { 'person.boss': 'm' },
      /the alias m would mean a column after the change at offset 85/,
    ],
  ])('%s', (sql, names, message) => {
    expect(() => renamed(sql, names, MYSQL)).toThrow(SqlRewriteError);
    expect(() => renamed(sql, names, MYSQL)).toThrow(message);
  });
});

describe('adding columns', () => {
  it.each<[Title, string, Record<string, readonly string[]>, string]>([
    [
      'PostgreSQL',
      'SELECT * FROM "Odd Table"',
      { 'Odd Table': ['x'] },
      'SELECT "first name", "order", id FROM "Odd Table"',
    ],
    ['MySQL', 'SELECT * FROM `Odd Table`', { 'Odd Table': ['x'] }, 'SELECT `first name`, `order`, id FROM `Odd Table`'],
    ['PostgreSQL', 'SELECT age FROM person, city', { city: ['age'] }, 'SELECT person.age FROM person, city'],
    ['PostgreSQL', 'SELECT age FROM person, city', { city: ['AGE'] }, 'SELECT age FROM person, city'],
    [
      'MySQL',
      'SELECT age + 1 AS m FROM person HAVING m > 26',
      { person: ['m'] },
      'SELECT age + 1 AS m FROM person HAVING m > 26',
    ],
    ['MySQL', 'SELECT age FROM person, city', { city: ['ÀGE'] }, 'SELECT person.age FROM person, city'],
    [
      'PostgreSQL',
      'SELECT year FROM visit NATURAL JOIN person',
      { visit: ['age'] },
      'SELECT year FROM visit JOIN person USING (city_id)',
    ],
    ['PostgreSQL', 'SELECT count(*) FROM person', { person: ['x'] }, 'SELECT count(*) FROM person'],
  ])('%s: %s', (title, sql, names, expected) => {
    expect(added(sql, names, BY_TITLE[title])).toBe(expected);
  });
});

describe('refusals', () => {
  it.each<[Title, string, RegExp]>([
    ['PostgreSQL', 'SELECT age AS n FROM person WHERE n > 1', /no such column: n at offset 34/],
    ['PostgreSQL', 'SELECT age AS n FROM person HAVING n > 1', /no such column: n/],
    ['PostgreSQL', 'SELECT name FROM person WHERE name = "Ann"', /no such column: Ann/],
    ['PostgreSQL', 'SELECT p FROM person p', /no such column: p/],
    ['PostgreSQL', 'SELECT name FROM other.person', /no such table: person/],
    ['PostgreSQL', 'SELECT other.person.name FROM person', /no such schema: other/],
    ['PostgreSQL', 'SELECT 1 FROM person, city c JOIN visit ON person.id = person_id', /no such column: person\.id/],
    [
      'PostgreSQL',
      'SELECT 1 FROM person JOIN city ON true JOIN "Odd Table" USING (id)',
      /common column id is in a side/,
    ],
    ['PostgreSQL', 'SELECT name AS x, age AS x FROM person ORDER BY x', /ambiguous column name: x/],
    [
      'PostgreSQL',
      'SELECT name FROM person UNION SELECT name FROM city ORDER BY lower(name)',
      /that is no result column/,
    ],
    ['PostgreSQL', 'SELECT 1 FROM person p JOIN city c', /^JOIN without ON or USING, found the end/],
    ['PostgreSQL', 'SELECT 1 FROM person p LEFT JOIN city c WHERE p.id = c.id', /^LEFT JOIN without ON or USING/],
    ['PostgreSQL', 'SELECT 1 FROM person p CROSS JOIN city c ON true', /^CROSS JOIN with ON or USING/],
    ['PostgreSQL', 'SELECT 1 FROM person p JOIN city c ON true GROUP BY name', /ambiguous column name: name/],
    ['PostgreSQL', 'SELECT rank() OVER w FROM person', /no such window: w at offset 19/],
    ['PostgreSQL', 'SELECT name FROM person FOR UPDATE', /FOR after a query is not supported at offset 24/],
    ['PostgreSQL', 'SELECT name INTO x FROM person', /SELECT INTO is not supported/],
    ['PostgreSQL', 'SELECT U&"a" FROM person', /Unicode escapes is not supported/],
    ['PostgreSQL', 'SELECT name FROM person TABLESAMPLE system (1)', /TABLESAMPLE is not supported/],
    ['PostgreSQL', 'SELECT a FROM person AS p(a, b)', /a column list after a table's alias is not supported/],
    ['PostgreSQL', 'SELECT * FROM json_to_recordset(1) x', /table-valued function json_to_recordset/],
    ['PostgreSQL', 'SELECT x FROM generate_series(1, 2) WITH ORDINALITY x', /WITH ORDINALITY is not supported/],
    ['PostgreSQL', 'WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a', /no such table: b/],
    ['PostgreSQL', 'SELECT q.id FROM (SELECT p.id, c.id FROM person p, city c) q', /ambiguous column name: id/],
    ['PostgreSQL', 'SELECT name FROM person LIMIT 1, 2', /expected the end of the query, found ","/],
    ['PostgreSQL', 'SELECT `name` FROM person', /expected an expression|unexpected character/],
    ['PostgreSQL', "SELECT 'a' /* open", /unterminated comment/],
    ['MySQL', 'SELECT age AS n FROM person WHERE n > 1', /no such column: n/],
    ['MySQL', 'SELECT rowid FROM person', /no such column: rowid/],
    ['MySQL', 'SELECT name FROM person FULL JOIN city ON 1', /expected the end of the query/],
    ['MySQL', 'SELECT /*!50000 name */ FROM person', /a comment that MySQL executes is not supported/],
    ['MySQL', 'SELECT @x := age FROM person', /an assignment to a variable is not supported/],
    ['MySQL', 'SELECT @`a b` := age FROM person', /an assignment to a variable is not supported/],
    ['MySQL', 'SELECT rank() OVER (w ORDER BY age) FROM person', /no such window: w at offset 20/],
    ['MySQL', 'SELECT 1 FROM person LEFT JOIN city', /^LEFT JOIN without ON or USING/],
    ['MySQL', 'SELECT 1 FROM person p LEFT JOIN city c JOIN visit v ON true', /^LEFT JOIN without ON or USING/],
    ['PostgreSQL', 'SELECT 1 FROM person p JOIN city c JOIN visit v ON true', /^JOIN without ON or USING/],
    ['PostgreSQL', 'SELECT 1 FROM person p JOIN city c ON true ON true', /^ON or USING without a join of its own/],
    [
      'PostgreSQL',
      'SELECT 1 FROM person p LEFT JOIN city c JOIN visit v ON v.city_id = p.id ON true',
      /no such column: p\.id/,
    ],
    ['MySQL', 'SELECT 1 FROM person p JOIN city c GROUP BY name', /ambiguous column name: name/],
    ['MySQL', 'SELECT p.name, c.name FROM person p JOIN city c GROUP BY name', /ambiguous column name: name/],
    ['MySQL', 'SELECT c.name FROM person p JOIN city c GROUP BY p.name HAVING name > 1', /ambiguous column name: name/],
    ['MySQL', 'SELECT name FROM person LOCK IN SHARE MODE', /LOCK after a query is not supported/],
    ['MySQL', 'SELECT name FROM person PARTITION (p0)', /PARTITION is not supported/],
    ['MySQL', 'SELECT max(id) AS age FROM person GROUP BY age HAVING age > 1', /ambiguous column name: age/],
    ['MySQL', 'SELECT -age AS age, rank() OVER (ORDER BY age) FROM person', /ambiguous column name: age at offset 42/],
    ['MySQL', 'SELECT -age AS n, rank() OVER (ORDER BY n) FROM person', /no such column: n/],
    ['MySQL', 'SELECT T.age FROM person T WHERE 1 IN (SELECT t.age FROM person t)', /tables that differ in case only/],
    ['MySQL', 'SELECT * FROM person RIGHT JOIN visit USING (city_id)', /a star over a RIGHT JOIN with USING/],
    ['MySQL', 'SELECT name FROM person UNION SELECT name FROM city ORDER BY -name', /that is no result column/],
  ])('%s: %s', (title, sql, message) => {
    const dialect = BY_TITLE[title];
    expect(() => resolveColumns(sql, TOWN, dialect)).toThrow(SqlRewriteError);
    expect(() => resolveColumns(sql, TOWN, dialect)).toThrow(message);
  });

  it.each<[Title, string, RegExp]>([
    ['PostgreSQL', 'ctid', /the name of the system column ctid/],
    ['PostgreSQL', 'é'.repeat(32), /longer than the 63 bytes/],
    ['MySQL', 'a'.repeat(65), /longer than the 64 characters/],
    ['MySQL', '😀', /does not allow in names/],
    ['MySQL', 'x ', /ends with a space/],
    ['MySQL', 'ÂGE', /two columns of person would be called/],
  ])('a name that can not be in %s: %s', (title, name, message) => {
    expect(() => renamed('SELECT 1 FROM person', { 'person.name': name }, BY_TITLE[title])).toThrow(message);
  });
});

describe('renderIdentifier', () => {
  it('quotes reserved words of the dialect in its own quotes', () => {
    for (const word of POSTGRESQL.reserved) expect(renderIdentifier(word.toLowerCase(), POSTGRESQL)).toMatch(/^"/);
    for (const word of MYSQL.reserved) expect(renderIdentifier(word, MYSQL)).toMatch(/^`/);
    expect(renderIdentifier('year', POSTGRESQL)).toBe('year');
    expect(renderIdentifier('Year', POSTGRESQL)).toBe('"Year"');
    expect(renderIdentifier('Year', MYSQL)).toBe('Year');
  });
});
