import { formatRange } from '../../src/report/figures.js';
import { groupBy } from '../../src/run/group-by.js';
import { bootstrapStatistics } from '../../src/report/statistics/bootstrap.js';
import type { Estimate } from '../../src/report/statistics/estimate.js';
import { itemAt, mustGet } from '../../src/present.js';
import { createRng } from '../../src/seeded-rng.js';
import type { FigureTable } from '../bench-figures.js';
import { ratesTable } from '../error-reduction/reduction-figures.js';
import { type ArmName, MUTANT_ARMS } from './arms.js';
import { judgedMutants, type HeldOutMutants } from './mutated-questions.js';
import { type Counts, countsByQuestion, measuresOf, type RunOutcomes, sumOf } from './run-outcomes.js';
import type { TestSet, TestSets } from './test-sets.js';

/** The runs of each arm that have scored every test set, by seed. */
export type ArmRuns = ReadonlyMap<ArmName, ReadonlyMap<number, RunOutcomes>>;

type Pair = readonly [before: ArmName, after: ArmName];

/** What is set against what, besides each arm against the questions alone. */
const FURTHER_PAIRS: readonly Pair[] = [
  ['w2v', 'cta'],
  ['w2v', 'cta-all'],
  ['cta', 'cta-all'],
  ['random', 'cta'],
  ['textfooler', 'cta'],
  ['cta', 'cta-hard'],
  ['cta-all', 'cta-all-hard'],
  ['cta-without-retriever', 'cta'],
  ['cta-without-nli', 'cta'],
  ['cta-all', 'cta-all-mutants'],
];

const RESAMPLED = 'defense';

/** The difference of F1 with its paired bootstrap interval over units that are drawn as a whole. */
function difference(units: readonly (readonly [Counts, Counts])[]): Estimate | null {
  const f1Of = (sum: readonly number[], from: number): number =>
    measuresOf([sum[from]!, sum[from + 1]!, sum[from + 2]!]).f1;
  const vectors = units.map(([before, after]) => [...before, ...after]);
  return bootstrapStatistics(vectors, (sum) => [f1Of(sum, 3) - f1Of(sum, 0)], createRng(0, RESAMPLED))[0] ?? null;
}

const shown = (estimate: Estimate | null, units: string): string =>
  estimate === null ? '' : formatRange(estimate, units, (end) => end.toFixed(1));

/** The seeds that two arms both have runs of. */
function commonSeeds(runs: ArmRuns, [before, after]: Pair): readonly number[] {
  return [...(runs.get(before)?.keys() ?? [])].filter((seed) => runs.get(after)?.has(seed));
}

function rowOf(pair: Pair, set: TestSet, runs: ArmRuns, name: string): FigureTable['rows'][string] {
  const [before, after] = pair;
  const seeds = commonSeeds(runs, pair);
  const countsOf = (arm: ArmName): readonly Counts[] => {
    const ofArm = seeds.map((seed) => mustGet(runs.get(arm)?.get(seed), `${arm}, seed ${seed}`));
    return countsByQuestion(ofArm, set.files);
  };
  const [one, other] = [countsOf(before), countsOf(after)];
  const pairs = one.map((counts, i) => [counts, itemAt(other, i)] as const);
  const byDatabase = [...groupBy([...pairs.entries()], ([i]) => itemAt(set.databases, i)).values()].map(
    (group): readonly [Counts, Counts] => [sumOf(group.map(([, [a]]) => a)), sumOf(group.map(([, [, b]]) => b))],
  );
  const found = difference(pairs);
  return {
    arms: `${after} − ${before}`,
    set: name,
    seeds: seeds.length,
    difference: found?.value ?? null,
    byQuestion: shown(found, 'questions'),
    byDatabase: shown(difference(byDatabase), 'databases'),
  };
}

/** Precision, recall and F1 of each arm on each test set. */
export function measuresTable(runs: ArmRuns, sets: TestSets, steps: number): Omit<FigureTable, 'id'> {
  const rows = [...runs].flatMap(([arm, bySeed]) => {
    const ofArm = [...bySeed.values()];
    return Object.entries(sets).map(([name, { files }]) => {
      const measures = measuresOf(sumOf(countsByQuestion(ofArm, files)));
      const minutes = ofArm.reduce((sum, { cpu_seconds }) => sum + cpu_seconds / 60, 0) / ofArm.length;
      return [`${arm}-${name}`, { arm, set: name, ...measures, seeds: ofArm.length, minutes }] as const;
    });
  });
  return {
    title: 'What training sets teach a schema linker',
    about:
      `Columns that a linker takes for those of the gold query, after ${steps} steps on Spider’s train questions and what the arm adds; test sets are Spider dev, with people’s names (ADVETA, five worlds each; ` +
      '`-all`: every column), Spider-Syn and Spider-Realistic; `held-out` are train databases that no arm learned from, with names of our own. Percent; counts of all seeds together. [defense.md](defense.md)',
    columns: {
      arm: { head: 'arm' },
      set: { head: 'test set' },
      precision: { head: 'precision', decimals: 1 },
      recall: { head: 'recall', decimals: 1 },
      f1: { head: 'F1', decimals: 1 },
      seeds: { head: 'seeds' },
      minutes: { head: 'CPU minutes a run', decimals: 1 },
    },
    rows: Object.fromEntries(rows),
  };
}

/** What arms differ by, with 95 % intervals. */
export function differencesTable(runs: ArmRuns, sets: TestSets): Omit<FigureTable, 'id'> {
  const pairs = [...[...runs.keys()].map((arm) => ['original', arm] as const), ...FURTHER_PAIRS];
  const known = pairs.filter((pair) => pair[0] !== pair[1] && commonSeeds(runs, pair).length > 0);
  const rows = known.flatMap((pair) =>
    Object.entries(sets).map(([name, set]) => [`${pair[1]}-${pair[0]}-${name}`, rowOf(pair, set, runs, name)] as const),
  );
  return {
    title: 'What training sets teach a schema linker, arm against arm',
    about:
      'Difference of the F1 above, in points, by the seeds that both arms have, with paired bootstrap intervals (95%, 2,000 resamples) over questions and over databases.',
    columns: {
      arms: { head: 'arms' },
      set: { head: 'test set' },
      seeds: { head: 'seeds' },
      difference: { head: 'F1', decimals: 1 },
      byQuestion: { head: 'by question' },
      byDatabase: { head: 'by database' },
    },
    rows: Object.fromEntries(rows),
  };
}

/** Error rates on mutants of held-out questions, with and without mutants in what was learned. */
export function mutantsTable(runs: ArmRuns, set: HeldOutMutants, id: string): FigureTable {
  const found = [...runs].flatMap(([arm, ofArm]) => {
    const sampling = MUTANT_ARMS.get(arm);
    // Other arms have not been asked mutants.
    if (sampling === undefined) return [];
    return [[sampling, { mutants: [...ofArm.values()].flatMap((run) => judgedMutants(run, set)) }] as const];
  });
  return ratesTable(new Map(found), {
    id,
    title: 'Error rates of a schema linker before and after mutants are learned',
    model: 'schema linker',
    setting:
      'Mutants of questions of held-out train databases (one a relation at most) whose columns the linker does not name without a fault, though it does those of the question itself.',
  });
}
