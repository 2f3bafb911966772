import type { Outcome } from '../../evaluate/metric.js';
import type { DatasetExample } from '../../formats/dataset.js';
import type { AnswerScore } from '../../victims/answer-scorer.js';
import type { AttackCondition } from '../attack-report.js';
import type { AttackGroup, DrawnTables } from '../table-set.js';
import type { VictimAnswer } from '../../victims/victim.js';
import type { AnswerMetric } from '../../victims/answer-metrics.js';

/** An answer, and what the metrics say of it. */
export interface ScoredAnswer {
  readonly answer: VictimAnswer;
  readonly judgement: AnswerScore;
}

/** An answer on perturbed tables. */
export interface ScoredVariant extends DrawnTables, ScoredAnswer {
  /** Table sets that a search asked of; 1 without one. */
  readonly queries: number;
}

/** An example with its answers on the original and on all perturbed tables. */
export interface ScoredExample {
  readonly example: DatasetExample;
  readonly group: AttackGroup;
  /** Position in its group. */
  readonly turn: number;
  readonly original: ScoredAnswer;
  readonly variants: readonly ScoredVariant[];
}

/** What a metric says of an answer; null where it says nothing. */
export function outcomeOf({ judgement }: ScoredAnswer, metric: AnswerMetric): Outcome | null {
  return judgement[metric]?.outcome ?? null;
}

/** The answers of an example under a condition. */
export function answersUnder(
  { original, variants }: ScoredExample,
  condition: AttackCondition,
): readonly ScoredAnswer[] {
  return condition === 'original' ? [original] : variants.filter(({ kind }) => kind === condition);
}

/** 1 where an answer is right by a metric, else 0. */
export function pointOf(answer: ScoredAnswer, metric: AnswerMetric): number {
  return Number(outcomeOf(answer, metric) === 'correct');
}

/** The examples whose answers a metric can tell right from wrong, all of them. */
export function scoredBy(examples: readonly ScoredExample[], metric: AnswerMetric): readonly ScoredExample[] {
  return examples.filter(({ original, variants }) =>
    [original, ...variants].every((answer) => outcomeOf(answer, metric) !== null),
  );
}
