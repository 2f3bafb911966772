import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comparison, ComparisonTask } from '../../../src/sql/execution/query-protocol.js';
import type { QueryLimits } from '../../../src/sql/execution/query-outcome.js';
import { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import { createDatabase, hashFolder, NEVER, RUNAWAY } from './query-fixture.js';

const { folder, file } = createDatabase(`
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age REAL);
  INSERT INTO person VALUES (1, 'Ann', 30), (2, 'Bob', 25.5), (3, 'Cy', NULL);`);
const before = hashFolder(folder);
const SOURCE = { file };

let runner: QueryRunner;
beforeAll(() => {
  runner = new QueryRunner({ jobs: 1, memoryMiB: 256, limits: { timeoutMs: 500 } });
});
afterAll(async () => {
  await runner.close();
  expect(hashFolder(folder)).toEqual(before);
  rmSync(folder, { recursive: true });
});

function task(reference: string, ...candidates: string[]): ComparisonTask {
  return { source: SOURCE, reference, isOrdered: false, candidates };
}

const compare = (tasks: readonly ComparisonTask[], limits: Partial<QueryLimits> = {}): Promise<readonly Comparison[]> =>
  runner.compare(tasks, { mode: 'ordered', tolerance: null }, NEVER, { limits });

const EQUAL: Comparison = { reference: 1, candidate: { at: 0, outcome: { kind: 'rows', match: 'equal' } } };
const COUNT = task('SELECT count(*) FROM person', 'SELECT 3');

describe('QueryRunner.compare', () => {
  it('tells how candidates compare with a reference, in the order of the tasks', async () => {
    const results = await compare([
      COUNT,
      task('SELECT name FROM person', 'SELECT name FROM person WHERE id > 1'),
      task('SELECT height', 'SELECT 1'),
      task('SELECT 1'),
      task('SELECT 1', 'SELECT height', 'SELECT 2', 'SELECT 1.0', 'SELECT 3'),
      task('SELECT 1', 'DELETE FROM person', 'SELECT 2'),
      task('SELECT 1', 'DELETE FROM person', 'SELECT height'),
    ]);
    expect(results).toEqual([
      EQUAL,
      { reference: 3, candidate: { at: 0, outcome: { kind: 'rows', match: 'different' } } },
      { reference: { kind: 'failed', at: 'query', message: 'no such column: height' }, candidate: null },
      { reference: 1, candidate: null },
      { reference: 1, candidate: { at: 2, outcome: { kind: 'rows', match: 'equal' } } },
      { reference: 1, candidate: { at: 1, outcome: { kind: 'rows', match: 'different' } } },
      { reference: 1, candidate: { at: 0, outcome: { kind: 'refused', reason: 'not-a-select' } } },
    ]);
    expect(await compare([])).toEqual([]);
  });

  it('keeps the first candidate that is undecided, rather than one that differs', async () => {
    const rows = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 6000) SELECT';
    const of = (turn: number): string => `${rows} 1 + i * 1e-6 + ${turn} * 5e-7, ((i + ${turn}) % 2) * 10.0 FROM n`;
    const limits = { timeoutMs: 30_000 };
    const equality = { mode: 'bag', tolerance: 0.1 } as const;
    const different = `${rows} 1.0, 'a' FROM n`;
    const [result] = await runner.compare([task(of(0), different, of(1), different)], equality, NEVER, { limits });
    expect(result?.candidate).toEqual({ at: 1, outcome: { kind: 'rows', match: 'undecided' } });
  });

  it('stops a query at its limit; it costs its own task only', async () => {
    const timedOut = { kind: 'timed-out' };
    const results = await compare([
      COUNT,
      task('SELECT 1 FROM person', 'SELECT 2', RUNAWAY, 'SELECT 1 FROM person'),
      COUNT,
      task(RUNAWAY, 'SELECT 1'),
      task(RUNAWAY, 'SELECT 2'),
      COUNT,
    ]);
    expect(results).toEqual([
      EQUAL,
      { reference: 3, candidate: { at: 1, outcome: timedOut } },
      EQUAL,
      { reference: timedOut, candidate: null },
      { reference: timedOut, candidate: null },
      EQUAL,
    ]);
  });

  it('finds the query that takes its process along', async () => {
    // A thousand values of a megabyte each: beyond the process's memory, whatever the limits on results say.
    const greedy =
      'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 1000) SELECT hex(randomblob(1000000)) FROM r ORDER BY 1';
    const results = await compare([COUNT, COUNT, task('SELECT 1', 'SELECT 2', greedy), COUNT], {
      timeoutMs: 60_000,
      maxBytes: 2 ** 40,
    });
    expect([results[0], results[1], results[3]]).toEqual([EQUAL, EQUAL, EQUAL]);
    expect(results[2]?.reference).toBe(1);
    expect(['wrong', 'too-large', 'failed', 'rows']).toContain(results[2]?.candidate?.outcome.kind);
  });

  it('rejects when it is stopped, and goes on with the next', async () => {
    const stop = new AbortController();
    const work = runner.compare([COUNT, task('SELECT 1', RUNAWAY)], { mode: 'bag', tolerance: null }, stop.signal, {
      limits: { timeoutMs: 60_000 },
    });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(work).rejects.toThrow('enough');
    expect(await compare([COUNT])).toEqual([EQUAL]);
  });

  it('compares in processes side by side, each result its own', async () => {
    const several = new QueryRunner({ jobs: 2 });
    const batches = Array.from({ length: 6 }, (_, b) =>
      Array.from({ length: 20 }, (__, i) => task(`SELECT ${b}, ${i}`, `SELECT ${b}, ${i % 7}`)),
    );
    const results = await Promise.all(
      batches.map((tasks) => several.compare(tasks, { mode: 'bag', tolerance: null }, NEVER)),
    );
    await several.close();
    for (const batch of results) {
      expect(batch.map(({ candidate }) => candidate?.outcome)).toEqual(
        batch.map((_, i) => ({ kind: 'rows', match: i < 7 ? 'equal' : 'different' })),
      );
    }
  });
});
