import { ExactMatch, type ExactVerdict } from '../../src/evaluate/exact/exact-match.js';
import type { EvaluationPair } from '../../src/evaluate/metric.js';

/** Pairs of all sets where the default comparison says other than the published evaluator, of one reason. */
export interface DisagreementClass {
  /** `+` where it says correct instead, `-` where it says wrong. */
  readonly reason: string;
  readonly count: number;
  /** The first of them. */
  readonly example: { readonly set: string; readonly gold: string; readonly predicted: string };
}

const reasonOf = ({ outcome, differences }: ExactVerdict): string =>
  `${outcome === 'correct' ? '+' : '-'} ${differences.join(' & ')}`;

/** Every reason for which verdicts differ, the most frequent first, and how many pairs there were. */
export function classifyDisagreements(sets: Iterable<readonly [name: string, pairs: readonly EvaluationPair[]]>): {
  readonly pairs: number;
  readonly classes: readonly DisagreementClass[];
} {
  const metric = new ExactMatch();
  const classes = new Map<string, DisagreementClass>();
  let count = 0;
  for (const [set, pairs] of sets) {
    count += pairs.length;
    for (const pair of pairs) {
      const verdict = metric.judgePair(pair);
      if (verdict.differences.length === 0) continue;
      const reason = reasonOf(verdict);
      const example = { set, gold: pair.gold, predicted: pair.predicted };
      const known = classes.get(reason) ?? { reason, count: 0, example };
      classes.set(reason, { ...known, count: known.count + 1 });
    }
  }
  return { pairs: count, classes: [...classes.values()].sort((a, b) => b.count - a.count) };
}
