import type { SetCount } from '../../../evaluate/linking/schema-linking.js';
import type { Hardness } from '../../../evaluate/exact/hardness.js';
import { type JudgedAnswer, type MeasuredCase, outcomeOf } from '../../judged-answer.js';
import type { AttackCondition } from '../attack-report.js';
import type { PlannedQuestion } from '../attack-plan.js';
import type { AttackMetric } from '../../../victims/scoring.js';
import type { DrawnTables } from '../table-set.js';

/** An answer, judged. */
export interface ScoredAnswer extends JudgedAnswer {
  /**
   * Columns that it names, or its SQL uses, against those that the gold asks for; null where the gold can't be read.
   */
  readonly linked: SetCount | null;
}

/** An answer on perturbed tables, next to that on the original ones. */
export interface ScoredVariant extends DrawnTables, MeasuredCase<ScoredAnswer, ScoredAnswer> {
  /** Table sets that a search asked of; 1 without one. */
  readonly queries: number;
}

/** An example with its answers on the original and on all perturbed tables. */
export interface ScoredExample extends Pick<PlannedQuestion, 'example' | 'group' | 'turn'> {
  readonly original: ScoredAnswer;
  readonly variants: readonly ScoredVariant[];
}

/** Hardness of the gold; null where it can't be read. */
export function hardnessOf({ original: { columns, exact } }: ScoredExample): Hardness | null {
  return (columns ?? exact)?.hardness ?? null;
}

/** The answers of an example under a condition. */
export function answersUnder(
  { original, variants }: ScoredExample,
  condition: AttackCondition,
): readonly ScoredAnswer[] {
  return condition === 'original'
    ? [original]
    : variants.filter(({ kind }) => kind === condition).map(({ after }) => after);
}

/** All answers of an example. */
export function answersOf({ original, variants }: ScoredExample): readonly ScoredAnswer[] {
  return [original, ...variants.map(({ after }) => after)];
}

/** The examples whose answers a metric can tell right from wrong, all of them. */
export function scoredBy(examples: readonly ScoredExample[], metric: AttackMetric): readonly ScoredExample[] {
  return examples.filter((example) => answersOf(example).every((answer) => outcomeOf(answer, metric) !== null));
}
