import { share } from '../summary/outcome-summary.js';

/** Counts in the gold query, in a prediction, and in both: of a component, or of sets that may lie in many questions. */
export interface SetCount {
  readonly gold: number;
  readonly predicted: number;
  readonly matched: number;
}

/** Precision, recall and F1 of counts, 0 to 1; null where nothing was predicted or nothing asked for. */
export interface SetScores extends SetCount {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/** Counts of two sets of keys. */
export function countSets(gold: ReadonlySet<string>, predicted: ReadonlySet<string>): SetCount {
  let matched = 0;
  for (const key of predicted) if (gold.has(key)) matched += 1;
  return { gold: gold.size, predicted: predicted.size, matched };
}

/** All counts together. */
export function sumCounts(counts: readonly SetCount[]): SetCount {
  const sum = (key: keyof SetCount): number => counts.reduce((total, count) => total + count[key], 0);
  return { gold: sum('gold'), predicted: sum('predicted'), matched: sum('matched') };
}

/** Scores over all counts together (micro average), as ADVETA's appendix C.4 defines them for one set of tuples. */
export function scoreSets(counts: readonly SetCount[]): SetScores {
  const { gold, predicted, matched } = sumCounts(counts);
  const [precision, recall] = [share(matched, predicted), share(matched, gold)];
  // 2PR / (P + R) by the counts, which also holds where one of them is 0.
  return { gold, predicted, matched, precision, recall, f1: share(2 * matched, gold + predicted) };
}
