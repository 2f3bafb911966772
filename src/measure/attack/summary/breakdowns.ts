import { EXACT_COMPONENTS, type ExactComponent, isMatched } from '../../../evaluate/exact/components.js';
import { HARDNESS_LEVELS, UNKNOWN_HARDNESS } from '../../../evaluate/exact/hardness.js';
import { groupBy } from '../../../run/group-by.js';
import { ATTACK_CONDITIONS, type AttackBreakdown, type AttackCondition } from '../attack-report.js';
import { meanOf } from '../../../report/statistics/mean.js';
import { answersUnder, hardnessOf, scoredBy, type ScoredAnswer, type ScoredExample } from './scored-example.js';
import { pointOf } from '../../judged-answer.js';
import { ATTACK_METRICS, type AttackMetric } from '../attack-metrics.js';

type Accuracies = AttackBreakdown['accuracy'];

/** The mean by condition of what `pointsOf` gives. */
function accuraciesOf(
  examples: readonly ScoredExample[],
  pointsOf: (answer: ScoredAnswer) => readonly number[],
): Accuracies {
  const under = (condition: AttackCondition): number | null => {
    const points = examples.flatMap((example) => answersUnder(example, condition).flatMap(pointsOf));
    return points.length === 0 ? null : meanOf(points);
  };
  return Object.fromEntries(ATTACK_CONDITIONS.map((condition) => [condition, under(condition)])) as Accuracies;
}

function breakDown(
  examples: readonly ScoredExample[],
  metric: AttackMetric,
  keyOf: (example: ScoredExample) => string,
): AttackBreakdown[] {
  const groups = groupBy(scoredBy(examples, metric), keyOf);
  return [...groups].map(([key, some]) => {
    const accuracy = accuraciesOf(some, (answer) => [pointOf(answer, metric)]);
    return { metric, key, examples: some.length, accuracy };
  });
}

/** By the hardness of the original gold, from easy to extra, then where it can't be told. */
export function breakDownByHardness(examples: readonly ScoredExample[]): readonly AttackBreakdown[] {
  const levels = [...HARDNESS_LEVELS, UNKNOWN_HARDNESS];
  const rankOf = ({ key }: AttackBreakdown): number => levels.findIndex((level) => level === key);
  return ATTACK_METRICS.flatMap((metric) =>
    breakDown(examples, metric, (one) => hardnessOf(one) ?? UNKNOWN_HARDNESS).sort((a, b) => rankOf(a) - rankOf(b)),
  );
}

/** By database, in the order of the examples. */
export function breakDownByDatabase(examples: readonly ScoredExample[]): readonly AttackBreakdown[] {
  return ATTACK_METRICS.flatMap((metric) => breakDown(examples, metric, ({ group }) => group.database.id));
}

/** Checks whether a component of the gold matches, as a point; nothing where the gold has none of it. */
function componentPoint({ exact }: ScoredAnswer, component: ExactComponent): readonly number[] {
  const count = exact?.components?.[component];
  return count === undefined || count.gold === 0 ? [] : [Number(isMatched(count))];
}

/** Exact match of single components, over the gold queries that have them. */
export function breakDownByComponent(examples: readonly ScoredExample[]): readonly AttackBreakdown[] {
  return EXACT_COMPONENTS.flatMap((component) => {
    const having = examples.filter(({ original }) => componentPoint(original, component).length > 0);
    if (having.length === 0) return [];
    const accuracy = accuraciesOf(having, (answer) => componentPoint(answer, component));
    return [{ metric: 'exact' as const, key: component, examples: having.length, accuracy }];
  });
}
