/** The sum of products of two vectors, in their order; the second may go on. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Shares of one by logits: above 0, in their order. */
export function softmax(logits: ArrayLike<number>): number[] {
  const all = Array.from(logits);
  const greatest = Math.max(...all);
  const odds = all.map((logit) => Math.exp(logit - greatest));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  return odds.map((odd) => odd / total);
}

/** Adds a vector, times a factor, to a sum of as many components. */
export function addTo(sum: Float64Array | Float32Array | number[], vector: ArrayLike<number>, factor = 1): void {
  for (let i = 0; i < vector.length; i++) sum[i]! += factor * vector[i]!;
}
