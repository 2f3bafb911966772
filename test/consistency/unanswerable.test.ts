import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consistency } from '../../src/consistency/consistency.js';
import { compareConsistency } from '../../src/consistency/compare/compare-consistency.js';
import { renderConsistencyTable } from '../../src/consistency/consistency-table.js';
import { parseFailAbove, ruleFailures } from '../../src/consistency/fail-above.js';
import { renderConsistencyPage } from '../../src/consistency/report/consistency-page.js';
import type { MutantRecord } from '../../src/formats/artifacts/mutants.js';
import type { ConsistencyReport } from '../../src/consistency/consistency-report.js';
import { inputOf, MUTANTS, ScriptedVictim, temporaryFolder, writeMutants } from './mutants-fixture.js';

/** The fixture's seed dev:0, asked of a schema that lacks what it needs, and a rewording of that. */
const OWN = MUTANTS.filter(({ relations }) => relations[0] === 'CRm').map((mutant) => ({
  ...mutant,
  ...{ id: mutant.id.replace('CRm', 'NCR'), relations: ['NCR', ...mutant.relations.slice(1)] },
  ...{ query: null, expectation: 'unanswerable' as const },
}));
const REWORDED = MUTANTS.filter(({ relations }) => relations.join() === 'PI');

async function run(
  answers: Readonly<Record<string, string>>,
  asked: readonly MutantRecord[] = [...OWN, ...REWORDED],
): Promise<ConsistencyReport> {
  const mutants = writeMutants(join(temporaryFolder(), 'mutants'), { mutants: asked });
  const victim = new ScriptedVictim(({ id }) => answers[id]);
  return (await consistency(inputOf(victim, { mutants }))).report;
}

/** What a reader of the page reads. */
function pageText(report: ConsistencyReport): string {
  return renderConsistencyPage(report)
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
}

describe('questions that a changed schema does not answer', () => {
  it('are right where the victim says so, and wrong where it writes a query', async () => {
    const report = await run({ 'dev:0~NCR.0': 'null', 'dev:0~NCR.0~PI.0': 'SELECT count(*) FROM gardener' });
    expect(report.relations['NCR']).toMatchObject({ judged: 1, inconsistent: 0, accuracy: { exact: { mutants: 1 } } });
    expect(report.relations['composed']).toMatchObject({
      ...{ judged: 1, inconsistent: 1 },
      accuracy: { execution: { seeds: 1, mutants: 0, broken: 1 } },
    });
  });

  it('count as touched by the change, apart from questions that keep their gold', async () => {
    const wrong = 'SELECT gardener_id FROM gardener';
    const { paired } = await run({ 'dev:0~NCR.0': wrong, 'dev:0~NCR.0~PI.0': '', 'dev:0~PI.1': wrong });
    expect(paired).toMatchObject([
      // Of two rewordings one is wrong: no flip, as most of them are not.
      { relation: 'PI', touched: false, questions: 1, cases: 2, before: 1, after: 0.5, broken: 0 },
      { relation: 'NCR', touched: true, questions: 1, before: 1, after: 0, broken: 1, mended: 0, p: 1 },
      { relation: 'composed', touched: true, questions: 1, after: 1, broken: 0 },
    ]);
    expect(paired?.[0]?.needed.map(({ points }) => points)).toEqual([1, 2, 5]);
  });

  it('are apart from the rate of predictions that must not change: by name, with how many are refused', async () => {
    const query = 'SELECT count(*) FROM gardener';
    const report = await run({ 'dev:0~NCR.0': query, 'dev:0~NCR.0~PI.0': '', 'dev:0~PI.1': query });
    expect(report.all).toMatchObject({ cases: 4, judged: 4, inconsistent: 2 });
    expect(report.all.expected).toMatchObject({
      kept: { cases: 2, judged: 2, inconsistent: 1, rate: 0.5, accuracy: { exact: { seeds: 1, mutants: 0.5 } } },
      unanswerable: { cases: 2, seeds: 1, judged: 2, inconsistent: 1, rate: 0.5 },
    });
    expect(Object.keys(report.all.expected!)).toEqual(['kept', 'unanswerable']);
    expect(Object.keys(report.relations['composed']!.expected!)).toEqual(['unanswerable']);
    expect(report.clusters.find(({ relation }) => relation === 'NCR')?.changes).toEqual(['not refused']);

    const table = renderConsistencyTable(report).map((line) => line.replace(/ {2,}/g, ' '));
    const behind = 'rate in % exact execution right, exact right, execution';
    expect(table[0]).toBe(`the answer must stay mutants changed ${behind}`);
    expect(table[1]).toMatch(/^PI 2 1 50\.0 /);
    expect(table[2]).toMatch(/^kept 2 1 50\.0 /);
    expect(table[3]).toBe(`nothing answers mutants not refused ${behind}`);
    expect(table[4]).toMatch(/^NCR 1 1 100\.0 /);
    expect(table[6]).toMatch(/^unanswerable 2 1 50\.0 /);
    expect(table[8]).toMatch(/^all 4 2 50\.0 /);
  });

  it('are in no headline where other mutants were asked, and in it where none were', async () => {
    const query = 'SELECT count(*) FROM gardener';
    const page = pageText(await run({ 'dev:0~NCR.0': query, 'dev:0~NCR.0~PI.0': query }));
    expect(page).toContain('0.0 % of the predictions change though they must not');
    expect(page).toContain(
      '2 ask the same in other words or of changed tables: the rate is of these; apart, 2 (NCR, composed) lack what the question needs, and are refused in 0 of 2 cases.',
    );
    expect(page).toMatch(/Unanswerable questions .* Not refused Rate NCR Needed Column Removal 1 1 seeds 1 100\.0/);
    expect(page).toContain('No prediction changed.');

    const alone = pageText(await run({ 'dev:0~NCR.0': query, 'dev:0~NCR.0~PI.0': query }, OWN));
    expect(alone).toContain('100.0 % of the unanswerable questions are not refused');
    expect(alone).toContain('There is no mutant whose answer must stay.');
    expect(alone).not.toMatch(/NaN|undefined/);
  });

  it('are held to a rate of their own, apart from that of predictions that must not change', async () => {
    const query = 'SELECT count(*) FROM gardener';
    const report = await run({ 'dev:0~NCR.0': query, 'dev:0~NCR.0~PI.0': query });
    const failures = (...rules: string[]): readonly string[] => ruleFailures(report, parseFailAbove(rules));
    expect(failures('kept=1')).toEqual([]);
    expect(failures('unanswerable=50')).toEqual(['the rate of unanswerable is 100.00%, above 50%']);
    expect(failures('other-query=50')).toEqual(['the rate of other-query was not measured, at most 50% are asked for']);
    const runs = ['first', 'second'].map((name) => ({ name, report }));
    const rows = compareConsistency(runs).relations.map(({ relation, values }) => [relation, values[0]]);
    expect(rows.slice(-3)).toEqual([
      ['kept', 0],
      ['unanswerable', 1],
      ['all', 0.5],
    ]);
  });
});
