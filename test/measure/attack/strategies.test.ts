import { describe, expect, it } from 'vitest';
import { attack } from '../../../src/measure/attack/attack.js';
import type { AttackStrategy } from '../../../src/measure/attack/attack-options.js';
import type { AttackReport, PerturbedCase } from '../../../src/measure/attack/attack-report.js';
import {
  allergicVictim,
  candidateName,
  candidatesFor,
  DATA,
  inputOf,
  perfectVictim,
  temporaryFolder,
  writeCandidates,
} from './attack-fixture.js';

const BUDGET = 8;
const SEARCHES = ['greedy', 'importance', 'worst-of-k'] as const satisfies readonly AttackStrategy[];

/** Candidates for the columns of one table: searches of the other questions end at once. */
const candidates = candidatesFor(4, (dbId, table) => dbId === 'community_garden' && table === 'gardener');

async function attackWith(
  strategy: AttackStrategy,
  concurrency = 1,
  databases: string | null = null,
  file = writeCandidates(temporaryFolder(), candidates),
): Promise<{ report: AttackReport; asked: readonly string[] }> {
  // "home country mark": one of four candidates, which a single draw mostly misses.
  const victim = allergicVictim(candidateName('RPL', 'home country', 3), concurrency);
  const input = inputOf(victim, { candidates: file, strategy, budget: BUDGET, seeds: [0, 1], databases });
  return { report: (await attack(input)).report, asked: victim.asked };
}

/** Cases whose tables could be given the name that breaks the model. */
function breakable({ cases }: AttackReport): readonly PerturbedCase[] {
  return cases
    .flatMap(({ perturbed }) => perturbed)
    .filter(({ kind, changes }) => kind === 'RPL' && changes.some(({ column }) => column === 'home country'));
}

describe.each(SEARCHES)('%s', (strategy) => {
  it('finds the candidate that breaks the model, within its budget', async () => {
    const { report, asked } = await attackWith(strategy);
    const cases = breakable(report);
    expect(cases.length).toBeGreaterThan(1);
    expect(cases.map(({ exact }) => exact)).not.toContain('correct');
    const queries = report.cases.flatMap(({ perturbed }) => perturbed.map((one) => one.queries));
    expect(Math.max(...queries)).toBeLessThanOrEqual(BUDGET);
    expect(Math.max(...queries)).toBeGreaterThan(1);
    expect(new Set(asked).size).toBe(asked.length);
    expect(report.usage.questions).toBe(asked.length);
    expect(report.settings).toMatchObject({ strategy, budget: BUDGET });
    expect(report.candidates[0]).toMatchObject({ kind: 'RPL', candidate: 'home country mark' });
  });

  it('finds the same, whatever the concurrency', async () => {
    const file = writeCandidates(temporaryFolder(), candidates);
    const run = (concurrency: number): ReturnType<typeof attackWith> => attackWith(strategy, concurrency, null, file);
    const [one, several] = [await run(1), await run(5)];
    expect(several.report).toEqual(one.report);
    expect(new Set(several.asked)).toEqual(new Set(one.asked));
  });

  it('looks at results where there are databases', async () => {
    const { report } = await attackWith(strategy, 3, DATA.databases);
    expect(breakable(report).map(({ execution }) => execution)).not.toContain('correct');
  });

  it('ends with the first draw where nothing breaks the model', async () => {
    const file = writeCandidates(temporaryFolder(), candidates);
    const run = async (as: AttackStrategy): Promise<AttackReport> =>
      (await attack(inputOf(perfectVictim(), { candidates: file, strategy: as, budget: BUDGET, seeds: [0] }))).report;
    const [searched, drawn] = [await run(strategy), await run('random')];
    const changesOf = ({ cases }: AttackReport): unknown =>
      cases.map(({ perturbed }) => perturbed.map(({ changes }) => changes));
    expect(changesOf(searched)).toEqual(changesOf(drawn));
    expect(searched.scores.map(({ accuracy }) => accuracy)).toEqual([1, 1, 1]);
    expect(drawn.cases.flatMap(({ perturbed }) => perturbed).every(({ queries }) => queries === 1)).toBe(true);
  });
});

describe('random', () => {
  it('breaks less than a search', async () => {
    const { report } = await attackWith('random');
    expect(breakable(report).map(({ exact }) => exact)).toContain('correct');
    expect(report.settings.budget).toBeNull();
  });
});
