import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CandidatesOptions,
  CandidatesRun,
  withDefaults,
} from '../../../src/variants/candidates/candidates-run.js';
import {
  DECIDES,
  describeRun,
  renderEstimate,
  type RunEstimate,
  type RunWork,
} from '../../../src/variants/candidates/run-estimate.js';
import type { VariantPlan } from '../../../src/variants/augment/variant-plan.js';
import { formatCount } from '../../../src/counts.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { acceptedDecision } from '../../e2e/example-data.js';
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
    expect(line).toMatch(/73 times at most, about 21,900 tokens of prompts and 8,030 of answers$/);
    expect(renderEstimate({ ...estimate, proposals: { ...proposals, price: 0.0081 } })).toMatch(
      /price of about 0\.0081$/,
    );
  });

  it('says how long it takes with a cache that has every score, too', () => {
    expect(renderEstimate(estimate)).toMatch(/14 s of CPU time with an empty score cache, 7 s where it has them all$/);
  });

  it('says so where nothing is scored', () => {
    const line = renderEstimate({ ...estimate, pairs: 0, seconds: 6 });
    expect(line).toMatch(/tables, no pairs to score, about 6 s of CPU time$/);
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
    { query = "SELECT job FROM answer WHERE city = 'Bonn'", views = [] as readonly string[], questions = 1 } = {},
  ): Promise<string> {
    const names = ['age', 'city', 'job', 'income', 'town'];
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
      'dev.json': JSON.stringify(Array.from({ length: questions }, () => question)),
    });
    const paths = { tables: join(folder, 'tables.json'), examples: join(folder, 'dev.json'), out: join(folder, 'RUN') };
    const run = await CandidatesRun.open(withDefaults({ ...paths, ...options }), NOOP_HOST);
    onTestFinished(() => run.dispose());
    return describeRun(run, work);
  }

  /** Candidates of all columns: replacements of like words, and additions of unlike ones. */
  const GIVEN = Object.entries({
    age: ['years of life', 'shoe size'],
    city: ['town', 'soup'],
    job: ['village', 'lamp'],
    income: ['municipality', 'car'],
    town: ['township', 'automobile'],
  }).flatMap(([column, [replacement = '', addition = '']]) => [
    acceptedDecision({ db_id: 'survey', table: 'answer', column, candidate: replacement }),
    acceptedDecision({ db_id: 'survey', table: 'answer', column, candidate: addition, bucket: 'ADD' }),
  ]);

  const given = (variants: VariantPlan, decisions = GIVEN): RunWork => ({
    given: decisions,
    variants,
    databases: false,
  });

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
    const decide = DECIDES;
    expect(await describeSurvey({ columns: 'mentioned' }, decide, { query, ...schema })).toContain(why);
    expect(await describeSurvey({ columns: 'mentioned' }, decide)).not.toContain('no gold query');
  });

  const scoredOf = (line: string): number => Number(/about (\d+) pairs? to score/.exec(line)?.[1] ?? 0);

  it('scores the pairs of given names that are near each other, and none of the others', async () => {
    const replaced = await describeSurvey({ columns: 'all' }, given({ RPL: 1 }));
    // Of town, village, municipality and township each pair is near; years of life is near none.
    expect(scoredOf(replaced)).toBeGreaterThan(2);
    const unlike = GIVEN.filter(({ candidate }) => candidate !== 'car');
    expect(await describeSurvey({ columns: 'all' }, given({ ADD: 1 }, unlike))).toContain('no pairs to score');
  });

  it('counts only columns that have a name', async () => {
    const few = GIVEN.filter(({ column }) => column !== 'age' && column !== 'job');
    expect(await describeSurvey({ columns: 'all' }, given({ RPL: 1 }, few))).toContain('up to 3 pairs of');
  });

  it('counts a whole schema once, however many questions share it', async () => {
    const asked = async (questions: number): Promise<number> => {
      const line = await describeSurvey({ columns: 'all' }, given({ RPL: 1 }), { questions });
      return Number(/up to (\d+) pairs/.exec(line)?.[1]);
    };
    expect(await asked(1)).toBe(10);
    expect(await asked(40)).toBe(80);
  });

  it('takes longer where databases are written and verified', async () => {
    const secondsOf = async (databases: boolean): Promise<number> => {
      const work = { ...given({ RPL: 20, ADD: 20 }), databases };
      return Number(/(\d+) s of CPU/.exec(await describeSurvey({}, work, { questions: 40 }))?.[1]);
    };
    expect(await secondsOf(true)).toBeGreaterThan(await secondsOf(false));
  });

  it('scores nothing where a recipe has no judge', async () => {
    expect(await describeSurvey({ recipe: 'random', columns: 'all' }, given({ RPL: 1 }))).toMatch(
      /no pairs to score, about \d+ s of CPU time$/,
    );
  });

  it('adds what is scored of drawn names to what candidates take', async () => {
    const pairsOf = async (variants: VariantPlan | null): Promise<number> =>
      Number(/about (\d+) pairs/.exec(await describeSurvey({ columns: 'all' }, { ...DECIDES, variants }))?.[1]);
    expect(await pairsOf({ RPL: 1 })).toBe((await pairsOf(null)) + 1);
  });
});
