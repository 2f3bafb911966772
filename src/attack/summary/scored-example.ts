import type { Outcome } from '../../evaluate/metric.js';
import type { DatasetExample } from '../../formats/dataset.js';
import type { SetCount } from '../../evaluate/linking/set-scores.js';
import type { Hardness } from '../../evaluate/exact/hardness.js';
import type { AnswerScore } from '../../victims/answer-scorer.js';
import type { ColumnScore } from '../../victims/column-scorer.js';
import type { AttackCondition } from '../attack-report.js';
import type { AttackGroup, DrawnTables } from '../table-set.js';
import type { VictimAnswer } from '../../victims/victim.js';
import type { AttackMetric } from '../attack-metrics.js';

/** The metrics' judgement of an answer, with SQL or with columns. */
export type Judgement = (AnswerScore & { readonly columns?: null }) | ColumnScore;

/** An answer, and what the metrics say of it. */
export interface ScoredAnswer {
  readonly answer: VictimAnswer;
  readonly judgement: Judgement;
  /**
   * Columns that it names, or its SQL uses, against those that the gold asks for; null where the gold can't be read.
   */
  readonly linked: SetCount | null;
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

/** Returns a metric's outcome for an answer, or null if it has none. */
export function outcomeOf({ judgement }: ScoredAnswer, metric: AttackMetric): Outcome | null {
  return judgement[metric]?.outcome ?? null;
}

/** Hardness of the gold; null where it can't be read. */
export function hardnessOf({ original: { judgement } }: ScoredExample): Hardness | null {
  return (judgement.columns ?? judgement.exact).hardness;
}

/** The answers of an example under a condition. */
export function answersUnder(
  { original, variants }: ScoredExample,
  condition: AttackCondition,
): readonly ScoredAnswer[] {
  return condition === 'original' ? [original] : variants.filter(({ kind }) => kind === condition);
}

/** 1 where an answer is right by a metric, else 0. */
export function pointOf(answer: ScoredAnswer, metric: AttackMetric): number {
  return Number(outcomeOf(answer, metric) === 'correct');
}

/** The examples whose answers a metric can tell right from wrong, all of them. */
export function scoredBy(examples: readonly ScoredExample[], metric: AttackMetric): readonly ScoredExample[] {
  return examples.filter(({ original, variants }) =>
    [original, ...variants].every((answer) => outcomeOf(answer, metric) !== null),
  );
}
