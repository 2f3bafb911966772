import { formatCount } from '../../counts.js';
import { countedRelation, rankOfRelation } from '../../variants/relations/counted-relation.js';
import { isOnOwnSchema } from '../../variants/mutate/mutant-set.js';
import { mustGet } from '../../present.js';
import { meanOf } from '../../report/statistics/mean.js';
import { comparePairs } from '../../report/statistics/paired-points.js';
import { sampleDeviation } from '../../report/statistics/sample-deviation.js';
import { groupBy } from '../../run/group-by.js';
import { createRng } from '../../seeded-rng.js';
import type { MutantInputs } from '../asked-inputs.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/answer-metrics.js';
import { type CaseOutcomes, isBroken, isMeasured, outcomesOf } from '../judged-answer.js';
import { pairedFlips, questionPairs } from './paired-flips.js';
import { type Differences, reportFailure } from './report-failure.js';
import type { SubjectStore } from './subject-store.js';
import type { AttackedMutant } from './ask-mutants.js';
import type { MutantReport, MutantScore } from './mutant-report.js';

/** Failures of a kind that a report has. */
const SHOWN_FAILURES = 5;

/** The accuracy of each seed, with the question as the unit; seeds in their order. */
function bySeed(cases: readonly AttackedMutant[], metric: AnswerMetric): readonly number[] {
  const seeds = groupBy(cases, ({ draw }) => draw.seed);
  return [...seeds.values()].map((own) => {
    return meanOf(questionPairs(own, metric).map(({ second }) => second));
  });
}

function scoreOf(
  key: Pick<MutantScore, 'relation' | 'level'>,
  cases: readonly AttackedMutant[],
  metric: AnswerMetric,
): readonly MutantScore[] {
  const measured = cases.filter((one) => isMeasured(one, metric));
  if (measured.length === 0) return [];
  const questions = questionPairs(measured, metric);
  const rng = createRng(0, `mutants ${metric} ${Object.values(key).join(' ')}`);
  const { first, difference } = comparePairs(questions, rng);
  const accuracies = bySeed(measured, metric);
  return [
    {
      ...key,
      metric,
      questions: questions.length,
      mutants: new Set(measured.map(({ mutant }) => mutant.id)).size,
      original: first,
      accuracy: meanOf(accuracies),
      std: sampleDeviation(accuracies),
      change: difference,
    },
  ];
}

/** Figures of all mutants, then by relation, and by level where a relation has several. */
function scoresOf(cases: readonly AttackedMutant[], relations: readonly string[]): readonly MutantScore[] {
  const byRelation = groupBy(cases, ({ draw }) => draw.relation);
  const parts = relations.flatMap((relation) => {
    const own = mustGet(byRelation.get(relation), 'byRelation.get(relation)');
    const levels = [...groupBy(own, ({ draw }) => draw.level)].filter(([level]) => level !== null);
    return [[relation, null, own] as const, ...levels.map(([level, part]) => [relation, level, part] as const)];
  });
  return [['all', null, cases] as const, ...parts].flatMap(([relation, level, part]) =>
    ANSWER_METRICS.flatMap((metric) => scoreOf({ relation, level }, part, metric)),
  );
}

/** The failures that a report holds, some of each relation. */
export function shownFailures(cases: readonly AttackedMutant[]): readonly AttackedMutant[] {
  const distinct = [...new Map(cases.filter(isBroken).map((one) => [one.mutant.id, one])).values()];
  const byRelation = [...groupBy(distinct, ({ draw }) => draw.relation)];
  byRelation.sort(([a], [b]) => rankOfRelation(a) - rankOfRelation(b));
  return byRelation.flatMap(([, own]) => own.slice(0, SHOWN_FAILURES));
}

/** Summarizes an attack with mutants: everything about it that the report holds. */
export function summarizeMutants(
  { run }: MutantInputs,
  cases: readonly AttackedMutant[],
  store: SubjectStore,
  differences: Differences,
): MutantReport {
  const mutants = new Map(cases.map(({ mutant }) => [mutant.id, mutant]));
  const relations = [...new Set([...mutants.values()].map(countedRelation))];
  relations.sort((a, b) => rankOfRelation(a) - rankOfRelation(b));
  const own = [...mutants.values()].filter(isOnOwnSchema);
  return {
    mutants: mutants.size,
    schemas: new Set(own.map(({ db_id: id }) => id)).size,
    fingerprint: mustGet(run.fingerprints['mutants'], 'run.fingerprints[mutants]'),
    scores: [...scoresOf(cases, relations)],
    paired: pairedFlips(cases, relations, 0),
    failures: shownFailures(cases).map((one) => reportFailure(one, null, store, differences)),
  };
}

/** A line of `mutant-cases.jsonl`: what is said of a draw; its answers are in `answers.jsonl`. */
export interface MutantCaseLine extends CaseOutcomes {
  readonly id: string;
  readonly example: string;
  readonly relation: string;
  readonly level: string | null;
  readonly seed: number;
  /** Mutants that a search asked of; 1 without one. */
  readonly queries: number;
}

/** Says of one draw what was found. */
export function mutantCaseLine(attacked: AttackedMutant): MutantCaseLine {
  const { draw, mutant, queries } = attacked;
  const { relation, level, seed } = draw;
  return { id: mutant.id, example: mutant.seed, relation, level, seed, queries, ...outcomesOf(attacked) };
}

/** Returns notes for readers of the figures. */
export function mutantWarnings(
  { groups }: MutantInputs,
  cases: readonly AttackedMutant[],
  store: SubjectStore,
): readonly string[] {
  const asked = new Set(cases.map(({ mutant }) => mutant.seed));
  const left = groups.filter(({ seed }) => !asked.has(seed.id)).length;
  const mutants = new Map(cases.map(({ mutant }) => [mutant.id, mutant]));
  const isExecuted = new Map([...mutants].map(([id, mutant]) => [id, store.sourceOf(mutant) !== null]));
  const unexecuted = [...mutants.keys()].filter((id) => isExecuted.get(id) === false).length;
  return [
    ...(left === 0
      ? []
      : [`the mutants of ${formatCount(left)} examples are not asked, as these are left out or have no gold`]),
    ...(unexecuted === 0
      ? []
      : [`${formatCount(unexecuted)} mutants are not executed, as there are no rows: exact match alone tells of them`]),
  ];
}
