import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareResults } from '../../../src/sql/execution/result-comparison.js';
import { CountedCopy, StepsExceeded } from '../../../src/testsuite/denotation/denotation-runner.js';
import { cursorPages, loopDepth, mostRows } from '../../../src/testsuite/denotation/loop-depth.js';
import { DENOTATION_LIMITS, DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import { openRandom, randomQuery, randomTown } from '../../sql/random-queries.js';

const townAndQuery = randomTown.chain((town) => fc.tuple(fc.constant(town), randomQuery(town.database)));

let sqlite: Sqlite.Database;

beforeEach(() => {
  sqlite = new Sqlite(':memory:');
  sqlite.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT COLLATE NOCASE);
    CREATE TABLE u (x INT, word TEXT) ; CREATE INDEX u_x ON u (x); CREATE VIEW v AS SELECT x FROM u;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)
    INSERT INTO t SELECT i, 'w' || i % 9 FROM n;
    INSERT INTO u SELECT id % 50, upper(word) FROM t;`);
});
afterEach(() => sqlite.close());

const limited = (maxSteps: number): DenotationRunner =>
  new DenotationRunner(sqlite, { ...DENOTATION_LIMITS, maxSteps });

describe('DenotationRunner', () => {
  it.each([
    ['a product of tables', 'SELECT count(*) FROM t, u, t AS a, u AS b'],
    ['one through a view', 'SELECT count(*) FROM v, v AS w, v AS x, v AS y'],
    ['one in a condition that nothing meets', 'SELECT 1 FROM t, u, t AS a, u AS b WHERE t.id + u.x + a.id + b.x = -1'],
    ['a subquery for each row', 'SELECT (SELECT count(*) FROM u, u AS o WHERE o.x > t.id) FROM t, t AS b'],
    ['a product of results', 'WITH c AS MATERIALIZED (SELECT DISTINCT x FROM u) SELECT count(*) FROM c, c a, c b, c d'],
    [
      'results that grow by being read twice',
      `WITH ${Array.from({ length: 12 }, (_, i) => `c${i + 1} AS MATERIALIZED (SELECT x FROM c${i} UNION ALL SELECT x FROM c${i})`).join(', ')}
       SELECT count(*) FROM c12`.replace('WITH ', 'WITH c0 AS MATERIALIZED (SELECT DISTINCT x FROM u), '),
    ],
    [
      'a pass over a result in each row',
      'WITH c AS MATERIALIZED (SELECT t.id + o.id AS x FROM t, t AS o LIMIT 20000) SELECT (SELECT count(*) FROM c WHERE c.x > t.id + u.x) FROM t, u',
    ],
    [
      'a result read again in each row of a table',
      'SELECT count(*) FROM t, u JOIN (SELECT DISTINCT t.id + u.x AS x FROM t, u) AS o ON o.x = t.id OR o.x = u.x',
    ],
    ['recursion', 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'],
    ['a table-valued function', `SELECT count(*) FROM json_each('[1,2]')`],
  ])('ends a runaway query: %s', (_, sql) => {
    expect(limited(100_000).denote(sql, 'bag')).toEqual({ kind: 'too-long' });
    expect(limited(100_000).denote('SELECT count(*) FROM t', 'bag').kind).toBe('rows');
  });

  it('ends a product of many constants', () => {
    const list = Array.from({ length: 40 }, (_, i) => `(${i})`).join(', ');
    const union = Array.from({ length: 40 }, (_, i) => `SELECT ${i}`).join(' UNION ALL ');
    const values = `SELECT count(*) FROM (VALUES ${list}) a, (VALUES ${list}) b, (VALUES ${list}) c, (VALUES ${list}) d`;
    expect(limited(100_000).denote(values, 'bag')).toEqual({ kind: 'too-long' });
    const compound = `WITH c AS (${union}) SELECT count(*) FROM c, c a, c b, c d`;
    expect(limited(100_000).denote(compound, 'bag')).toEqual({ kind: 'too-long' });
  });

  it('lets a join end that looks at few rows, however many tables it has', () => {
    const joins = ['a', 'b', 'c', 'd'].map((name) => `JOIN t AS ${name} ON ${name}.id = u.x`).join(' ');
    expect(limited(5_000).run(`SELECT count(*) FROM u ${joins}`)).toMatchObject({ kind: 'rows', rows: [[196n]] });
    const equal = 'SELECT count(*) FROM u AS a JOIN u AS b ON a.x = b.x JOIN u AS c ON c.x = b.x';
    expect(limited(20_000).run(equal)).toMatchObject({ kind: 'rows', rows: [[3200n]] });
  });

  it('lets a pass over a result end, however many tables it was made of', () => {
    const join = 'SELECT a.x FROM u AS a JOIN t AS b ON b.id = a.x JOIN t AS c ON c.id = b.id';
    const both = `${join} INTERSECT ${join.replace('a.x', 'b.id')}`;
    expect(limited(5_000).run(`SELECT count(*) FROM (${both})`)).toMatchObject({ rows: [[49n]] });
    expect(limited(5_000).run(`WITH both AS (${both}) SELECT * FROM both`).kind).toBe('rows');
    const grouped = `SELECT a.x, count(*) AS n FROM u AS a JOIN t AS b ON b.id = a.x GROUP BY a.x`;
    const joined = `SELECT sum(g.n) FROM (${grouped}) AS g JOIN t AS o ON o.id = g.x`;
    expect(limited(5_000).run(joined)).toMatchObject({ rows: [[196n]] });
  });

  it.each([
    ['DROP TABLE t', { kind: 'refused', reason: 'not-a-select' }],
    ['', { kind: 'refused', reason: 'empty' }],
    ['SELECT 1; SELECT 2', { kind: 'refused', reason: 'several-statements' }],
    ['WITH a AS (SELECT 1) DELETE FROM t', { kind: 'refused', reason: 'not-a-select' }],
    ['SELECT missing FROM t', { kind: 'failed', at: 'query', message: 'no such column: missing' }],
    ['SELECT * FROM t, u', { kind: 'too-large', limit: 'rows' }],
  ])('answers %s without harm', (sql, outcome) => {
    const runner = new DenotationRunner(sqlite, { ...DENOTATION_LIMITS, maxRows: 1000 });
    expect(runner.denote(sql, 'bag')).toEqual(outcome);
    expect(runner.denote(sql, 'bag')).toEqual(outcome);
    expect(runner.run('SELECT count(*) FROM t')).toMatchObject({ rows: [[200n]] });
  });

  it('sees rows that were replaced', () => {
    const runner = limited(30_000);
    const sql = 'SELECT count(*) FROM t, u';
    expect(runner.denote(sql, 'bag')).toEqual({ kind: 'too-long' });
    sqlite.exec('DELETE FROM t WHERE id > 3');
    expect(runner.run(sql)).toMatchObject({ rows: [[600n]] });
    sqlite.exec(`INSERT INTO t VALUES (7, 'w'), (8, 'w')`);
    expect(runner.run(sql)).toMatchObject({ rows: [[1000n]] });
  });

  it('counts loops by an index of a column that is called rowid', () => {
    const named = new Sqlite(':memory:');
    try {
      named.exec('CREATE TABLE tag (id TEXT, "rowid" TEXT); CREATE INDEX by_name ON tag ("rowid")');
      const joined = 'SELECT count(*) FROM tag AS a JOIN tag AS b ON';
      expect(loopDepth(named, `${joined} b."rowid" = a.id`).all).toBe(2);
      expect(loopDepth(named, `${joined} b._rowid_ = a.id`).all).toBe(1);
    } finally {
      named.close();
    }
  });

  it('knows beforehand how many rows loops over tables look at', () => {
    let bounded = 0;
    fc.assert(
      fc.property(townAndQuery, ([town, sql]) => {
        const random = openRandom(town, town.database);
        const counted = new CountedCopy(random);
        try {
          if (new DenotationRunner(random).run(sql).kind !== 'rows') return;
          const depth = loopDepth(random, sql);
          if (depth.results > 0 || depth.isUnbounded) return;
          bounded++;
          const names = new Map(
            random.prepare('SELECT rootpage, tbl_name FROM sqlite_schema').raw().all() as [number, string][],
          );
          const sizeOf = (table: string): number =>
            random.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() as number;
          const rows = cursorPages(random, sql).map((page) => sizeOf(names.get(page) ?? ''));
          const largest = Math.max(2, ...[...names.values()].map(sizeOf));
          // Each loop around another one looks at its own rows, too.
          const most = mostRows(depth, rows, largest) * (depth.all + 1);
          const read = (copy: Sqlite.Database): unknown => copy.prepare(sql).raw().all();
          expect(() => counted.run(most, read)).not.toThrow(StepsExceeded);
        } finally {
          counted.close();
          random.close();
        }
      }),
      { numRuns: 300 },
    );
    expect(bounded).toBeGreaterThan(100);
  });

  it('gives the same rows whether they are counted or not', () => {
    let counted = 0;
    fc.assert(
      fc.property(townAndQuery, ([town, sql]) => {
        const random = openRandom(town, town.database);
        try {
          const plain = new DenotationRunner(random, { ...DENOTATION_LIMITS, maxSteps: Infinity }).run(sql);
          const other = new DenotationRunner(random, { ...DENOTATION_LIMITS, maxSteps: 64 }).run(sql);
          if (plain.kind !== 'rows' || other.kind !== 'rows' || /\bLIMIT\b|group_concat/iu.test(sql)) return;
          counted++;
          expect(compareResults(plain, other, 'bag', 'exact')).toBeNull();
        } finally {
          random.close();
        }
      }),
      { numRuns: 300 },
    );
    expect(counted).toBeGreaterThan(100);
  });
});
