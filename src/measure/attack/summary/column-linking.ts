import { type SetCount, scoreSets } from '../../../evaluate/linking/set-scores.js';
import { bootstrapStatistics } from '../../../report/statistics/bootstrap.js';
import type { Estimate } from '../../../report/statistics/estimate.js';
import { meanOf } from '../../../report/statistics/mean.js';
import { sampleDeviation } from '../../../report/statistics/sample-deviation.js';
import { groupBy } from '../../../run/group-by.js';
import { createRng } from '../../../seeded-rng.js';
import { ATTACK_CONDITIONS, type AttackCondition, type AttackLinking } from '../attack-report.js';
import { answersOf, answersUnder, type ScoredAnswer, type ScoredExample } from './scored-example.js';

/** Of columns: named and asked for, named or asked for once each. */
type Vector = readonly [matched: number, total: number];

function vectorOf(answers: readonly ScoredAnswer[]): Vector {
  const counts = answers.map(({ linked }) => linked).filter((count) => count !== null);
  const sum = (of: (count: SetCount) => number): number => counts.reduce((total, count) => total + of(count), 0);
  return [sum(({ matched }) => matched), sum(({ gold, predicted }) => gold + predicted)];
}

const f1Of = ([matched = 0, total = 0]: readonly number[]): number => (total === 0 ? 0 : (2 * matched) / total);

const intervalOf = (estimate: Estimate | null): AttackLinking['interval'] =>
  estimate && { mean: estimate.value, low: estimate.low, high: estimate.high, confidence: estimate.confidence };

function linkingUnder(examples: readonly ScoredExample[], condition: AttackCondition, seeds: number): AttackLinking {
  const answers = examples.map((example) => answersUnder(example, condition));
  const { precision, recall } = scoreSets(answers.flat().flatMap(({ linked }) => linked ?? []));
  const places = condition === 'original' ? 1 : seeds;
  const bySeed = Array.from({ length: places }, (_, i) => f1Of(vectorOf(answers.flatMap((own) => own[i] ?? []))));
  const [f1, before] = [meanOf(bySeed), f1Of(vectorOf(examples.map(({ original }) => original)))];
  // The turns of an interaction are drawn together, and so are the seeds of an example.
  const vectors = [...groupBy(examples, ({ group }) => group.id).values()].map((turns) => [
    ...vectorOf(turns.flatMap((turn) => answersUnder(turn, condition))),
    ...vectorOf(turns.map(({ original }) => original)),
  ]);
  const [own = null, lost = null] = bootstrapStatistics(
    vectors,
    (sum) => [f1Of(sum), f1Of(sum.slice(2)) - f1Of(sum)],
    createRng(0, `bootstrap linking ${condition}`),
  );
  const drop = {
    absolute: before - f1,
    relative: before === 0 ? null : (before - f1) / before,
    interval: intervalOf(lost),
  };
  return {
    condition,
    precision,
    recall,
    f1,
    std: sampleDeviation(bySeed),
    bySeed,
    interval: intervalOf(own),
    drop: condition === 'original' ? null : drop,
  };
}

/**
 * Precision, recall and F1 of the columns that answers name, or use in their SQL, over all questions of a condition
 * together (micro average); null where there is nothing to count.
 */
export function summarizeColumns(examples: readonly ScoredExample[], seeds: number): readonly AttackLinking[] | null {
  const scored = examples.filter((example) => answersOf(example).every(({ linked }) => linked));
  if (scored.length === 0) return null;
  const conditions = seeds === 0 ? (['original'] as const) : ATTACK_CONDITIONS;
  return conditions.map((condition) => linkingUnder(scored, condition, seeds));
}
