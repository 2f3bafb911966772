import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mineConstraints } from '../../../src/rows/constraints/mine-constraints.js';
import { readUntouched } from '../../../src/sql/execution/open-untouched.js';
import { sha256Of } from '../../../src/run/sha256.js';
import { DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import type { QueryRows } from '../../../src/sql/execution/query-outcome.js';
import type { DistilledSchema, DistillState, DistillTask } from '../../../src/testsuite/distill/distillation.js';
import type { SuiteGold } from '../../../src/testsuite/suite/suite-manifest.js';
import { TargetedDatabases } from '../../../src/testsuite/targeted/targeted-databases.js';
import { DatabaseMaker } from '../../../src/testsuite/distill/database-maker.js';
import { readGoldCases } from '../../../src/testsuite/distill/gold-cases.js';
import { planPartialOf } from '../../../src/testsuite/distill/partial-plan.js';
import { readPartial } from '../../../src/testsuite/distill/read-partial.js';
import { emptyDatabase } from '../../../src/rows/fuzz/empty-database.js';
import { createFuzzer } from '../../../src/rows/fuzz/fuzzer.js';
import { readColumnFacts } from '../../../src/testsuite/neighbors/column-facts.js';
import { neighborsOf, type Neighbor } from '../../../src/testsuite/neighbors/neighbors.js';
import { distill, GOLDS, Library } from './library.js';

let library: Library;
let task: DistillTask;
let suite: DistilledSchema;
let bytesBefore: Buffer;

/** The databases of a suite in memory, in its order. */
function withDatabases<T>(task: DistillTask, suite: DistilledSchema, run: (databases: Sqlite.Database[]) => T): T {
  const fuzzer = createFuzzer(task, []);
  const databases = suite.databases.map(({ rows }) =>
    rows === null ? new Sqlite(readUntouched(task.file!, (sqlite) => sqlite.serialize())) : fuzzer.materialize(rows),
  );
  try {
    return run(databases);
  } finally {
    for (const database of databases) database.close();
    fuzzer.close();
  }
}

function openNeighbors(task: DistillTask, sql: string): Neighbor[] {
  const facts = readUntouched(task.file!, (sqlite) => readColumnFacts(sqlite, task.database));
  return neighborsOf(sql, task.database, { seed: task.seed, facts }).filter(({ equivalent }) => equivalent === null);
}

/** For each neighbor the positions of the databases that tell it from its gold, on those that are used for it. */
function tellers(task: DistillTask, suite: DistilledSchema, gold: SuiteGold): Map<string, number[]> {
  return withDatabases(task, suite, (databases) => {
    const runners = databases.map((database) => new DenotationRunner(database));
    const isOrdered = gold.mode === 'ordered';
    const inPart = (sql: string): number[] =>
      (gold.partial ?? []).flatMap(({ database }) => {
        const runner = runners[database]!;
        const partial = readPartial(planPartialOf(gold.sql, task.database)!, (text) => runner.run(text))!;
        const outcome = runner.run(sql);
        const isSame =
          outcome.kind === 'rows' && partial.fits(outcome, { mode: gold.mode, tolerance: null }, isOrdered);
        return isSame ? [] : [database];
      });
    const told = openNeighbors(task, gold.sql).map(({ sql }): [string, number[]] => {
      const by = gold.databases.filter((database, i) => {
        const outcome = runners[database]!.denote(sql, gold.mode);
        return outcome.kind === 'failed' || (outcome.kind === 'rows' && outcome.hash !== gold.denotations[i]);
      });
      return [sql, [...by, ...inPart(sql)]];
    });
    return new Map(told);
  });
}

/** The denotation of a query's result without rows. */
function emptyHash(task: DistillTask, { sql, mode }: SuiteGold): string {
  const sqlite = emptyDatabase(task.file, task.database);
  try {
    const outcome = new DenotationRunner(sqlite).denote(sql, mode);
    if (outcome.kind !== 'rows') throw new Error(outcome.kind);
    return outcome.hash;
  } finally {
    sqlite.close();
  }
}

beforeAll(() => {
  library = new Library();
  task = library.task(Object.values(GOLDS));
  bytesBefore = readFileSync(task.file!);
  ({ suite } = distill(task));
});
afterAll(() => library.remove());

describe('the suite of a schema', () => {
  it('has all golds in their order, each with its own mode', () => {
    expect(suite.unread).toEqual([]);
    expect(suite.golds.map(({ sql }) => sql)).toEqual(task.golds);
    const ordered = suite.golds.filter(({ mode }) => mode === 'ordered').map(({ sql }) => sql);
    expect(ordered).toEqual([GOLDS.ordered, GOLDS.longest]);
  });

  it('distinguishes every neighbor that is neither equivalent nor listed with a reason', () => {
    for (const gold of suite.golds) {
      const told = tellers(task, suite, gold);
      const left = [...told].filter(([, by]) => by.length === 0).map(([sql]) => sql);
      const listed = [...gold.left, ...gold.equivalentUnderData].map(({ sql }) => sql);
      expect(new Set(listed)).toEqual(new Set(left));
      expect(gold.left.every(({ reason }) => /databases? tried/u.test(reason))).toBe(true);
      expect(gold.neighbors - gold.equivalent).toBe(told.size);
    }
    const all = suite.golds.reduce((sum, { neighbors, equivalent }) => sum + neighbors - equivalent, 0);
    expect(suite.golds.reduce((sum, { left }) => sum + left.length, 0) / all).toBeLessThan(0.05);
  });

  it('has the original first and gives each gold’s result on the databases that serve it', () => {
    expect(suite.databases[0]).toEqual({ origin: { kind: 'original' }, rows: null });
    withDatabases(task, suite, (databases) => {
      for (const { sql, mode, databases: used, denotations } of suite.golds) {
        expect(used.length).toBeGreaterThan(0);
        const own = used.map((database) => new DenotationRunner(databases[database]!).denote(sql, mode));
        expect(own).toMatchObject(denotations.map((hash) => ({ kind: 'rows', hash })));
      }
    });
  });

  it('lists the databases of a gold by how many neighbors they distinguish', () => {
    for (const gold of suite.golds) {
      const by = [...tellers(task, suite, gold).values()];
      const power = gold.databases.map((database) => by.filter((told) => told.includes(database)).length);
      expect(power).toEqual([...power].sort((a, b) => b - a));
    }
  });

  it('keeps only databases that some neighbor needs to be distinguished often enough, or some gold to have rows', () => {
    const needs = suite.golds.flatMap((gold) => {
      const empty = emptyHash(task, gold);
      const filled = gold.databases.filter((_, i) => gold.denotations[i] !== empty);
      const told = [...tellers(task, suite, gold).values()].map((by) => ({ by, times: task.budget.redundancy }));
      return [...told, { by: filled, times: 1 }];
    });
    for (const database of [...suite.databases.keys()].slice(1)) {
      expect(needs.some(({ by, times }) => by.includes(database) && by.length <= times)).toBe(true);
    }
  });

  it('keeps references', () => {
    withDatabases(task, suite, (databases) => {
      for (const database of databases) expect(database.pragma('foreign_key_check')).toEqual([]);
    });
  });

  it('has a curve that begins with the original and never rises', () => {
    expect(suite.curve[0]?.tried).toBe(0);
    const left = suite.curve.map((point) => point.left);
    expect(left).toEqual([...left].sort((a, b) => b - a));
    expect(suite.curve.at(-1)!.left).toBeLessThanOrEqual(suite.golds.reduce((sum, gold) => sum + gold.left.length, 0));
  });

  it('leaves the original file as it is', () => {
    expect(sha256Of(readFileSync(task.file!))).toBe(sha256Of(bytesBefore));
  });
});

describe('a distillation', () => {
  it('gives the same with the same seed, and other databases with another', () => {
    const small = { ...task, golds: [GOLDS.filter, GOLDS.longest] };
    const { suite } = distill(small);
    expect(distill(small).suite).toEqual(suite);
    const other = distill({ ...small, seed: 2 }).suite;
    expect(other.databases.map(({ rows }) => rows)).not.toEqual(suite.databases.map(({ rows }) => rows));
  });

  it('goes on from every state to the same suite', () => {
    const golds = [GOLDS.longest, 'SELECT count(*) FROM book HAVING count(*) < 0'];
    const small = library.task(golds, { randomDatabases: 8, redundancy: 1, allRound: 2 });
    const { states, suite } = distill(small);
    expect(states.length).toBeGreaterThan(4);
    expect(states.at(-1)!.targeted.length).toBeGreaterThan(0);
    // While databases are judged and reduced the state stays the same.
    const distinct = states.filter((state, at) => JSON.stringify(state) !== JSON.stringify(states[at - 1]));
    for (const state of distinct) {
      const stored = JSON.parse(JSON.stringify(state)) as DistillState;
      const resumed = distill(small, stored);
      expect(resumed.states).toEqual(states.slice(states.length - resumed.states.length));
      expect(resumed.suite).toEqual(suite);
    }
  });

  it('keeps random databases whole in which most golds find something', () => {
    const whole = library.task(task.golds, { randomDatabases: 8, allRound: 3 });
    const constraints = mineConstraints({ ...whole, level: whole.data });
    const { cases } = readGoldCases(whole, constraints);
    const maker = new DatabaseMaker({ ...whole, constraints }, cases);
    try {
      const { databases, golds } = distill(whole).suite;
      const kept = [...databases.keys()].filter((d) => {
        const { origin, rows } = databases[d]!;
        return origin.kind === 'random' && isDeepStrictEqual(rows, maker.rowsOf(origin));
      });
      expect(kept.length).toBeGreaterThanOrEqual(3);
      expect(new Set(databases.map(({ origin }) => JSON.stringify(origin))).size).toBe(databases.length);
      for (const gold of golds) {
        const empty = emptyHash(whole, gold);
        expect(kept.some((d) => (gold.denotations[gold.databases.indexOf(d)] ?? empty) !== empty)).toBe(true);
      }
    } finally {
      maker.close();
    }
  });

  it('sets golds apart that can’t be read or executed', () => {
    const golds = ['SELECT nothing FROM author', 'SELECT FROM', GOLDS.filter];
    const distilled = distill({ ...task, golds }).suite;
    expect(distilled.golds.map(({ sql }) => sql)).toEqual([GOLDS.filter]);
    expect(distilled.unread.map(({ sql }) => sql)).toEqual(golds.slice(0, 2));
    expect(distilled.unread[0]?.reason).toContain('nothing');
  });

  it('needs no file', () => {
    const distilled = distill({ ...task, file: null, golds: [GOLDS.grouped, GOLDS.between] }).suite;
    expect(distilled.databases.every(({ rows }) => rows !== null)).toBe(true);
    expect(distilled.golds.every(({ hasRows }) => hasRows)).toBe(true);
  });

  it('never judges a gold on a database where its result depends on the order of rows', () => {
    const { golds } = suite;
    const ties = 'SELECT count(DISTINCT title) FROM book WHERE pages = (SELECT max(pages) FROM book)';
    withDatabases(task, suite, (databases) => {
      const tied = [...databases.keys()].filter(
        (database) => (databases[database]!.prepare(ties).pluck().get() as number) > 1,
      );
      expect(tied).toContain(0);
      const { databases: used, isIndeterminate } = golds.find(({ sql }) => sql === GOLDS.longest)!;
      expect(isIndeterminate).toBe(false);
      expect(used.filter((database) => tied.includes(database))).toEqual([]);
    });
  });

  it('says that a result depends on the order of rows everywhere, and uses all databases then', () => {
    const [gold] = distill({ ...task, golds: ['SELECT id FROM author UNION SELECT random() FROM author'] }).suite.golds;
    expect(gold).toMatchObject({ isIndeterminate: true, databases: [0] });
    expect(gold).not.toHaveProperty('partial');
    expect(gold!.left.length).toBeGreaterThan(0);
    expect(gold!.left.every(({ reason }) => reason.includes('order of rows'))).toBe(true);
  });

  it('judges a gold by what is determinate of its result where no database determines all of it', () => {
    const often = 'SELECT id FROM author GROUP BY country HAVING count(*) > 2';
    const distilled = distill({ ...task, golds: [often] }).suite;
    const gold = distilled.golds[0]!;
    expect(gold.isIndeterminate).toBe(false);
    expect(gold.partial?.length).toBeGreaterThan(0);
    const told = tellers(task, distilled, gold);
    const listed = [...gold.left, ...gold.equivalentUnderData].map(({ sql }) => sql);
    expect(new Set(listed)).toEqual(new Set([...told].filter(([, by]) => by.length === 0).map(([sql]) => sql)));
    expect(gold.left.length).toBeLessThan(told.size / 5);
    withDatabases(task, distilled, (databases) => {
      const plan = planPartialOf(often, task.database)!;
      for (const { database, denotation } of gold.partial!) {
        const runner = new DenotationRunner(databases[database]!);
        const partial = readPartial(plan, (sql) => runner.run(sql))!;
        expect(partial.hash).toBe(denotation);
        const empty = runner.run('SELECT id FROM author GROUP BY id HAVING count(*) > 2') as QueryRows;
        expect(partial.fits(empty, { mode: 'bag', tolerance: null }, false)).toBe(false);
      }
    });
  });

  it('adds a part of a result only where it distinguishes what no whole result does', () => {
    for (const gold of suite.golds.filter(({ partial }) => partial !== undefined)) {
      const added = new Set(gold.partial!.map(({ database }) => database));
      const told = [...tellers(task, suite, gold).values()].filter((by) => by.some((database) => added.has(database)));
      expect(told.some((by) => by.every((database) => added.has(database)))).toBe(true);
    }
    expect(suite.golds.find(({ sql }) => sql === GOLDS.longest)!.partial).toBeUndefined();
  });

  it('tells in steps how far it is behind the random databases', () => {
    const shares = distill(task).states.map(({ finished }) => finished);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares[0]).toBe(0);
    expect(Math.max(...shares.slice(1).map((share, i) => share - (shares[i] ?? 0)))).toBeLessThan(0.3);
    expect(shares.at(-1)).toBeGreaterThanOrEqual(0.9);
  });

  it('asks targeted databases for what random databases leave', () => {
    const asked: string[] = [];
    const golds = ["SELECT name FROM author WHERE country = 'UK'"];
    const spy = vi.spyOn(TargetedDatabases.prototype, 'database').mockImplementation((gold, neighbor) => {
      asked.push(neighbor.sql);
      expect(gold).toBe(golds[0]);
      return null;
    });
    try {
      const only = { ...task, golds, data: 'any' as const, budget: { ...task.budget, randomDatabases: 0 } };
      const [gold] = distill(only).suite.golds;
      expect(gold?.left.map(({ sql }) => sql)).toEqual(asked);
      expect(asked.length).toBeGreaterThan(0);
      expect(gold?.left[0]?.reason).toContain('could not be aimed');
    } finally {
      spy.mockRestore();
    }
  });
});
