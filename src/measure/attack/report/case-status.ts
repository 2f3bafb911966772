import type { AttackCase, PerturbedCase } from '../attack-report.js';
import type { AttackMetric } from '../attack-metrics.js';

/** The units that are drawn to find an interval. */
export const DRAWN = 'examples, the turns of an interaction together';

/** The effect of perturbing its tables on an answer, by one metric; `wrong` is wrong before and after. */
export type CaseStatus = 'broken' | 'survived' | 'fixed' | 'wrong';

/** The status of a perturbed case; null where the metric says nothing of one of the two answers. */
export function statusOf(
  { original }: Pick<AttackCase, 'original'>,
  perturbed: Pick<PerturbedCase, AttackMetric>,
  metric: AttackMetric,
): CaseStatus | null {
  const [before = null, after = null] = [original[metric], perturbed[metric]];
  if (before === null || after === null) return null;
  if (before === 'correct') return after === 'correct' ? 'survived' : 'broken';
  return after === 'correct' ? 'fixed' : 'wrong';
}

/** The metrics that a run measured, in their order. */
export function measuredMetrics(scores: readonly { readonly metric: AttackMetric }[]): readonly AttackMetric[] {
  return [...new Set(scores.map(({ metric }) => metric))];
}

/** Conditions as plots name them. */
export const CONDITION_WORDS = {
  original: 'Original tables',
  RPL: 'RPL, renamed columns',
  ADD: 'ADD, added columns',
} as const;
