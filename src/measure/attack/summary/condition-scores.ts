import { OUTCOMES, type Outcome } from '../../../evaluate/metric.js';
import { meanOf } from '../../../report/statistics/mean.js';
import { sampleDeviation } from '../../../report/statistics/sample-deviation.js';
import { clusteredMean, type PairedPoints, testPairs } from '../../../report/statistics/paired-points.js';
import { createRng } from '../../../seeded-rng.js';
import { ATTACK_CONDITIONS, type AttackCondition, type AttackScore } from '../attack-report.js';
import { ATTACK_METRICS, type AttackMetric } from '../../../victims/answer-metrics.js';
import { answersUnder, scoredBy, type ScoredAnswer, type ScoredExample } from './scored-example.js';
import { outcomeOf, pointOf } from '../../judged-answer.js';

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

function dropOf(sample: Sample, accuracy: number): AttackScore['drop'] {
  const { metric, condition, examples } = sample;
  const before = meanOf(examples.map(({ original }) => pointOf(original, metric)));
  const pairs = pairsOf(sample);
  const losses = pairs.map(({ cluster, first, second }) => ({ cluster, value: first - second }));
  const rng = createRng(0, `bootstrap drop ${metric} ${condition}`);
  return {
    absolute: before - accuracy,
    relative: before === 0 ? null : (before - accuracy) / before,
    interval: clusteredMean(losses, rng),
    mcnemar: testPairs(pairs),
  };
}

function countOutcomes(answers: readonly ScoredAnswer[], metric: AttackMetric): Record<Outcome, number> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const answer of answers) {
    const outcome = outcomeOf(answer, metric);
    if (outcome !== null) counts[outcome]++;
  }
  return counts;
}

function scoreOf(sample: Sample, seeds: number): AttackScore {
  const { metric, condition, examples } = sample;
  const points = examples.map((example) => answersUnder(example, condition).map((answer) => pointOf(answer, metric)));
  const columns = condition === 'original' ? 1 : seeds;
  const bySeed = Array.from({ length: columns }, (_, i) => meanOf(points.map((row) => row[i] ?? 0)));
  const accuracy = meanOf(bySeed);
  const rng = createRng(0, `bootstrap ${metric} ${condition}`);
  return {
    metric,
    condition,
    accuracy,
    std: sampleDeviation(bySeed),
    bySeed,
    interval: clusteredMean(
      pairsOf(sample).map(({ cluster, second }) => ({ cluster, value: second })),
      rng,
    ),
    drop: condition === 'original' ? null : dropOf(sample, accuracy),
    outcomes: countOutcomes(
      examples.flatMap((example) => answersUnder(example, condition)),
      metric,
    ),
  };
}

/** Returns each metric's score for each condition (ADVETA appendix C.3), without metrics that could score nothing. */
export function scoreConditions(examples: readonly ScoredExample[], seeds: number): readonly AttackScore[] {
  return ATTACK_METRICS.flatMap((metric) => {
    const scored = scoredBy(examples, metric);
    if (scored.length === 0) return [];
    const conditions = seeds === 0 ? (['original'] as const) : ATTACK_CONDITIONS;
    return conditions.map((condition) => scoreOf({ metric, condition, examples: scored }, seeds));
  });
}
