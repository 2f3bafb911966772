import { type ByHardness, type Hardness, ofLevels } from '../exact/hardness.js';
import type { Verdict } from '../metric.js';
import { share } from './outcome-summary.js';

/** Metrics that are held against a suite. */
export const RIVAL_METRICS = ['exact', 'execution'] as const;
export type RivalMetric = (typeof RIVAL_METRICS)[number];

/** Pairs that a metric judges otherwise than the suite; rates are shares of all pairs, null where there are none. */
export interface ErrorRate {
  readonly pairs: number;
  /** Correct by the metric, wrong by the suite. */
  readonly falsePositives: number;
  readonly falsePositiveRate: number | null;
  /** Wrong by the metric, correct by the suite. */
  readonly falseNegatives: number;
  readonly falseNegativeRate: number | null;
}

/** Over all pairs and by the hardness of the gold. */
export interface ErrorRates {
  readonly all: ErrorRate;
  readonly hardness: ByHardness<ErrorRate>;
}

/** How often a metric errs over these pairs (Test-suite accuracy §6.2). */
export function errorRate(pairs: readonly (readonly [metric: boolean, suite: boolean])[]): ErrorRate {
  const falsePositives = pairs.filter(([metric, suite]) => metric && !suite).length;
  const falseNegatives = pairs.filter(([metric, suite]) => !metric && suite).length;
  return {
    pairs: pairs.length,
    falsePositives,
    falsePositiveRate: share(falsePositives, pairs.length),
    falseNegatives,
    falseNegativeRate: share(falseNegatives, pairs.length),
  };
}

const isCorrect = (verdict: Verdict | undefined): boolean => verdict?.outcome === 'correct';

/**
 * Error rates of a metric with the suite's verdicts as the truth (Test-suite accuracy §6.2, Tables 1 and 2); all lists
 * are of the same pairs.
 */
export function errorRates(
  verdicts: readonly Verdict[],
  suite: readonly Verdict[],
  hardness: readonly (Hardness | null)[],
): ErrorRates {
  const pairs = suite.map((verdict, i) => [isCorrect(verdicts[i]), isCorrect(verdict)] as const);
  const of = (level: Hardness | null): ErrorRate => errorRate(pairs.filter((_, i) => hardness[i] === level));
  const unknown = of(null);
  return { all: errorRate(pairs), hardness: { ...ofLevels(of), ...(unknown.pairs > 0 && { unknown }) } };
}
