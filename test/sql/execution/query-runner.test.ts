import { getEventListeners } from 'node:events';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executableSql } from '../../../src/sql/executable-sql.js';
import { openUntouched } from '../../../src/sql/execution/open-untouched.js';
import type { QueryLimits } from '../../../src/sql/execution/query-outcome.js';
import type { QueryTask } from '../../../src/sql/execution/query-protocol.js';
import { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import { hasSpider, NEEDS_SPIDER, readDatabases, readGold, SPIDER } from '../spider-files.js';
import { createDatabase, hashFolder, NEVER, rowsOf, RUNAWAY } from './query-fixture.js';

const { folder, file } = createDatabase(`
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age REAL);
  INSERT INTO person VALUES (1, 'Ann', 30), (2, 'Bob', 25.5), (9007199254740993, NULL, NULL);
  CREATE TABLE many (n INTEGER);
  WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 3000) INSERT INTO many SELECT x FROM r;`);
const before = hashFolder(folder);

let runner: QueryRunner;
beforeAll(() => {
  runner = new QueryRunner({ jobs: 2, limits: { timeoutMs: 10_000 } });
});
afterAll(async () => {
  await runner.close();
  expect(hashFolder(folder)).toEqual(before);
  rmSync(folder, { recursive: true });
});

const run = (sql: string, limits: Partial<QueryLimits> = {}, more: Partial<QueryTask> = {}) =>
  runner.run({ file, sql, ...more }, NEVER, limits);

describe('QueryRunner', () => {
  it('gives values as SQLite holds them, and names of columns twice where they come twice', async () => {
    expect(await run("SELECT id, name, age, id, x'00ff' AS bytes, 1 = 1.0 AS id FROM person")).toEqual({
      kind: 'rows',
      columns: ['id', 'name', 'age', 'id', 'bytes', 'id'],
      rows: [
        [1n, 'Ann', 30, 1n, Buffer.from([0, 255]), 1n],
        [2n, 'Bob', 25.5, 2n, Buffer.from([0, 255]), 1n],
        [9007199254740993n, null, null, 9007199254740993n, Buffer.from([0, 255]), 1n],
      ],
    });
  });

  it('keeps the columns of a result without rows', async () => {
    expect(await run('SELECT name, age FROM person WHERE 0')).toEqual({
      kind: 'rows',
      columns: ['name', 'age'],
      rows: [],
    });
  });

  it('answers each query with its own outcome, however many run side by side', async () => {
    const numbers = Array.from({ length: 200 }, (_, i) => i);
    const outcomes = await Promise.all(numbers.map((n) => run(n % 7 === 3 ? `SELECT nothing${n}` : `SELECT ${n}`)));
    expect(outcomes).toEqual(
      numbers.map((n) =>
        n % 7 === 3
          ? { kind: 'failed', at: 'query', message: `no such column: nothing${n}` }
          : { kind: 'rows', columns: [`${n}`], rows: [[BigInt(n)]] },
      ),
    );
  });

  it('stops a query at its time limit; the others go on', async () => {
    const outcomes = await Promise.all([
      run(RUNAWAY, { timeoutMs: 300 }),
      run('SELECT count(*) FROM many a, many b, many c, many d', { timeoutMs: 300 }),
      ...Array.from({ length: 20 }, () => run('SELECT count(*) FROM person')),
    ]);
    expect(outcomes.slice(0, 2)).toEqual([{ kind: 'timed-out' }, { kind: 'timed-out' }]);
    for (const outcome of outcomes.slice(2)) expect(rowsOf(outcome)).toEqual([[3n]]);
  });

  it('does not blame a query for a parent that is busy', async () => {
    await run('SELECT 1');
    const outcome = run('SELECT 1', { timeoutMs: 700 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const end = performance.now() + 1000;
    while (performance.now() < end);
    expect(rowsOf(await outcome)).toEqual([[1n]]);
  });

  it('bounds rows and bytes', async () => {
    const endless = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 10000000) SELECT x FROM r';
    expect(await run(endless, { maxRows: 1000 })).toEqual({ kind: 'too-large', limit: 'rows' });
    expect(await run(endless, { maxBytes: 100_000 })).toEqual({ kind: 'too-large', limit: 'bytes' });
    expect(await run('SELECT zeroblob(1000)', { maxBytes: 999 })).toEqual({ kind: 'too-large', limit: 'bytes' });
    expect(rowsOf(await run('SELECT n FROM many', { maxRows: 3000 }))).toHaveLength(3000);
    expect(await run('SELECT n FROM many', { maxRows: 2999 })).toEqual({ kind: 'too-large', limit: 'rows' });
  });

  it('says of a file that it is at fault', async () => {
    const junk = join(folder, '..', `${process.pid}.junk`);
    writeFileSync(junk, 'no database '.repeat(100));
    const databases = [join(folder, 'absent.sqlite'), junk, folder];
    const outcomes = await Promise.all(databases.map((other) => run('SELECT 1', {}, { file: other })));
    rmSync(junk);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'failed', at: 'database' });
    expect(outcomes[1]).toMatchObject({ message: 'file is not a database' });
  });

  it('reads a replaced file again', async () => {
    const other = createDatabase("CREATE TABLE t (a); INSERT INTO t VALUES ('old')");
    const next = createDatabase("CREATE TABLE t (a); INSERT INTO t VALUES ('new')");
    const single = new QueryRunner({ jobs: 1 });
    const task = { file: other.file, sql: 'SELECT a FROM t' };
    expect(rowsOf(await single.run(task, NEVER))).toEqual([['old']]);
    renameSync(next.file, other.file);
    expect(rowsOf(await single.run(task, NEVER))).toEqual([['new']]);
    await single.close();
    for (const left of [other, next]) rmSync(left.folder, { recursive: true });
  });

  it('plays trusted scripts in front of a file, once, and on an empty database', async () => {
    const script = join(folder, '..', `${process.pid}.sql`);
    writeFileSync(script, 'CREATE TEMP VIEW "person" AS SELECT "id" AS "key", "name" AS "label" FROM main."person"');
    const setup = [{ file: script }, 'CREATE TEMP TABLE extra (a); INSERT INTO extra VALUES (5)'];
    for (let i = 0; i < 3; i += 1) {
      expect(rowsOf(await run('SELECT key, label, a FROM person, extra LIMIT 1', {}, { setup }))).toEqual([
        [1n, 'Ann', 5n],
      ]);
    }
    expect(rowsOf(await run('SELECT id FROM person LIMIT 1'))).toEqual([[1n]]);
    rmSync(script);
    const made = { file: null, setup: ['CREATE TABLE t (a INTEGER)', 'INSERT INTO t VALUES (7)'] };
    expect(rowsOf(await run('SELECT a FROM t', {}, made))).toEqual([[7n]]);
    expect(await run('SELECT 1', {}, { file: null, setup: ['nonsense'] })).toMatchObject({
      kind: 'failed',
      at: 'database',
    });
  });

  it('reads a database in WAL mode, with and without a log, and leaves its folder', async () => {
    const wal = createDatabase('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    const writer = new Sqlite(wal.file);
    const files = hashFolder(wal.folder);
    expect(rowsOf(await run('SELECT a FROM t', {}, { file: wal.file }))).toEqual([[1n]]);
    expect(hashFolder(wal.folder)).toEqual(files);
    writer.exec('INSERT INTO t VALUES (2)');
    rmSync(`${wal.file}-shm`);
    const logged = hashFolder(wal.folder);
    expect(rowsOf(await run('SELECT a FROM t', {}, { file: wal.file }))).toEqual([[1n], [2n]]);
    expect(hashFolder(wal.folder)).toEqual(logged);
    writer.close();
    rmSync(wal.folder, { recursive: true });
  });
});

describe('QueryRunner, stopped', () => {
  it('listens to a signal only as long as there is work that it stops', async () => {
    const { signal } = new AbortController();
    const asked = [1, 2, 3].map((n) => runner.run({ file, sql: `SELECT ${n}` }, signal));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await Promise.all(asked);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects what runs and what waits when its signal is aborted, and goes on with the rest', async () => {
    const single = new QueryRunner({ jobs: 1 });
    const controller = new AbortController();
    const reason = new Error('stop');
    const stopped = [RUNAWAY, 'SELECT 1', 'SELECT 2'].map((sql) => single.run({ file, sql }, controller.signal));
    const kept = single.run({ file, sql: 'SELECT 3' }, NEVER);
    const settled = Promise.allSettled(stopped);
    setTimeout(() => controller.abort(reason), 100);
    expect(await settled).toEqual(stopped.map(() => ({ status: 'rejected', reason })));
    expect(rowsOf(await kept)).toEqual([[3n]]);
    await expect(single.run({ file, sql: 'SELECT 4' }, controller.signal)).rejects.toBe(reason);
    await single.close();
  });

  it('rejects everything once closed', async () => {
    const single = new QueryRunner({ jobs: 1 });
    const pending = Promise.allSettled([RUNAWAY, 'SELECT 1'].map((sql) => single.run({ file, sql }, NEVER)));
    await single.close();
    const reason: unknown = expect.objectContaining({ message: 'the query runner is closed' });
    expect(await pending).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    await expect(single.run({ file, sql: 'SELECT 1' }, NEVER)).rejects.toThrow('the query runner is closed');
  });
});

describe('QueryRunner on Spider', () => {
  it.skipIf(!hasSpider)(`gives for all dev gold what a connection of this process gives${NEEDS_SPIDER}`, async () => {
    const databases = readDatabases();
    const tasks = readGold('dev_gold.sql').flatMap(({ sql, dbId }) => {
      const database = databases.get(dbId);
      const path = join(SPIDER, 'database', dbId, `${dbId}.sqlite`);
      return database === undefined || !existsSync(path) ? [] : [{ file: path, sql: executableSql(sql, database) }];
    });
    const connections = new Map<string, Sqlite.Database>();
    const outcomes = await Promise.all(tasks.map((task) => runner.run(task, NEVER)));
    for (const [i, task] of tasks.entries()) {
      const sqlite = connections.get(task.file) ?? openUntouched(task.file);
      connections.set(task.file, sqlite);
      const rows = sqlite.prepare(task.sql).raw().safeIntegers().all();
      expect(outcomes[i], task.sql).toMatchObject({ kind: 'rows', rows });
    }
    for (const sqlite of connections.values()) sqlite.close();
  });
});
