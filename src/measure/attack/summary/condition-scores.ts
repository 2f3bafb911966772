import { summarizeOutcomes } from '../../../evaluate/summary/accuracy.js';
import { meanOf, sampleDeviation } from '../../../report/statistics/mean.js';
import { clusteredMean, type PairedPoints, testPairs } from '../../../report/statistics/paired-points.js';
import { createRng } from '../../../seeded-rng.js';
import { ATTACK_CONDITIONS, type AttackCondition, type AttackScore, type AttackLinking } from '../attack-report.js';
import { ATTACK_METRICS, type AttackMetric } from '../../../victims/scoring.js';
import { answersUnder, scoredBy, type ScoredAnswer, type ScoredExample, answersOf } from './scored-example.js';
import { pointOf } from '../../judged-answer.js';
import { type SetCount, scoreSets } from '../../../evaluate/linking/schema-linking.js';
import { bootstrapStatistics } from '../../../report/statistics/bootstrap.js';
import type { Estimate } from '../../../report/statistics/estimate.js';
import { groupBy } from '../../../run/group-by.js';

/** Answers of one condition, by example, seeds in their order. */
interface Sample {
  readonly metric: AttackMetric;
  readonly condition: AttackCondition;
  readonly examples: readonly ScoredExample[];
}

/** Points on the original tables and under the condition, the turns of an interaction with all their seeds together. */
function pairsOf({ metric, condition, examples }: Sample): readonly PairedPoints[] {
  return examples.flatMap((example) => {
    const [cluster, first] = [example.group.id, pointOf(example.original, metric)];
    return answersUnder(example, condition).map((answer) => ({ cluster, first, second: pointOf(answer, metric) }));
  });
}

/** How much is lost, and of what was there. */
const lossOf = (before: number, after: number): { readonly absolute: number; readonly relative: number | null } => {
  return { absolute: before - after, relative: before === 0 ? null : (before - after) / before };
};

function dropOf(sample: Sample, accuracy: number): AttackScore['drop'] {
  const { metric, condition, examples } = sample;
  const before = meanOf(examples.map(({ original }) => pointOf(original, metric)));
  const pairs = pairsOf(sample);
  const losses = pairs.map(({ cluster, first, second }) => ({ cluster, value: first - second }));
  const interval = clusteredMean(losses, createRng(0, `bootstrap drop ${metric} ${condition}`));
  return { ...lossOf(before, accuracy), interval, mcnemar: testPairs(pairs) };
}

function scoreOf(sample: Sample, seeds: number): AttackScore {
  const { metric, condition, examples } = sample;
  const answers = examples.map((example) => answersUnder(example, condition));
  const points = answers.map((own) => own.map((answer) => pointOf(answer, metric)));
  const columns = condition === 'original' ? 1 : seeds;
  const bySeed = Array.from({ length: columns }, (_, i) => meanOf(points.map((row) => row[i] ?? 0)));
  const accuracy = meanOf(bySeed);
  const values = pairsOf(sample).map(({ cluster, second }) => ({ cluster, value: second }));
  return {
    metric,
    condition,
    accuracy,
    std: sampleDeviation(bySeed),
    bySeed,
    interval: clusteredMean(values, createRng(0, `bootstrap ${metric} ${condition}`)),
    drop: condition === 'original' ? null : dropOf(sample, accuracy),
    outcomes: summarizeOutcomes(answers.flat().flatMap((answer) => answer[metric] ?? [])).outcomes,
  };
}

const conditionsWith = (seeds: number): readonly AttackCondition[] => (seeds === 0 ? ['original'] : ATTACK_CONDITIONS);

/** Returns each metric's score for each condition (ADVETA appendix C.3), without metrics that could score nothing. */
export function scoreConditions(examples: readonly ScoredExample[], seeds: number): readonly AttackScore[] {
  return ATTACK_METRICS.flatMap((metric) => {
    const scored = scoredBy(examples, metric);
    if (scored.length === 0) return [];
    return conditionsWith(seeds).map((condition) => scoreOf({ metric, condition, examples: scored }, seeds));
  });
}

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
  return {
    condition,
    precision,
    recall,
    f1,
    std: sampleDeviation(bySeed),
    bySeed,
    interval: intervalOf(own),
    drop: condition === 'original' ? null : { ...lossOf(before, f1), interval: intervalOf(lost) },
  };
}

/**
 * Precision, recall and F1 of the columns that answers name, or use in their SQL, over all questions of a condition
 * together (micro average); null where there is nothing to count.
 */
export function summarizeColumns(examples: readonly ScoredExample[], seeds: number): readonly AttackLinking[] | null {
  const scored = examples.filter((example) => answersOf(example).every(({ linked }) => linked));
  if (scored.length === 0) return null;
  return conditionsWith(seeds).map((condition) => linkingUnder(scored, condition, seeds));
}
