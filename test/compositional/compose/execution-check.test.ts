import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlOf } from '../../../src/compositional/clauses/write-clauses.js';
import { compose } from '../../../src/compositional/compose/composition.js';
import { executionFault, type ExecutionRule } from '../../../src/compositional/compose/composition-checks.js';
import { ExecutedGolds, OtherRows } from '../../../src/compositional/compose/gold-results.js';
import type { ClauseQuery } from '../../../src/compositional/clauses/clause.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { aligned, GARDEN, GARDEN_KEYS, GARDEN_QUESTIONS, gardenElement } from './garden.js';

const scratch = mkdtempSync(join(tmpdir(), 'other-rows-'));
const file = fileURLToPath(
  new URL('../../../examples/database/community_garden/community_garden.sqlite', import.meta.url),
);
const goldQueries = [
  'SELECT full_name FROM gardener WHERE annual_fee >= 0',
  "SELECT full_name FROM gardener WHERE home_country = 'Portugal'",
  'SELECT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id',
];
const otherRows = (folder: string): OtherRows =>
  new OtherRows(join(scratch, folder), { database: GARDEN, file, goldQueries });
let executed: ExecutedGolds;
beforeAll(() => {
  executed = new ExecutedGolds(() => ({ file, otherRows: otherRows('golds') }), NOOP_HOST, 1);
});
afterAll(async () => {
  await executed.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('other rows', () => {
  it('are the same for the same golds, and others in each file', () => {
    const [a, b] = ['a', 'b'].map((folder) => {
      const rows = otherRows(folder);
      const bytes = [...rows.files()].map((path) => readFileSync(path, 'base64'));
      rows.close();
      return bytes;
    });
    expect(a).toEqual(b);
    expect(new Set(a).size).toBe(a?.length);
  });

  it('distinguish a condition that is true of all rows at hand, and no two ways to say the same', async () => {
    const all = 'SELECT full_name FROM gardener';
    const charged = 'SELECT full_name FROM gardener WHERE annual_fee >= 0';
    const [left, right] = await Promise.all([all, charged].map((sql) => executed.of(sql, GARDEN)));
    expect(left).toEqual(right);
    expect(await executed.areAlike(all, charged, GARDEN)).toBe(false);
    expect(await executed.areAlike(charged, 'SELECT full_name FROM gardener WHERE NOT annual_fee < 0', GARDEN)).toBe(
      true,
    );
  });
});

describe('execution', () => {
  const questions = [
    ...GARDEN_QUESTIONS,
    aligned(
      'own:30',
      [['Show the different names of gardeners '], ['who have a plot.', ['related']]],
      'SELECT DISTINCT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id',
    ),
    aligned(
      'own:31',
      [['Show the different names of gardeners '], ['who do not have any plot.', ['condition']]],
      'SELECT DISTINCT full_name FROM gardener WHERE gardener_id NOT IN (SELECT gardener_id FROM plot)',
    ),
  ];
  const faultOf = (kind: 'and' | 'or', base: string, element: string): Promise<ExecutionRule | null> => {
    const pair = { base: gardenElement(base, questions), element: gardenElement(element, questions) };
    const sql = (query: ClauseQuery): string => sqlOf(query, GARDEN, GARDEN_KEYS);
    const composition = compose({ kind: 'APP', connective: kind, ...pair }, 'child');
    const context = {
      database: GARDEN,
      goldResults: executed,
      sqlOf: sql,
      alike: (query: ClauseQuery) => query,
      allowEmpty: true,
    };
    return executionFault(composition, sql(composition.aligned.query), context);
  };

  it('lets pass what says more than its parents', async () => {
    expect(await faultOf('and', 'own:0', 'own:1')).toBeNull();
  });

  it('refuses an "or" whose sides are true of everything together', async () => {
    expect(await faultOf('or', 'own:30', 'own:31')).toBe('every-condition-counts');
  });
});
