import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consistency } from '../../src/consistency/consistency.js';
import type { ConsistencyReport } from '../../src/consistency/consistency-report.js';
import { inputOf, MUTANTS, ScriptedVictim, temporaryFolder, writeMutants } from './mutants-fixture.js';

/** The fixture's seed dev:0, asked of a schema that lacks what it needs, and a rewording of that. */
const OWN = MUTANTS.filter(({ relations }) => relations[0] === 'CRm').map((mutant) => ({
  ...mutant,
  ...{ id: mutant.id.replace('CRm', 'NCR'), relations: ['NCR', ...mutant.relations.slice(1)] },
  ...{ query: null, expectation: 'unanswerable' as const },
}));
const REWORDED = MUTANTS.filter(({ relations }) => relations.join() === 'PI');

async function run(answers: Readonly<Record<string, string>>): Promise<ConsistencyReport> {
  const mutants = writeMutants(join(temporaryFolder(), 'mutants'), { mutants: [...OWN, ...REWORDED] });
  const victim = new ScriptedVictim(({ id }) => answers[id]);
  return (await consistency(inputOf(victim, { mutants }))).report;
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
});
