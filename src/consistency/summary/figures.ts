import { isSettled } from '../../victims/victim.js';
import { rateInterval } from '../../report/statistics/rate-interval.js';
import { groupBy } from '../../run/group-by.js';
import { createRng } from '../../seeded-rng.js';
import type { ConsistencyFigures, ConsistencyRate, ExpectedFigures, ReportedAccuracy } from '../consistency-report.js';
import type { JudgedCase } from '../judge/consistency-judge.js';
import { isMeasured, isRight } from '../../victims/mutants/judge-subjects.js';
import { EXPECTED_ANSWERS, expectedAnswer } from '../../metamorphic/expected-answer.js';
import type { Sameness } from '../judge/exact-consistency.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/answer-metrics.js';

/** How often predictions are not as expected, of those that can be told. */
export function rateOf(verdicts: readonly Sameness[]): ConsistencyRate {
  const judged = verdicts.filter((isSame) => isSame !== null);
  const inconsistent = judged.filter((isSame) => !isSame).length;
  return { judged: judged.length, inconsistent, rate: judged.length === 0 ? null : inconsistent / judged.length };
}

function accuracyOf(cases: readonly JudgedCase[], metric: AnswerMetric): ReportedAccuracy | null {
  const measured = cases.filter((one) => isMeasured(one, metric));
  if (measured.length === 0) return null;
  const count = (test: (before: boolean, after: boolean) => boolean): number =>
    measured.filter(({ before, after }) => test(isRight(before, metric), isRight(after, metric))).length;
  return {
    cases: measured.length,
    seeds: count((before) => before) / measured.length,
    mutants: count((_, after) => after) / measured.length,
    broken: count((before, after) => before && !after),
    mended: count((before, after) => !before && after),
  };
}

/** Accuracy on the seeds of some mutants, each seed once; null where nothing was measured. */
export function seedAccuracy(cases: readonly JudgedCase[], metric: AnswerMetric): number | null {
  const seeds = new Map(cases.map(({ mutant, before }) => [mutant.seed, before]));
  const measured = [...seeds.values()].filter((one) => {
    const outcome = one[metric]?.outcome;
    return isSettled(one.answer) && outcome !== undefined && outcome !== 'bad-gold';
  });
  return measured.length === 0 ? null : measured.filter((one) => isRight(one, metric)).length / measured.length;
}

function byMetric<T>(make: (metric: AnswerMetric) => T): Record<AnswerMetric, T> {
  return Object.fromEntries(ANSWER_METRICS.map((metric) => [metric, make(metric)])) as Record<AnswerMetric, T>;
}

/** Returns figures for mutants, whatever they ask for; the interval draws all mutants of a seed together. */
function foundOf(cases: readonly JudgedCase[], seed: number, purpose: string): ExpectedFigures {
  const bySeed = groupBy(cases, ({ mutant }) => mutant.seed);
  const clusters = [...bySeed.values()].map((own) =>
    own.flatMap(({ isSame }) => (isSame === null ? [] : [Number(!isSame)])),
  );
  return {
    cases: cases.length,
    seeds: bySeed.size,
    open: cases.filter(({ isOpen }) => isOpen).length,
    ...rateOf(cases.map(({ isSame }) => isSame)),
    interval: rateInterval(clusters, createRng(seed, `consistency ${purpose}`)),
    by: byMetric((metric) => rateOf(cases.map(({ same }) => same[metric]))),
    accuracy: byMetric((metric) => accuracyOf(cases, metric)),
  };
}

/** Returns figures for mutants, in all and by expected answer. `purpose` names the intervals' random stream. */
export function figuresOf(cases: readonly JudgedCase[], seed: number, purpose: string): ConsistencyFigures {
  const apart = groupBy(cases, ({ mutant }) => expectedAnswer(mutant));
  const expected = EXPECTED_ANSWERS.flatMap((answer) => {
    const own = apart.get(answer);
    return own === undefined ? [] : [[answer, foundOf(own, seed, purpose)] as const];
  });
  return {
    ...foundOf(cases, seed, purpose),
    expected: Object.fromEntries(expected),
  };
}
