/** How far two ways to rank the same things agree. */
export interface RankAgreement {
  /** Kendall's tau-b, −1 to 1; null where all values of a side are equal, or there are fewer than two. */
  readonly tau: number | null;
  /** Pairs of things that both sides put in the same order. */
  readonly concordant: number;
  /** Pairs that they put in opposite orders. */
  readonly discordant: number;
}

function countTied(values: readonly number[]): number {
  const sizes = new Map<number, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  return [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
}

/**
 * Kendall's rank correlation of two lists of values of the same things, in the same order: tau-b, which allows for ties
 * (M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945); without ties it is the τ of the
 * test-suite paper's Table 3.
 */
export function kendallTau(first: readonly number[], second: readonly number[]): RankAgreement {
  let [concordant, discordant] = [0, 0];
  for (let i = 0; i < first.length; i++) {
    for (let j = 0; j < i; j++) {
      const order = Math.sign(first[i]! - first[j]!) * Math.sign(second[i]! - second[j]!);
      if (order > 0) concordant++;
      if (order < 0) discordant++;
    }
  }
  const pairs = (first.length * (first.length - 1)) / 2;
  const [untiedFirst, untiedSecond] = [pairs - countTied(first), pairs - countTied(second)];
  const tau =
    untiedFirst === 0 || untiedSecond === 0 ? null : (concordant - discordant) / Math.sqrt(untiedFirst * untiedSecond);
  return { tau, concordant, discordant };
}
