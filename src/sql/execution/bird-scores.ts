import type { QueryRows, SqlRow } from './query-outcome.js';
import { rowKey, valueKey } from './value-key.js';

/** Times that BIRD's `evaluation_ves.py` runs both queries. */
export const VES_ROUNDS = 100;

/** Each row once, as Python tells rows apart, in the order in which they first come. */
function distinctRows({ rows }: QueryRows): readonly SqlRow[] {
  return [...new Map(rows.map((row) => [rowKey(row, 'python'), row] as const)).values()];
}

/** How many values of one row are in the other, wherever they are. */
function countFound(row: SqlRow, other: SqlRow): number {
  const keys = new Set(other.map((value) => valueKey(value, 'python')));
  return row.filter((value) => keys.has(valueKey(value, 'python'))).length;
}

/**
 * Soft F1 of BIRD's mini-dev (`evaluation_f1.py`), from 0 to 1: distinct rows are compared by their positions, not by
 * what they hold, and cells by whether the other row has such a value anywhere, each as often as it comes.
 */
export function softF1(gold: QueryRows, predicted: QueryRows): number {
  const [ours, theirs] = [distinctRows(predicted), distinctRows(gold)];
  if (ours.length === 0 && theirs.length === 0) return 1;
  let [matched, onlyOurs, onlyTheirs] = [0, Math.max(0, ours.length - theirs.length), 0];
  theirs.forEach((row, i) => {
    const other = ours[i];
    const found = other === undefined ? 0 : countFound(other, row);
    const width = row.length;
    matched += found / width;
    onlyOurs += other === undefined ? 0 : (other.length - found) / width;
    onlyTheirs += other === undefined ? 1 : (width - countFound(row, other)) / width;
  });
  if (matched === 0) return 0;
  const [precision, recall] = [matched / (matched + onlyOurs), matched / (matched + onlyTheirs)];
  return (2 * precision * recall) / (precision + recall);
}

/** Ratios that lie within three standard deviations of the mean, as the script keeps them. */
function withoutOutliers(ratios: readonly number[]): readonly number[] {
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const deviation = Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / ratios.length);
  const kept = ratios.filter((ratio) => Math.abs(ratio - mean) < 3 * deviation);
  return kept.length === 0 ? ratios : kept; // all alike, where the script divides by zero
}

/** Reward of a mean ratio from which on it is paid. */
const REWARDS: readonly (readonly [from: number, reward: number])[] = [
  [2, 1.25],
  [1, 1],
  [0.5, 0.75],
  [0.25, 0.5],
];

/**
 * Reward of a correct query in BIRD's R-VES (`evaluation_ves.py`), whose root counts: 1.25 where it takes half the
 * gold's time or less, 0.25 where it takes more than four times it.
 * @param ratios the gold's time by the query's, round by round
 */
export function vesReward(ratios: readonly number[]): number {
  const kept = withoutOutliers(ratios);
  const mean = kept.reduce((sum, ratio) => sum + ratio, 0) / kept.length;
  return REWARDS.find(([from]) => mean >= from)?.[1] ?? 0.25;
}
