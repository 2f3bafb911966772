/** Quantiles of the normal distribution: 97.5 % for a two-sided test at 5 %, 80 % for its power. */
const [Z_ALPHA, Z_BETA] = [1.959964, 0.841621];

/**
 * How many questions a paired test (McNemar, two-sided, 5 %) needs to see a difference of accuracies with a power of
 * 80 % (Connor 1987, formula 3).
 * @param drop the difference, 0 to 1
 * @param flipped the share of questions that only one of the two sides has right; at least the drop itself
 */
export function neededQuestions(drop: number, flipped: number): number {
  const share = Math.max(flipped, drop);
  const root = Z_ALPHA * Math.sqrt(share) + Z_BETA * Math.sqrt(share - drop ** 2);
  return Math.ceil((root / drop) ** 2);
}
