import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUITE_BUDGET } from '../../../src/testsuite/suite/suite-budget.js';
import { CORPUS } from './corpus/corpus.js';
import { corpusTask } from './corpus/open-corpus.js';
import { DistilledSuite } from './distilled-suite.js';
import { rewritesOf } from './rewrites.js';

describe.each(CORPUS)('the suite of the $id', (schema) => {
  let folder: string;
  let suite: DistilledSuite;
  let database: ReturnType<typeof corpusTask>['database'];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'semantics-'));
    const task = corpusTask(schema, folder, SUITE_BUDGET);
    database = task.database;
    suite = new DistilledSuite(task);
  });
  afterAll(() => {
    suite.close();
    rmSync(folder, { recursive: true });
  });

  it('reads all golds, and each finds something', () => {
    expect(suite.schema.unread).toEqual([]);
    expect(suite.schema.golds.filter(({ hasRows, isIndeterminate }) => !hasRows || isIndeterminate)).toEqual([]);
  });

  it('catches every wrong query', () => {
    const passed = schema.golds.flatMap(({ gold, wrong }) =>
      Object.entries(wrong).filter(([, sql]) => suite.differsOn(gold, sql) === null),
    );
    expect(passed).toEqual([]);
  });

  it('passes the golds, and queries that mean the same', () => {
    const refused = schema.golds.flatMap(({ gold, same }) =>
      [gold, ...same].filter((sql) => suite.differsOn(gold, sql) !== null),
    );
    expect(refused).toEqual([]);
  });

  it('passes rewrites of all places', () => {
    const rewritten = schema.golds.flatMap(({ gold }) => rewritesOf(gold, database).map((to) => ({ gold, ...to })));
    expect(rewritten.length).toBeGreaterThan(schema.golds.length * 5);
    expect(rewritten.filter(({ gold, sql }) => suite.differsOn(gold, sql) !== null)).toEqual([]);
  });
});
