import { rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { QueryTask } from '../../../src/sql/execution/query-protocol.js';
import { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import type { ComparisonMode } from '../../../src/sql/execution/result-comparison.js';
import { ordersResult } from '../../../src/sql/execution/result-mode.js';
import { copyTables } from '../../../src/sql/execution/copied-tables.js';
import { checkRowOrder } from '../../../src/sql/execution/row-order-check.js';
import { createDatabase, hashFolder, NEVER } from './query-fixture.js';

const { folder, file } = createDatabase(`
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
  INSERT INTO city VALUES (1, 'Rome'), (2, 'Oslo');
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INT, city INT REFERENCES city(id), twice AS (age * 2));
  INSERT INTO person VALUES (1,'Ann',30,1),(2,'Bob',30,1),(3,'Cid',20,2),(4,'Dan',20,1),(5,'Eve',40,2);
  CREATE TABLE score (mark TEXT, team INT, points INT);
  INSERT INTO score VALUES ('a', 1, 3), ('b', 1, 3), ('a', 1, 3), ('c', 1, 2), ('a', NULL, 3), ('b', NULL, 3), ('a', NULL, 3), ('c', NULL, 1);
  CREATE INDEX by_age ON person(age);
  CREATE VIEW elder AS SELECT name, age FROM person WHERE age >= 30;
  CREATE TABLE word (w TEXT COLLATE NOCASE, n INT, PRIMARY KEY (w, n)) WITHOUT ROWID;
  INSERT INTO word VALUES ('a', 1), ('A', 2), ('b', 1);`);
const before = hashFolder(folder);
const runner = new QueryRunner({ jobs: 1 });

afterAll(async () => {
  await runner.close();
  expect(hashFolder(folder)).toEqual(before);
  rmSync(folder, { recursive: true });
});

async function check(sql: string, more: Partial<QueryTask> = {}, mode?: ComparisonMode) {
  const task = { file, sql, ...more };
  const result = await runner.run(task, NEVER);
  if (result.kind !== 'rows') throw new Error(JSON.stringify(result));
  const how = { mode: mode ?? (ordersResult(sql) ? 'ordered' : 'bag'), identity: 'exact' } as const;
  return checkRowOrder(runner, task, result, how, NEVER);
}

describe('checkRowOrder', () => {
  it.each([
    'SELECT name FROM person ORDER BY age LIMIT 1',
    'SELECT name FROM person ORDER BY age DESC LIMIT 2',
    'SELECT name FROM person LIMIT 2',
    'SELECT name FROM person ORDER BY age',
    'SELECT name, max(age) FROM person WHERE age < 40',
    'SELECT city, name FROM person GROUP BY city',
    'SELECT city, group_concat(name) FROM person GROUP BY city',
    'SELECT group_concat(name) FROM person',
    'SELECT name FROM elder ORDER BY age LIMIT 1',
    'SELECT name FROM person WHERE id IN (SELECT id FROM person ORDER BY age LIMIT 1)',
    "SELECT w FROM word WHERE w = 'a' LIMIT 1",
    'SELECT random()',
    // Groups come sorted in every order of rows; the plan of another schema may leave them unsorted.
    'SELECT age FROM person GROUP BY age HAVING age > 20 ORDER BY count(*) % 1 LIMIT 1;',
    'SELECT age FROM person UNION SELECT id FROM city LIMIT 2',
    'SELECT city, name FROM (SELECT DISTINCT * FROM person ORDER BY id) GROUP BY city',
    'SELECT DISTINCT city FROM (SELECT DISTINCT * FROM person ORDER BY id) ORDER BY age',
    // Three rows have the greatest value of a group; the first and the last that are found are alike.
    'SELECT mark, team, max(points) FROM score GROUP BY team',
    'SELECT s.mark, max(s.points) FROM score AS s WHERE s.points > 1 OR s.team IS NULL ORDER BY max(s.points)',
    'SELECT mark, max(points) FROM score WHERE team IS NULL GROUP BY team HAVING max(points) > 2',
  ])('sees what row order decides: %s', async (sql) => {
    expect(await check(sql)).toBe('row-order');
  });

  it.each([
    'SELECT name FROM person',
    'SELECT * FROM person',
    'SELECT name FROM person ORDER BY age, name LIMIT 3',
    'SELECT name FROM person ORDER BY id LIMIT 3',
    'SELECT age FROM person ORDER BY age LIMIT 1',
    'SELECT city, count(*), avg(age), sum(twice) FROM person GROUP BY city ORDER BY 2',
    'SELECT group_concat(name ORDER BY name) FROM person',
    'SELECT name, max(age) FROM person',
    'SELECT name, city, max(age) FROM person WHERE age <> 30 OR city = 2 GROUP BY city',
    'SELECT mark, team, min(points) FROM score GROUP BY team ORDER BY min(points), team',
    'SELECT team, max(points) FROM score GROUP BY team',
    'SELECT mark, max(points) FROM score WHERE team = 3',
    'SELECT DISTINCT age FROM person',
    'SELECT c.name, p.name FROM person p JOIN city c ON p.city = c.id',
    'SELECT name FROM elder',
    "SELECT count(*) FROM word WHERE w = 'A'",
    'SELECT DISTINCT lower(w) FROM word ORDER BY w, n LIMIT 3',
    'SELECT typeof(age), typeof(id), twice FROM person',
    'SELECT name FROM person WHERE rowid = 2',
  ])('sees what SQL decides: %s', async (sql) => {
    expect(await check(sql)).toBe('determined');
  });

  it('counts ties of an ORDER BY only where order counts', async () => {
    expect(await check('SELECT name FROM person ORDER BY age', {}, 'bag')).toBe('determined');
  });

  it('works on databases that scripts set up, as far as SQLite’s pragma reaches', async () => {
    const setup = ['CREATE TEMP VIEW people AS SELECT name AS label, age FROM main.person'];
    expect(await check('SELECT label FROM people LIMIT 2', { setup })).toBe('row-order');
    expect(await check('SELECT label FROM people', { setup })).toBe('determined');
  });

  it('leaves queries in stored order as they were', async () => {
    const task = { file, sql: 'SELECT name FROM person LIMIT 1' };
    const stored = await runner.run(task, NEVER);
    expect(stored).toMatchObject({ rows: [['Ann']] });
    expect(await runner.run({ ...task, rowOrder: 'reversed' }, NEVER)).toMatchObject({ rows: [['Eve']] });
    expect(await runner.run(task, NEVER)).toEqual(stored);
  });

  it('does not know where the query fails without the indexes', async () => {
    expect(await check('SELECT name FROM person INDEXED BY by_age WHERE age > 1')).toBe('unknown');
  });
});

describe('copyTables', () => {
  it.each(['copied', 'reversed'] as const)('keeps columns, affinities, collations and values, %s', (order) => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec(`
      CREATE TABLE "odd ""t" (a TEXT COLLATE NOCASE, "b c" VARCHAR(5) COLLATE RTRIM, c, d REAL, e NUMERIC, f ANY);
      INSERT INTO "odd ""t" VALUES ('x', 'y ', '1', 1, '2', x'00'), (NULL, CAST(x'ff' AS TEXT), 1, 2.5, 'z', 1e300);`);
    const read = (schema: string) =>
      sqlite
        .prepare(
          `SELECT a, hex("b c"), c, d, e, f, typeof(c), typeof(d), typeof(e), a = 'X', "b c" = 'y', c = 1, d = '1', e = '2', f = '1e300'
           FROM ${schema}."odd ""t"`,
        )
        .raw()
        .all();
    const stored = read('main');
    copyTables(sqlite, order);
    expect(read('temp')).toEqual(order === 'copied' ? stored : stored.reverse());
    sqlite.close();
  });
});
