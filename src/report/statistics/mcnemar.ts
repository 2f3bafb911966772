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

/** McNemar's test of two systems on the same pairs. */
export interface McNemarTest {
  /** Pairs that only the first, or only the second has right. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Exact, two-sided: the probability of a split at least as uneven if both were equally good. */
  readonly p: number;
  /** The mid-p value (Fagerland, Lydersen & Laake 2013), less conservative than the exact one. */
  readonly midP: number;
}

/** Probabilities of 0 to `most` heads of `n` throws of a fair coin, by logarithms: 2^-n alone would vanish. */
function* binomialHalves(n: number, most: number): Generator<number> {
  let log = -n * Math.LN2;
  for (let k = 0; k <= most; k++) {
    yield Math.exp(log);
    log += Math.log(n - k) - Math.log(k + 1);
  }
}

/** Tests whether two systems differ, by the pairs that only one of them has right (McNemar 1947). */
export function testMcNemar(onlyFirst: number, onlySecond: number): McNemarTest {
  const [n, least] = [onlyFirst + onlySecond, Math.min(onlyFirst, onlySecond)];
  const probabilities = [...binomialHalves(n, least)];
  const tail = probabilities.reduce((sum, probability) => sum + probability, 0);
  const p = Math.min(1, 2 * tail);
  const midP = onlyFirst === onlySecond ? 1 - (probabilities.at(-1) ?? 0) / 2 : 2 * tail - (probabilities.at(-1) ?? 0);
  return { onlyFirst, onlySecond, p, midP: n === 0 ? 1 : midP };
}
