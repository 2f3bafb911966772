/** Position of the first element that is not below `value` (or, for `after`, of the first one above it). */
function bound(sorted: Float64Array, value: number, after: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle]!;
    if (found < value || (after && found === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Area under the ROC curve: the probability that a positive scores above a negative, ties counted half. 0 to 1, 0.5 is
 * chance.
 * @throws RangeError when either list is empty or holds NaN.
 */
export function rocAuc(positives: readonly number[], negatives: readonly number[]): number {
  if (positives.length === 0 || negatives.length === 0) throw new RangeError('ROC AUC needs positives and negatives');
  if ([...positives, ...negatives].some(Number.isNaN)) throw new RangeError('ROC AUC of NaN');
  const sorted = Float64Array.from(negatives).sort();
  // Twice the pairs won, so that a tie's half stays a whole number.
  const won = positives.reduce((sum, value) => sum + bound(sorted, value, false) + bound(sorted, value, true), 0);
  return won / (2 * positives.length * negatives.length);
}
