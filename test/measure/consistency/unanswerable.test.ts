import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consistency } from '../../../src/measure/consistency/consistency.js';
import { compareConsistency } from '../../../src/measure/compare/compare-consistency.js';
import { consistencyLines, consistencyDocument } from '../../../src/measure/consistency/report/consistency-document.js';
import { parseFailAbove, ruleFailures } from '../../../src/measure/consistency/fail-above.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import type { MutantRecord } from '../../../src/formats/artifacts/mutants.js';
import type { ConsistencyReport } from '../../../src/measure/consistency/consistency-report.js';
import { inputOf, MUTANTS, ScriptedVictim, temporaryFolder, writeMutants } from './mutants-fixture.js';

/** The fixture's seed dev:0, asked of a schema that lacks what it needs, and a rewording of that. */
const OWN = MUTANTS.filter(({ relations }) => relations[0] === 'CRm').map((mutant) => ({
  ...mutant,
  id: mutant.id.replace('CRm', 'NCR'),
  relations: ['NCR', ...mutant.relations.slice(1)],
  query: null,
  expectation: 'unanswerable' as const,
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
  return renderDocument(consistencyDocument(report))
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
}

describe('questions that a changed schema does not answer', () => {
  it('are right where the victim says so, and wrong where it writes a query', async () => {
    const report = await run({ 'dev:0~NCR.0': 'null', 'dev:0~NCR.0~PI.0': 'SELECT count(*) FROM gardener' });
    expect(report.relations['NCR']).toMatchObject({ judged: 1, inconsistent: 0, accuracy: { exact: { mutants: 1 } } });
    expect(report.relations['composed']).toMatchObject({
      judged: 1,
      inconsistent: 1,
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

    const table = consistencyLines(report).map((line) => line.replace(/ {2,}/g, ' '));
    expect(table).toContain('Relation Changed Percent Exact match Execution Paper');
    expect(table.find((line) => line.startsWith('PI'))).toMatch(/^PI \(Prefix Insertion\) 1 \(of 2\) 50\.0% /);
    expect(table).toContain('Relation Not refused Percent');
    expect(table.find((line) => line.startsWith('NCR'))).toMatch(/^NCR \(Needed Column Removal\) 1 \(of 1\) 100\.0% /);
    expect(table.filter((line) => line.startsWith('All'))).toEqual([
      expect.stringMatching(/^All 1 \(of 2\) 50\.0% /),
      expect.stringMatching(/^All 1 \(of 2\) 50\.0% /),
    ]);
  });

  it('are in no headline where other mutants were asked, and in it where none were', async () => {
    const query = 'SELECT count(*) FROM gardener';
    const page = pageText(await run({ 'dev:0~NCR.0': query, 'dev:0~NCR.0~PI.0': query }));
    expect(page).toContain('Putting a phrase in front of the question changes none of 2 answers');
    expect(page).toContain(
      'In all, 0 of 2 answers change that must stay (0.0%). Of 2 questions that the changed schema can’t answer, 0 are refused.',
    );
    expect(page).toMatch(
      /Questions without an answer .* Not refused Percent .*NCR Needed Column Removal 1 of 1 100\.0/,
    );
    expect(page).toContain('No answer changes under PI');

    const alone = pageText(await run({ 'dev:0~NCR.0': query, 'dev:0~NCR.0~PI.0': query }, OWN));
    expect(alone).toContain('The model answers 2 of 2 questions that have no answer');
    expect(alone).not.toContain('that must stay');
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
