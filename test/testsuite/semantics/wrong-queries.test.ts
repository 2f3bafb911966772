import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUITE_BUDGET } from '../../../src/testsuite/suite/suite-options.js';
import { CORPUS } from './corpus/corpus.js';
import { corpusTask } from './corpus/open-corpus.js';
import { DistilledSuite } from './distilled-suite.js';
import { rewritesOf } from './rewrites.js';

describe.each(CORPUS)('the suite of the $id', (schema) => {
  let folder: string;
  let suite: DistilledSuite;
  let task: ReturnType<typeof corpusTask>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'semantics-'));
    task = corpusTask(schema, folder, SUITE_BUDGET);
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

  it('catches every wrong query, but for those that only impossible data show', () => {
    const passed = schema.golds.flatMap(({ gold, wrong }) =>
      Object.entries(wrong).filter(([, sql]) => suite.differsOn(gold, sql) === null),
    );
    expect(passed.map(([name]) => name)).toEqual(schema.impossible);
  });

  it('catches these, too, where data may be any', () => {
    const golds = schema.golds.flatMap(({ gold, wrong }) => {
      const names = schema.impossible.filter((name) => name in wrong);
      return names.map((name) => ({ gold, name, sql: wrong[name]! }));
    });
    const free = new DistilledSuite({ ...task, data: 'any', golds: [...new Set(golds.map(({ gold }) => gold))] });
    try {
      expect(golds.filter(({ gold, sql }) => free.differsOn(gold, sql) === null)).toEqual([]);
    } finally {
      free.close();
    }
  });

  it('passes the golds, and queries that mean the same', () => {
    const refused = schema.golds.flatMap(({ gold, same }) =>
      [gold, ...same].filter((sql) => suite.differsOn(gold, sql) !== null),
    );
    expect(refused).toEqual([]);
  });

  it('passes rewrites of all places', () => {
    const rewritten = schema.golds.flatMap(({ gold }) =>
      rewritesOf(gold, task.database).map((to) => ({ gold, ...to })),
    );
    expect(rewritten.length).toBeGreaterThan(schema.golds.length * 5);
    expect(rewritten.filter(({ gold, sql }) => suite.differsOn(gold, sql) !== null)).toEqual([]);
  });
});
