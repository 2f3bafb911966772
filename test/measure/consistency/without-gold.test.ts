import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareConsistency } from '../../../src/measure/compare/compare-consistency.js';
import { consistency } from '../../../src/measure/consistency/consistency.js';
import { consistencyReport, type ConsistencyReport } from '../../../src/measure/consistency/consistency-report.js';
import { consistencyLines } from '../../../src/measure/consistency/report/consistency-document.js';
import { ConfigError } from '../../../src/errors.js';
import { goldOf, inputOf, MUTANTS, PATHS, ScriptedVictim, temporaryFolder, writeMutants } from './mutants-fixture.js';
import type { ConsistencyInput } from '../../../src/measure/consistency/consistency-options.js';

/** The fixture's mutants that need no gold, and examples that have none. */
const BARE = MUTANTS.filter(({ relations }) => relations.every((id) => ['PI', 'PS', 'TS'].includes(id))).map(
  (mutant) => ({ ...mutant, query: null }),
);

function bareInput(answers: Readonly<Record<string, string | null>> = {}, databases = true): ConsistencyInput {
  const folder = temporaryFolder();
  const rows = JSON.parse(readFileSync(PATHS.examples, 'utf8')) as readonly Record<string, unknown>[];
  const examples = join(folder, 'dev.json');
  writeFileSync(examples, JSON.stringify(rows.map(({ db_id, question }) => ({ db_id, question }))));
  const mutants = writeMutants(join(folder, 'mutants'), { mutants: BARE, databases });
  return inputOf(new ScriptedVictim(({ id }) => answers[id]), {
    examples,
    mutants,
    databases: databases ? PATHS.databases : null,
  });
}

const run = async (answers = {}, databases = true): Promise<ConsistencyReport> =>
  (await consistency(bareInput(answers, databases))).report;

describe('seeds and mutants without gold', () => {
  it('are judged by the results of both predictions, and have no accuracy', async () => {
    const input = bareInput();
    const { report } = await consistency(input);
    expect(report.all).toMatchObject({ cases: 4, seeds: 3, judged: 4, inconsistent: 0, rate: 0 });
    expect(report.all.by.execution).toMatchObject({ judged: 4, inconsistent: 0 });
    expect(report.all.accuracy).toEqual({ exact: null, execution: null });
    expect(report.accuracy).toEqual({ exact: null, execution: null });
    expect(report.dataset).toMatchObject({ seeds: 3, withoutGold: 3 });
    expect([report.features, report.hardness]).toEqual([[], []]);
    expect(report.warnings).toEqual([expect.stringMatching(/^3 seeds have no gold query/)]);
    expect(consistencyReport.parse(JSON.parse(readFileSync(join(input.out, 'report.json'), 'utf8')))).toEqual(report);
    expect(consistencyLines(report).join('\n')).toContain('3 seeds have no gold query');
    const [line = ''] = readFileSync(join(input.out, 'cases.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({ verdict: 'consistent', exact: [null, null], execution: [null, null] });
  });

  it('agree where other words give the same result, and disagree where they do not', async () => {
    const other = "SELECT count(gardener_id) FROM gardener WHERE home_country = 'Portugal'";
    const same = await run({ 'dev:0~PI.0': other });
    expect(same.all).toMatchObject({ judged: 4, inconsistent: 0 });
    expect(same.all.by.exact.inconsistent).toBe(1);
    const changed = await run({ 'dev:0~PI.0': 'SELECT count(*) FROM gardener' });
    expect(changed.all).toMatchObject({ judged: 4, inconsistent: 1 });
    const [cluster] = changed.clusters;
    expect(cluster?.example).toMatchObject({ before: { gold: null, exact: null }, after: { gold: null } });
  });

  it('are both executed on the mutant’s database', async () => {
    // What the file holds first differs from that of the seed's file.
    const first = "SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1";
    const report = await run({ 'dev:12': first, 'dev:12~TS.0': first });
    expect(report.relations['TS']).toMatchObject({ judged: 1, inconsistent: 0, by: { execution: { judged: 1 } } });
  });

  it('are told by exact match where there are no rows, or neither prediction gives a result', async () => {
    const report = await run({}, false);
    expect(report.all).toMatchObject({ judged: 4, inconsistent: 0 });
    expect(report.all.by.execution.judged).toBe(0);
    expect(report.warnings.join('\n')).toContain('4 mutants are not executed');
    const none = await run({ 'dev:0': 'SELECT no_such FROM gardener', 'dev:0~PI.0': 'SELECT other FROM gardener' });
    expect(none.relations['PI']).toMatchObject({ cases: 2, judged: 2, inconsistent: 2 });
  });

  it('leave the figures of seeds with gold as they are', async () => {
    const folder = temporaryFolder();
    const rows = JSON.parse(readFileSync(PATHS.examples, 'utf8')) as readonly Record<string, unknown>[];
    const examples = join(folder, 'dev.json');
    writeFileSync(
      examples,
      JSON.stringify(rows.map((row, i) => (i === 12 ? { db_id: row['db_id'], question: row['question'] } : row))),
    );
    const mutants = writeMutants(join(folder, 'mutants'), {
      mutants: MUTANTS.map((mutant) => (mutant.seed === 'dev:12' ? { ...mutant, query: null } : mutant)),
    });
    const { report } = await consistency(inputOf(new ScriptedVictim(({ id }) => goldOf(id)), { examples, mutants }));
    expect(report.dataset.withoutGold).toBe(1);
    expect(report.all).toMatchObject({ cases: 7, judged: 7, inconsistent: 0 });
    expect(report.all.accuracy.exact).toMatchObject({ cases: 6, seeds: 1, mutants: 1 });
  });

  it('are compared between models', async () => {
    const [first, second] = [bareInput(), bareInput({ 'dev:0~PI.0': 'SELECT count(*) FROM gardener' })];
    const reports = [await consistency(first), await consistency(second)].map(({ report }) => report);
    const compared = compareConsistency(reports.map((report, i) => ({ name: `model ${i}`, report })));
    expect(JSON.stringify(compared)).toContain('0.25');
  });

  it('teach the built-in parser nothing', async () => {
    const input = { ...bareInput(), victim: { kind: 'baseline', train: null } as const };
    await expect(consistency(input)).rejects.toThrow(ConfigError);
    const taught = { ...bareInput(), victim: { kind: 'baseline', train: PATHS.examples } as const };
    expect((await consistency(taught)).report.all).toMatchObject({ cases: 4, judged: 4 });
  });
});
