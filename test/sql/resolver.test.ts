import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../src/errors.js';
import { columnAt } from '../../src/schema/schema.js';
import { askedColumns, mentionedColumns, resolveColumns } from '../../src/sql/resolver.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import { isTrivia, tokenize } from '../../src/sql/tokenizer.js';
import { openTown, TOWN } from './town-database.js';
import { TOWN_QUERIES } from './town-queries.js';

/** References as `token kind table.column`, the further columns of USING after a plus sign. */
function referencesOf(sql: string): string[] {
  return resolveColumns(sql, TOWN).map(({ name, kind, ref, merged, table, span, quote }) => {
    expect(sql.slice(span.start, span.end)).toBe(quote === 'bare' ? name : sql.slice(span.start, span.end));
    const columns = [...(ref === null ? [] : [ref]), ...merged];
    const names = columns.map(
      (column) => `${TOWN.tables[column.table]?.originalName}.${columnAt(TOWN, column).originalName}`,
    );
    const title = ref === null && table !== null ? ` ${TOWN.tables[table]?.originalName}` : '';
    return `${name} ${kind}${title}${names.length === 0 ? '' : ` ${names.join('+')}`}`;
  });
}

describe('resolveColumns', () => {
  it.each<[string, string[]]>([
    ['SELECT NAME FROM Person', ['NAME column person.name', 'Person table person']],
    ['SELECT p.name FROM person p', ['p alias person', 'name column person.name', 'person table person']],
    ['SELECT "name", "nobody" FROM person', ['name column person.name', 'nobody literal', 'person table person']],
    [
      'SELECT 1 FROM person JOIN visit USING (city_id)',
      ['person table person', 'visit table visit', 'city_id column person.city_id+visit.city_id'],
    ],
    [
      'SELECT city_id FROM person NATURAL JOIN visit',
      ['city_id column person.city_id+visit.city_id', 'person table person', 'visit table visit'],
    ],
    [
      'SELECT city_id FROM person RIGHT JOIN visit USING (city_id)',
      [
        'city_id column visit.city_id+person.city_id',
        'person table person',
        'visit table visit',
        'city_id column person.city_id+visit.city_id',
      ],
    ],
    [
      'SELECT n FROM (SELECT name AS n FROM person)',
      ['n output person.name', 'name column person.name', 'person table person'],
    ],
    [
      'SELECT name FROM (SELECT * FROM person) q WHERE q.age > 1',
      ['name column person.name', 'person table person', 'q alias', 'age column person.age'],
    ],
    [
      'WITH q(a) AS (SELECT max(age) FROM person) SELECT a FROM q',
      ['age column person.age', 'person table person', 'a output', 'q alias'],
    ],
    [
      'SELECT age AS n FROM person GROUP BY n HAVING age > 1 ORDER BY n, -age',
      [
        'age column person.age',
        'person table person',
        'n alias',
        'age column person.age',
        'n alias',
        'age column person.age',
      ],
    ],
    [
      'SELECT name AS age FROM person WHERE age > 1 ORDER BY age',
      ['name column person.name', 'person table person', 'age column person.age', 'age alias'],
    ],
    [
      'SELECT name FROM person WHERE EXISTS (SELECT 1 FROM visit WHERE person_id = id AND city_id = person.city_id)',
      [
        'name column person.name',
        'person table person',
        'visit table visit',
        'person_id column visit.person_id',
        'id column person.id',
        'city_id column visit.city_id',
        'person table person',
        'city_id column person.city_id',
      ],
    ],
    [
      'SELECT country FROM city UNION SELECT name FROM person ORDER BY name',
      [
        'country column city.country',
        'city table city',
        'name column person.name',
        'person table person',
        'name column person.name',
      ],
    ],
    [
      'SELECT p.rowid, _ROWID_ FROM person p',
      ['p alias person', 'rowid rowid person', '_ROWID_ rowid person', 'person table person'],
    ],
    ['SELECT p.* FROM person p WHERE TRUE', ['p alias person', 'person table person', 'TRUE literal']],
    [
      'SELECT *, -age AS id FROM person ORDER BY id',
      ['age column person.age', 'person table person', 'id column person.id'],
    ],
    [
      'SELECT sum(age) OVER (PARTITION BY boss) FROM person WINDOW w AS (ORDER BY name)',
      ['age column person.age', 'boss column person.boss', 'person table person', 'name column person.name'],
    ],
  ])('%s', (sql, expected) => {
    expect(referencesOf(sql)).toEqual(expected);
  });

  it.each([
    ['SELECT nome FROM person', /no such column: nome at offset 7 \(1:8\)/],
    ['SELECT p.nome FROM person p', /no such column: p\.nome/],
    ['SELECT person.name FROM person p', /no such column: person\.name/],
    ['SELECT [nome] FROM person', /no such column/],
    ['SELECT name FROM person, city', /ambiguous column name: name at offset 7/],
    ['SELECT name FROM persons', /no such table: persons at offset 17/],
    ['SELECT x.* FROM person', /no such table: x/],
    ['SELECT * FROM person JOIN visit USING (name)', /cannot join using column name/],
    ['SELECT name FROM (SELECT age FROM person)', /no such column: name/],
    ['SELECT name FROM person a, (SELECT a.id FROM city) b', /no such column: a\.id/],
    ['SELECT age AS n, n + 1 FROM person', /no such column: n/],
    ["SELECT * FROM pragma_table_info('person')", /table-valued function/],
    ['WITH q AS (SELECT * FROM q) SELECT * FROM q', /circular reference/],
    ['SELECT name FROM person LIMIT age', /no such column: age/],
    ['SELECT name FROM person UNION SELECT name FROM city ORDER BY age', /no such column: age/],
    ['SELECT rowid FROM person, city', /no such column: rowid/],
    ['SELECT temp.person.name FROM temp.person', /no such table/],
    ['SELECT', /expected an expression/],
  ])('refuses %s', (sql, message) => {
    expect(() => resolveColumns(sql, TOWN)).toThrow(SqlRewriteError);
    expect(() => resolveColumns(sql, TOWN)).toThrow(message);
  });
});

const OTHER_NAMES = [
  'id',
  'name',
  'age',
  'city_id',
  'boss',
  'country',
  'year',
  'rowid',
  'n',
  'x',
  'p',
  'q',
  'c',
  'person',
  'city',
  '"Ann"',
  '"order"',
];
const NAME_FAULT = /no such column|ambiguous column name|no such table/;
// An empty IN drops its left side unread in SQLite; unused CTEs are never read there.
const COMPARABLE = TOWN_QUERIES.filter((sql) => !/IN \(\)|WITH/.test(sql));

function refusalOf(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('against SQLite itself', () => {
  const sqlite = openTown();

  it.each(TOWN_QUERIES)('accepts %s', (sql) => {
    sqlite.prepare(singleQuoteLiterals(sql, TOWN).sql);
  });

  it('knows and refuses the same names when one token of a query is another name', () => {
    const query = fc.constantFrom(...COMPARABLE);
    const arbitrary = fc.tuple(query, fc.nat(), fc.constantFrom(...OTHER_NAMES));
    fc.assert(
      fc.property(arbitrary, ([sql, at, name]) => {
        const words = tokenize(sql).filter(
          (token) => !isTrivia(token) && (token.kind === 'quoted' || OTHER_NAMES.includes(token.text)),
        );
        const token = words[at % Math.max(1, words.length)];
        fc.pre(token !== undefined);
        const changed = sql.slice(0, token.start) + name + sql.slice(token.end);
        const ours = refusalOf(() => resolveColumns(changed, TOWN));
        const theirs = refusalOf(() => sqlite.prepare(ours === '' ? singleQuoteLiterals(changed, TOWN).sql : changed));
        if (ours === '') expect(theirs, changed).not.toMatch(NAME_FAULT);
        else expect(theirs, `${changed}: ${ours}`).not.toBe('');
      }),
      { numRuns: 600, seed: 7 },
    );
  });
});

describe('mentionedColumns', () => {
  it.each([
    ['SELECT name FROM person WHERE age > 1 AND name = "x" ORDER BY age', ['name', 'age']],
    ['SELECT * FROM person', []],
    ['SELECT count(*) FROM person NATURAL JOIN visit', []],
    ['SELECT 1 FROM person JOIN visit USING (city_id)', ['city_id', 'city_id']],
    ['SELECT n FROM (SELECT age AS n, id FROM person)', ['age', 'id']],
    ['SELECT rowid, "no" FROM person', []],
  ])('%s', (sql, expected) => {
    expect(mentionedColumns(resolveColumns(sql, TOWN)).map((ref) => columnAt(TOWN, ref).originalName)).toEqual(
      expected,
    );
  });
});

describe('askedColumns', () => {
  it.each([
    ['SELECT p.name FROM person AS p JOIN city AS c ON p.city_id = c.id', ['name']],
    ['SELECT p.name FROM (person AS p JOIN city AS c ON p.city_id = c.id)', ['name']],
    [
      "SELECT p.name FROM person AS p JOIN city AS c ON p.city_id = c.id WHERE c.country = 'Italy'",
      ['name', 'country'],
    ],
  ])('leave out what only joins: %s', (sql, expected) => {
    expect(askedColumns(sql, TOWN).map((ref) => columnAt(TOWN, ref).originalName)).toEqual(expected);
  });
});
