import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlignedQuestion } from '../../../src/compositional/align/aligned-question.js';
import type { ClauseQuery } from '../../../src/compositional/clauses/clause.js';
import { clauseText, sqlOf } from '../../../src/compositional/clauses/write-clauses.js';
import { compose, type Composition } from '../../../src/compositional/compose/composition.js';
import { ExecutedGolds, type GoldResults } from '../../../src/compositional/compose/gold-results.js';
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

const PLOT_OF = 'FROM plot AS T1 JOIN gardener AS T2 ON T1.gardener_id = T2.gardener_id';

const QUESTIONS: readonly AlignedQuestion[] = [
  ...GARDEN_QUESTIONS,
  aligned(
    'ids',
    [['Show the ids of the gardeners '], ['who grow on clay.', ['condition']]],
    `SELECT T1.gardener_id ${PLOT_OF} WHERE T1.soil_type = 'clay'`,
  ),
  aligned(
    'clay',
    [['Show the ids of the gardeners '], ['who grow on clay.', ['condition']]],
    "SELECT gardener_id FROM plot WHERE soil_type = 'clay'",
  ),
  aligned(
    'plot ids',
    [['Show the gardener ids of the plots '], ['with clay soil.', ['condition']]],
    "SELECT gardener_id FROM plot WHERE soil_type = 'clay'",
  ),
  aligned(
    'idle',
    [['Show the names of the gardeners '], ['who pay less than 50.', ['condition']]],
    `SELECT T2.full_name ${PLOT_OF} WHERE T2.annual_fee < 50`,
  ),
  aligned(
    'has',
    [['Show the names of the gardeners '], ['who have a plot.', ['related']]],
    `SELECT T2.full_name ${PLOT_OF}`,
  ),
  aligned(
    'not in',
    [['Show the birth years of the gardeners '], ['who have no plot of clay.', ['condition']]],
    `SELECT birth_year FROM gardener WHERE gardener_id NOT IN (SELECT T1.gardener_id ${PLOT_OF} WHERE T1.soil_type = 'clay')`,
  ),
];

const sql = (query: ClauseQuery): string => sqlOf(query, GARDEN, GARDEN_KEYS);

async function settled(
  [base, element]: readonly [string, string],
  goldResults: GoldResults | null = executed,
  kind: 'SUB' | 'or' = 'SUB',
): Promise<Composition | null> {
  const pair = { base: gardenElement(base, QUESTIONS), element: gardenElement(element, QUESTIONS) };
  const how = kind === 'SUB' ? ({ kind, connective: null } as const) : ({ kind: 'APP', connective: kind } as const);
  const composition = compose({ ...how, ...pair }, 'child');
  const context = { database: GARDEN, keys: GARDEN_KEYS, sqlOf: sql, goldResults };
  return (await settleJoins(composition, context))?.composition ?? null;
}

async function settledSql(...given: Parameters<typeof settled>): Promise<string | null> {
  const composition = await settled(...given);
  return composition === null ? null : sql(composition.aligned.query);
}

describe('joins of what is composed', () => {
  it('go with the part that they served, and what is selected comes from the table that is left', async () => {
    for (const goldResults of [executed, null]) {
      expect(await settledSql(['ids', 'own:0'], goldResults)).toBe(
        "SELECT gardener_id FROM gardener WHERE home_country = 'Portugal'",
      );
    }
  });

  it('go from one term of a compound and stay in the other', async () => {
    expect(await settledSql(['clay', 'own:0'], executed, 'or')).toBe(
      "SELECT gardener_id FROM plot WHERE soil_type = 'clay' UNION SELECT gardener_id FROM gardener WHERE home_country = 'Portugal'",
    );
  });

  it('stay where the question names the table, or a clause asks for more of it', async () => {
    expect(await settledSql(['own:1', 'has'])).toMatch(/FROM gardener AS T1 JOIN plot AS T2/);
    expect(await settledSql(['plot ids', 'own:7'])).toBe("SELECT gardener_id FROM plot WHERE soil_type = 'clay'");
    expect(await settledSql(['own:0', 'own:5'])).toMatch(/JOIN plot .* WHERE T2\.soil_type = 'clay'/);
  });

  it('of a parent’s own that nothing says are taken only where rows prove that they change none', async () => {
    expect(await settledSql(['idle', 'own:0'], executed)).toBeNull();
    expect(await settledSql(['idle', 'own:0'], null)).toBeNull();
    const alike: GoldResults = {
      of: () => Promise.resolve({ kind: 'rows', rows: 1, isEmpty: false, hash: 'same' }),
      areAlike: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    };
    expect(await settledSql(['idle', 'own:0'], alike)).toBe(
      "SELECT full_name FROM gardener WHERE home_country = 'Portugal'",
    );
  });

  it('that the question names go where they change no row anywhere, and nothing is made where they change none at hand', async () => {
    const seen = (onOthers: boolean): GoldResults => ({
      of: () => Promise.resolve({ kind: 'rows', rows: 1, isEmpty: false, hash: 'same' }),
      areAlike: () => Promise.resolve(onOthers),
      close: () => Promise.resolve(),
    });
    expect(await settledSql(['own:1', 'has'], seen(true))).toBe('SELECT full_name, annual_fee FROM gardener');
    expect(await settledSql(['own:1', 'has'], seen(false))).toBeNull();
  });

  it('within nested queries go where a key proves that each row has one of the table', async () => {
    for (const goldResults of [executed, null]) {
      expect(await settledSql(['own:0', 'not in'], goldResults)).toBe(
        "SELECT full_name FROM gardener WHERE gardener_id NOT IN (SELECT gardener_id FROM plot WHERE soil_type = 'clay')",
      );
    }
  });

  it('leave each sub-sentence linked to its own clauses', async () => {
    const composition = await settled(['own:1', 'own:0']);
    const gone = await settled(['ids', 'own:0']);
    for (const one of [composition, gone]) {
      const links = one?.aligned.segments.map(({ links: own }) =>
        own.map(({ clause }) => clauseText(one.aligned.query.clauses[clause]!, GARDEN)),
      );
      expect(links?.at(-1)).toEqual(["gardener.home_country = 'Portugal'"]);
    }
  });
});
