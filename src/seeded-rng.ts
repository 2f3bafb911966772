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
  for (let i = result.length - 1; i > 0; i--) swap(result, i, rng.int(i + 1));
  return result;
}

/** Some of the items, at most `count`, in seeded random order. */
export function sampled<T>(items: readonly T[], count: number, rng: Rng): T[] {
  const result = [...items];
  const size = Math.min(count, result.length);
  for (let i = 0; i < size; i++) swap(result, i, i + rng.int(result.length - i));
  return result.slice(0, size);
}

function swap<T>(list: T[], i: number, j: number): void {
  [list[i], list[j]] = [itemAt(list, j), itemAt(list, i)];
}

/** One of some values. */
export function pick<T>(values: readonly T[], rng: Rng): T {
  return values[rng.int(values.length)]!;
}
