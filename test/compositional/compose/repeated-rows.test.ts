import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlignedQuestion } from '../../../src/compositional/align/aligned-question.js';
import type { ClauseQuery } from '../../../src/compositional/clauses/clause.js';
import { sqlOf } from '../../../src/compositional/clauses/write-clauses.js';
import { compose } from '../../../src/compositional/compose/composition.js';
import { executionFault } from '../../../src/compositional/compose/composition-checks.js';
import { ExecutedGolds, type GoldResults } from '../../../src/compositional/compose/gold-results.js';
import { withRowsOnce } from '../../../src/compositional/compose/repeated-rows.js';
import { settleJoins } from '../../../src/compositional/compose/settle-joins.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { aligned, GARDEN, GARDEN_KEYS, GARDEN_QUESTIONS, gardenElement } from './garden.js';

const file = fileURLToPath(
  new URL('../../../examples/database/community_garden/community_garden.sqlite', import.meta.url),
);
let executed: ExecutedGolds;
beforeAll(() => {
  executed = new ExecutedGolds(() => ({ file, otherRows: null }), NOOP_HOST, 1);
});
afterAll(() => executed.close());

const PLOTS = 'FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id';
const portuguese = (id: string, asked: string, query: string): AlignedQuestion =>
  aligned(id, [[asked], ['who come from Portugal.', ['condition']]], `${query} WHERE home_country = 'Portugal'`);

const QUESTIONS: readonly AlignedQuestion[] = [
  ...GARDEN_QUESTIONS,
  portuguese('ids', 'Show the ids of the gardeners ', 'SELECT gardener_id FROM gardener'),
  portuguese('fees', 'Show the fees of the gardeners ', 'SELECT annual_fee FROM gardener'),
  portuguese('sum', 'What do those gardeners pay together ', 'SELECT sum(annual_fee) FROM gardener'),
  portuguese('most', 'What is the highest fee of gardeners ', 'SELECT max(annual_fee) FROM gardener'),
  aligned(
    'has',
    [['Show the fees of the gardeners '], ['who have a plot.', ['related']]],
    `SELECT T1.annual_fee ${PLOTS}`,
  ),
  aligned(
    'plot',
    [['Show the fee of the gardener '], ['who has the plot with the id 3.', ['condition']]],
    `SELECT T1.annual_fee ${PLOTS} WHERE T2.plot_id = 3`,
  ),
  aligned(
    'first',
    [['Show the name of the gardener '], ['with the smallest plot.', ['order', 'limit']]],
    `SELECT T1.full_name ${PLOTS} ORDER BY T2.plot_area LIMIT 1`,
  ),
  aligned(
    'three',
    [['Show the names of the gardeners '], ['with the 3 smallest plots.', ['order', 'limit']]],
    `SELECT T1.full_name ${PLOTS} ORDER BY T2.plot_area LIMIT 3`,
  ),
  aligned(
    'areas',
    [['Show the areas of the plots '], ['with loam.', ['condition']]],
    "SELECT plot_area FROM plot WHERE soil_type = 'loam'",
  ),
  aligned(
    'of Spain',
    [['Show the names of the plots '], ['owned by gardeners from Spain.', ['condition']]],
    `SELECT T2.plot_name ${PLOTS} WHERE T1.home_country = 'Spain'`,
  ),
];

const sql = (query: ClauseQuery): string => sqlOf(query, GARDEN, GARDEN_KEYS);

async function once(base: string, element: string, goldResults: GoldResults | null, kind: 'SUB' | 'and' = 'SUB') {
  const pair = { base: gardenElement(base, QUESTIONS), element: gardenElement(element, QUESTIONS) };
  const how = kind === 'SUB' ? ({ kind, connective: null } as const) : ({ kind: 'APP', connective: kind } as const);
  const draft = compose({ ...how, ...pair }, 'child');
  const context = { database: GARDEN, keys: GARDEN_KEYS, sqlOf: sql, goldResults };
  const settled = await settleJoins(draft, context);
  return settled === null ? null : withRowsOnce(draft, settled.composition, context);
}

async function onceSql(...given: Parameters<typeof once>): Promise<string | null> {
  const composition = await once(...given);
  return composition === null ? null : sql(composition.aligned.query);
}

describe('rows that the join of an element repeats', () => {
  it('are asked for with DISTINCT where they are names or keys', async () => {
    for (const kind of ['SUB', 'and'] as const) {
      expect(await onceSql('own:0', 'own:6', null, kind)).toMatch(/^SELECT DISTINCT T1\.full_name FROM .* JOIN plot/);
    }
    expect(await onceSql('ids', 'has', null)).toBe('SELECT DISTINCT gardener_id FROM plot');
    expect(await onceSql('own:0', 'has', executed)).toMatch(/^SELECT DISTINCT T1\.full_name/);
  });

  it('make no question where they are other values, counted, or in an order', async () => {
    for (const goldResults of [executed, null]) {
      expect(await onceSql('fees', 'has', goldResults)).toBeNull();
      expect(await onceSql('sum', 'has', goldResults)).toBeNull();
      expect(await onceSql('own:0', 'three', goldResults)).toBeNull();
    }
  });

  it('stay where the rows at hand show that none is repeated', async () => {
    const rows = { kind: 'rows', rows: 1, isEmpty: false, hash: 'same' } as const;
    const alike: GoldResults = {
      of: () => Promise.resolve(rows),
      areAlike: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    };
    expect(await onceSql('fees', 'own:6', alike)).toMatch(/^SELECT T1\.annual_fee/);
    expect(await onceSql('sum', 'own:6', alike)).toBeNull();
  });

  it('are none where a key says that there is one, the first alone is asked for, or repeating changes nothing', async () => {
    expect(await onceSql('fees', 'plot', null)).toMatch(/^SELECT T1\.annual_fee .*plot_id = 3/);
    expect(await onceSql('own:0', 'first', null)).toMatch(/^SELECT T1\.full_name .* LIMIT 1/);
    expect(await onceSql('most', 'own:6', null)).toMatch(/^SELECT max/);
    expect(await onceSql('areas', 'of Spain', null)).toMatch(/^SELECT T\d\.plot_area/);
  });

  it('do not count as what a condition changes', async () => {
    const composition = (await once('own:0', 'has', executed))!;
    expect(composition.aligned.query.distinct).toBe(true);
    const everyone = 'SELECT full_name FROM gardener';
    const asked: string[] = [];
    const goldResults: GoldResults = {
      of: () => Promise.resolve({ kind: 'rows', rows: 1, isEmpty: false, hash: 'same' }),
      areAlike: (_, weaker) => {
        asked.push(weaker);
        return Promise.resolve(false);
      },
      close: () => Promise.resolve(),
    };
    const context = {
      database: GARDEN,
      goldResults,
      sqlOf: sql,
      alike: (query: ClauseQuery) => query,
      allowEmpty: true,
    };
    expect(await executionFault(composition, sql(composition.aligned.query), context)).toBeNull();
    expect(asked).not.toContain(everyone);
    expect(asked.every((weaker) => weaker.startsWith('SELECT DISTINCT'))).toBe(true);
  });
});
