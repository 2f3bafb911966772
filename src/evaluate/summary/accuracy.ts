import { groupBy } from '../../run/group-by.js';
import { type EvaluationPair, type Outcome, OUTCOMES, type Verdict } from '../metric.js';
import type { Rng } from '../../stage.js';
import type { Interval } from '../../report/statistics/bootstrap.js';
import type { McNemarTest } from '../../report/statistics/mcnemar.js';
import { clusteredMean, testPairs } from '../../report/statistics/paired-points.js';
import { zip } from '../../present.js';
import { type ByHardness, type Hardness, ofLevels } from '../exact/hardness.js';

/** Two models, or one in two conditions, on the same pairs. */
export interface PairedComparison {
  readonly pairs: number;
  readonly first: Interval | null;
  readonly second: Interval | null;
  /** Accuracy of the second less that of the first. */
  readonly difference: Interval | null;
  readonly mcNemar: McNemarTest;
}

const scoreOf = ({ outcome }: Verdict): number => Number(outcome === 'correct');

/** The accuracy of verdicts with its interval; turns of an interaction are drawn together. */
export function accuracyInterval(
  pairs: readonly EvaluationPair[],
  verdicts: readonly Verdict[],
  rng: Rng,
): Interval | null {
  const values = zip(pairs, verdicts).map(([{ group }, verdict]) => ({ cluster: group, value: scoreOf(verdict) }));
  return clusteredMean(values, rng);
}

/**
 * Compares two lists of verdicts on the same pairs, pair by pair; `rngFor` gives the random stream of each interval.
 * @throws RangeError where the lists are not of the same pairs in the same order
 */
export function compareVerdicts(
  pairs: readonly EvaluationPair[],
  first: readonly Verdict[],
  second: readonly Verdict[],
  rngFor: (itemId: string) => Rng,
): PairedComparison {
  const isSame = pairs.every(({ id }, i) => first[i]?.id === id && second[i]?.id === id);
  if (!isSame || first.length !== pairs.length || second.length !== pairs.length) {
    throw new RangeError('the verdicts are not of the same pairs in the same order');
  }
  const points = zip(pairs, zip(first.map(scoreOf), second.map(scoreOf))).map(([{ group }, [ours, theirs]]) => {
    return { cluster: group, first: ours, second: theirs };
  });
  const differences = points.map((one) => ({ cluster: one.cluster, value: one.second - one.first }));
  return {
    pairs: pairs.length,
    first: accuracyInterval(pairs, first, rngFor('bootstrap:first')),
    second: accuracyInterval(pairs, second, rngFor('bootstrap:second')),
    difference: clusteredMean(differences, rngFor('bootstrap:difference')),
    mcNemar: testPairs(points),
  };
}

/** How many pairs came to each outcome, and the share that is correct of all. */
export interface OutcomeSummary {
  readonly pairs: number;
  readonly correct: number;
  /** 0 to 1; what has bad gold counts as not correct; null where there are no pairs. */
  readonly accuracy: number | null;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

/** Interactions whose turns are all correct (CoSQL, SParC: interaction match). */
export interface InteractionSummary {
  readonly interactions: number;
  readonly correct: number;
  readonly accuracy: number | null;
  /** Of the first turns, the second ones and so on: pairs and correct ones. */
  readonly byTurn: readonly OutcomeSummary[];
}

/** A share, or null of nothing. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Counts the outcomes of pairs. */
export function summarizeOutcomes(verdicts: readonly Verdict[]): OutcomeSummary {
  const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const { outcome } of verdicts) outcomes[outcome] += 1;
  const { correct } = outcomes;
  return { pairs: verdicts.length, correct, accuracy: share(correct, verdicts.length), outcomes };
}

/** The interactions of pairs, by their group; `verdicts` in the order of `pairs`. Null where no pair has company. */
export function summarizeInteractions(
  pairs: readonly EvaluationPair[],
  verdicts: readonly Verdict[],
): InteractionSummary | null {
  const groups = [...groupBy(verdicts, (_, i) => pairs[i]?.group ?? '').values()];
  if (groups.length === verdicts.length) return null;
  const correct = groups.filter((turns) => turns.every(({ outcome }) => outcome === 'correct')).length;
  const longest = Math.max(...groups.map((turns) => turns.length));
  const byTurn = Array.from({ length: longest }, (_, turn) =>
    summarizeOutcomes(groups.flatMap((turns) => turns.slice(turn, turn + 1))),
  );
  return { interactions: groups.length, correct, accuracy: share(correct, groups.length), byTurn };
}

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
