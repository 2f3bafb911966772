import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Rng } from './stage.js';
import { itemAt } from './present.js';

/** The random stream of one item: hash(seed, item id), so neither order nor concurrency matters. */
export function createRng(seed: number, itemId: string): Rng {
  const digest = createHash('sha256').update(`${seed}:${itemId}`).digest();
  const generator = xoroshiro128plus(digest.readInt32LE(0));
  return {
    next: () => uniformFloat64(generator),
    int: (bound) => uniformInt(generator, 0, bound - 1),
  };
}

/** A new array in seeded random order (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], rng: Rng): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = rng.int(i + 1);
    [result[i], result[j]] = [itemAt(result, j), itemAt(result, i)];
  }
  return result;
}

/** One of some values. */
export function pick<T>(values: readonly T[], rng: Rng): T {
  return values[rng.int(values.length)]!;
}
