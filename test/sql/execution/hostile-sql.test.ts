import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import { createDatabase, hashFolder, NEVER, rowsOf, RUNAWAY } from './query-fixture.js';

const { folder, file } = createDatabase(`
  CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO singer VALUES (1, 'Ann'), (2, 'Bob');
  CREATE TABLE many (n INTEGER);
  WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 2000) INSERT INTO many SELECT x FROM r;`);
const before = hashFolder(folder);
const written = join(folder, 'written');
const runner = new QueryRunner({ jobs: 1, memoryMiB: 384, limits: { timeoutMs: 10_000, maxRows: 100_000 } });

afterAll(async () => {
  await runner.close();
  rmSync(folder, { recursive: true });
});

const run = (sql: string, timeoutMs?: number) =>
  runner.run({ file, sql }, NEVER, timeoutMs === undefined ? {} : { timeoutMs });

/** The pool still answers, rightly, and no file has changed. */
async function expectIntact(): Promise<void> {
  expect(rowsOf(await run('SELECT name FROM singer ORDER BY id'))).toEqual([['Ann'], ['Bob']]);
  expect(hashFolder(folder)).toEqual(before);
}

/** A query's beginning, for the test's name. */
const titled = (sql: string) => ({ sql, title: sql.slice(0, 60).trim() });

describe('hostile SQL', () => {
  it.each(
    (
      [
        ['DROP TABLE singer', 'not-a-select'],
        ['delete from singer', 'not-a-select'],
        ['INSERT INTO singer VALUES (3, 4) RETURNING id', 'not-a-select'],
        ['WITH x AS (SELECT 1) DELETE FROM singer RETURNING id', 'not-a-select'],
        ["WITH x AS (SELECT 1) INSERT INTO singer SELECT 5, 'x'", 'not-a-select'],
        [`ATTACH '${written}' AS other`, 'not-a-select'],
        [`VACUUM INTO '${written}'`, 'not-a-select'],
        ['PRAGMA journal_mode = WAL', 'not-a-select'],
        ['PRAGMA reverse_unordered_selects = ON', 'not-a-select'],
        ['/* SELECT */ PRAGMA query_only = OFF', 'not-a-select'],
        ['EXPLAIN SELECT 1', 'not-a-select'],
        ['BEGIN EXCLUSIVE', 'not-a-select'],
        ['selection', 'not-a-select'],
        ['The answer is SELECT 1', 'not-a-select'],
        ['```sql\nSELECT 1\n```', 'not-a-select'],
        ['SELECT 1; SELECT 2', 'several-statements'],
        ['SELECT 1; DROP TABLE singer', 'several-statements'],
        ['SELECT 1\0; DROP TABLE singer', 'nul-character'],
        ['', 'empty'],
        [' \n\t-- nothing\n/* here */', 'empty'],
        [`SELECT ${' '.repeat(1_000_000)}1`, 'too-long'],
        ['x'.repeat(1_048_576), 'too-long'],
      ] as const
    ).map(([sql, reason]) => ({ ...titled(sql), reason })),
  )('is refused: $title', async ({ sql, reason }) => {
    expect(await run(sql)).toEqual({ kind: 'refused', reason });
    await expectIntact();
  });

  it.each(
    (
      [
        ['SELECT nobody FROM singer', 'no such column: nobody'],
        ['SELECT * FROM absent', 'no such table: absent'],
        ['SELECT', 'incomplete input'],
        ['SELECT "Ann"', /^no such column: "Ann"/],
        ["SELECT load_extension('x')", 'not authorized'],
        [`SELECT writefile('${written}', 'x')`, 'no such function: writefile'],
        ["SELECT readfile('/etc/hostname')", 'no such function: readfile'],
        ["SELECT edit('x')", 'no such function: edit'],
        ["SELECT fts3_tokenizer('a', x'00')", 'fts3tokenize disabled'],
        ["SELECT * FROM fsdir('/')", 'no such table: fsdir'],
        ['SELECT * FROM sqlite_dbpage', 'no such table: sqlite_dbpage'],
        [`SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)}`, 'Recursion limit'],
        [`SELECT ${'1+'.repeat(100_000)}1`, 'Expression tree is too large (maximum depth 1000)'],
        [`SELECT ${'(SELECT '.repeat(5000)}1${')'.repeat(5000)}`, 'Recursion limit'],
        [`SELECT 1${' UNION SELECT 1'.repeat(1000)}`, 'too many terms in compound SELECT'],
        [
          `SELECT 1 FROM singer${Array.from({ length: 64 }, (_, i) => `, singer AS t${i}`).join('')}`,
          'at most 64 tables in a join',
        ],
        [`SELECT ${'x'.repeat(900_000)}`, /^no such column: x+$/],
      ] as const
    ).map(([sql, message]) => ({ ...titled(sql), message })),
  )('fails as SQLite says: $title', async ({ sql, message }) => {
    const matching: unknown = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await run(sql)).toEqual({ kind: 'failed', at: 'query', message: matching });
    await expectIntact();
  });

  it.each([RUNAWAY, 'SELECT count(*) FROM many a JOIN many b JOIN many c JOIN many d'].map(titled))(
    'is stopped in time: $title',
    async ({ sql }) => {
      expect(await run(sql, 300)).toEqual({ kind: 'timed-out' });
      await expectIntact();
    },
  );

  it.each(
    (
      [
        ['SELECT randomblob(1000000000)', 'bytes'],
        ['SELECT length(zeroblob(999999999) || 1)', 'bytes'],
        ['SELECT zeroblob(140000000)', 'bytes'],
        ['SELECT a.n, b.n, c.n FROM many a, many b, many c', 'rows'],
      ] as const
    ).map(([sql, limit]) => ({ ...titled(sql), limit })),
  )('is too large: $title', async ({ sql, limit }) => {
    expect(await run(sql)).toEqual({ kind: 'too-large', limit });
    await expectIntact();
  });

  it
    .skipIf(!existsSync('/proc/self/limits'))
    .each(
      [
        'SELECT length(hex(zeroblob(200000000)))',
        'SELECT count(*) FROM (SELECT n, hex(zeroblob(250000)) AS b FROM many ORDER BY b)',
        'SELECT length(group_concat(hex(zeroblob(100000)))) FROM many',
      ].map(titled),
    )('has bounded memory (Linux only): $title', async ({ sql }) => {
    expect(await run(sql)).toEqual({ kind: 'too-large', limit: 'memory' });
    await expectIntact();
  });

  it('reads about the schema at most', async () => {
    expect(rowsOf(await run("SELECT name FROM pragma_table_info('singer')"))).toEqual([['id'], ['name']]);
    await expectIntact();
  });

  it('may carry a closing semicolon, comments and a byte order mark', async () => {
    for (const sql of [
      '\uFEFF  SELECT 1 ;',
      '-- x\n/* y */ select 1 -- z',
      'VALUES (1);;',
      'WITH a AS (VALUES (1)) SELECT * FROM a',
    ]) {
      expect(rowsOf(await run(sql))).toEqual([[1n]]);
    }
  });
});
