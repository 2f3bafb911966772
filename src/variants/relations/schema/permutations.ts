import { shuffled } from '../../../seeded-rng.js';
import type { Rng } from '../../../stage.js';

/** From this many things on, their permutations are drawn and not listed. */
const LISTED = 6;

function listPermutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((first) =>
    listPermutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

/**
 * Distinct orders of `size` things, the one they have left out, at most `count`: all of them where there are no more.
 * Deterministic: the stream decides.
 */
export function drawPermutations(size: number, count: number, rng: Rng): readonly (readonly number[])[] {
  const own = Array.from({ length: size }, (_, i) => i);
  if (size <= LISTED) return shuffled(listPermutations(own).slice(1), rng).slice(0, count);
  const drawn = new Map<string, readonly number[]>();
  for (let tries = 0; drawn.size < count && tries < count * LISTED; tries++) {
    const order = shuffled(own, rng);
    if (order.some((item, i) => item !== i)) drawn.set(order.join(), order);
  }
  return [...drawn.values()];
}
