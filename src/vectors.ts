/** The sum of products of two vectors, in their order; the second may go on. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Adds a vector, times a factor, to a sum of as many components. */
export function addTo(sum: Float64Array | Float32Array | number[], vector: ArrayLike<number>, factor = 1): void {
  for (let i = 0; i < vector.length; i++) sum[i]! += factor * vector[i]!;
}
