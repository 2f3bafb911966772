import { groupBy } from '../../run/group-by.js';
import type { Rng } from '../../stage.js';
import type { EvaluationPair, Verdict } from '../metric.js';
import { bootstrapMean, type Interval } from '../../report/statistics/bootstrap.js';
import { type McNemarTest, testMcNemar } from '../../report/statistics/mcnemar.js';

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

/** Scores by interaction, as clusters. */
function clustersOf(scores: readonly number[], pairs: readonly EvaluationPair[]): readonly (readonly number[])[] {
  return [...groupBy(scores, (_, i) => pairs[i]?.group ?? '').values()];
}

/** The accuracy of verdicts with its interval; turns of an interaction are drawn together. */
export function accuracyInterval(
  pairs: readonly EvaluationPair[],
  verdicts: readonly Verdict[],
  rng: Rng,
): Interval | null {
  return bootstrapMean(clustersOf(verdicts.map(scoreOf), pairs), rng);
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
  const [ours, theirs] = [first.map(scoreOf), second.map(scoreOf)];
  const differences = theirs.map((score, i) => score - (ours[i] ?? 0));
  return {
    pairs: pairs.length,
    first: accuracyInterval(pairs, first, rngFor('bootstrap:first')),
    second: accuracyInterval(pairs, second, rngFor('bootstrap:second')),
    difference: bootstrapMean(clustersOf(differences, pairs), rngFor('bootstrap:difference')),
    mcNemar: testMcNemar(
      differences.filter((difference) => difference < 0).length,
      differences.filter((difference) => difference > 0).length,
    ),
  };
}
