/** ADVETA §4.1: "we retrieve the top 100 most domain-related tables". */
const MAX_TOP_K = 100;
/** Largest share of an index that is retrieved by default. */
const TOP_K_SHARE = 0.05;

/**
 * How many tables to retrieve from an index of `size` tables unless set: the paper's 100, but at most 5 % of the index.
 * ADVETA's 100 were of 600,000; 100 of a starter index of a thousand would be a tenth of all there is and would let
 * every domain through.
 */
export function defaultTopK(size: number): number {
  return Math.min(MAX_TOP_K, Math.max(1, Math.ceil(size * TOP_K_SHARE)));
}

/** `k` as a whole number from 0 to `size`. @throws RangeError when it is not a number. */
export function clampTopK(k: number, size: number): number {
  if (Number.isNaN(k)) throw new RangeError('k must be a number');
  return Math.min(size, Math.max(0, Math.floor(k)));
}
