import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CandidatesOptions,
  CandidatesRun,
  withDefaults,
} from '../../../src/variants/candidates/candidates-run.js';
import {
  describeRun,
  renderEstimate,
  type RunEstimate,
  type RunWork,
} from '../../../src/variants/candidates/run-estimate.js';
import type { VariantPlan } from '../../../src/variants/augment/variant-plan.js';
import { formatCount } from '../../../src/report/figures.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { createFolder } from '../../formats/format-fixture.js';

describe('renderEstimate', () => {
  const counts = { databases: 3, tables: 12, columns: 73, examples: 30, pairs: 8030, seconds: 14, warmSeconds: 7 };
  const estimate: RunEstimate = { ...counts, compared: 0, proposals: null };

  it('is one line with every count', () => {
    const line = renderEstimate(estimate);
    for (const count of Object.values(counts)) expect(line).toContain(formatCount(count));
    expect(line).not.toContain('\n');
  });

  it('counts one of a thing as one', () => {
    const one = { ...estimate, databases: 1, tables: 1, columns: 1, examples: 1 };
    expect(renderEstimate(one)).toMatch(/^1 question on 1 database: 1 column of 1 table, /);
  });

  it.each([
    [89, '89 s'],
    [90, '2 min'],
    [1200, '20 min'],
  ])('says %d seconds as %s', (seconds, text) => {
    expect(renderEstimate({ ...estimate, seconds })).toContain(`, ${text} `);
  });

  it('says what asking a language model will cost at most, and what it costs where prices are known', () => {
    const proposals = { calls: 73, promptTokens: 21_900, answerTokens: 8_030, price: null };
    const line = renderEstimate({ ...estimate, proposals });
    expect(line).toMatch(/73 times at most, about 21900 tokens of prompts and 8030 of answers$/);
    expect(renderEstimate({ ...estimate, proposals: { ...proposals, price: 0.0081 } })).toMatch(
      /price of about 0\.0081$/,
    );
  });

  it('says how long it takes with a cache that has every score, too', () => {
    expect(renderEstimate(estimate)).toMatch(/14 s with an empty score cache, 7 s where it has them all$/);
  });

  it('says so where nothing is scored', () => {
    const line = renderEstimate({ ...estimate, pairs: 0, seconds: 6 });
    expect(line).toMatch(/tables, no pairs to score, about 6 s$/);
  });

  it('says how many drawn names are compared where the candidates are given', () => {
    const line = renderEstimate({ ...estimate, compared: 14_280, pairs: 1428 });
    expect(line).toMatch(/up to 14,280 pairs of new names to compare, about 1,428 pairs to score, 14 s /);
  });
});

describe('describeRun', () => {
  /** A table of five columns, two of which the only question is about. */
  async function describeSurvey(
    options: Partial<CandidatesOptions>,
    work: RunWork,
    { query = "SELECT job FROM answer WHERE city = 'Bonn'", views = [] as readonly string[] } = {},
  ): Promise<string> {
    const names = ['age', 'city', 'job', 'income', 'height'];
    const survey = {
      db_id: 'survey',
      table_names: ['answer'],
      table_names_original: ['answer'],
      column_names: [[-1, '*'], ...names.map((name) => [0, name])],
      column_names_original: [[-1, '*'], ...names.map((name) => [0, name])],
      column_types: ['text', ...names.map(() => 'text')],
      primary_keys: [],
      foreign_keys: [],
      views,
    };
    const question = { db_id: 'survey', question: 'Which jobs?', query };
    const folder = createFolder({
      'tables.json': JSON.stringify([survey]),
      'dev.json': JSON.stringify([question]),
    });
    const paths = { tables: join(folder, 'tables.json'), examples: join(folder, 'dev.json'), out: join(folder, 'RUN') };
    const run = await CandidatesRun.open(withDefaults({ ...paths, ...options }), NOOP_HOST);
    onTestFinished(() => run.dispose());
    return describeRun(run, work);
  }

  const given = (variants: VariantPlan): RunWork => ({ decides: false, variants });

  it.each([
    ['of what the question mentions', 'mentioned', { RPL: 1 }, '1 pair of'],
    ['of every variant', 'mentioned', { RPL: 2, ADD: 1 }, '3 pairs of'],
    ['of names of both kinds in one schema', 'mentioned', { mixed: 1 }, '6 pairs of'],
    ['of whole tables', 'all', { RPL: 1 }, '10 pairs of'],
    ['of the half of a whole table that gets others next to it', 'all', { ADD: 1 }, '3 pairs of'],
  ] as const)('counts the pairs of drawn names %s, of given candidates', async (_, columns, variants, count) => {
    expect(await describeSurvey({ columns }, given(variants))).toContain(`up to ${count} new names to compare`);
  });

  it.each([
    ['of tables', {}, '; no gold query names a column of a table that can be perturbed (--columns all'],
    ['of views', { views: ['answer'] }, ' can be perturbed: 1 of 1 gold query read views (--columns all'],
  ])('says why there is no column to decide on, %s', async (_, schema, why) => {
    const query = 'SELECT count(*) FROM answer';
    const decide: RunWork = { decides: true, variants: null };
    expect(await describeSurvey({ columns: 'mentioned' }, decide, { query, ...schema })).toContain(why);
    expect(await describeSurvey({ columns: 'mentioned' }, decide)).not.toContain('no gold query');
  });

  it('scores nothing where a recipe has no judge', async () => {
    expect(await describeSurvey({ recipe: 'random', columns: 'all' }, given({ RPL: 1 }))).toMatch(
      /no pairs to score, about \d+ s$/,
    );
  });

  it('adds what is scored of drawn names to what candidates take', async () => {
    const pairsOf = async (variants: VariantPlan | null): Promise<number> =>
      Number(/about (\d+) pairs/.exec(await describeSurvey({ columns: 'all' }, { decides: true, variants }))?.[1]);
    expect(await pairsOf({ RPL: 1 })).toBe((await pairsOf(null)) + 1);
  });
});
