import { spacedName } from '../../schema/name-identity.js';
import type { Answer } from '../annotation.js';

/** The names that an answer takes, written as listed ones are compared: none where it was skipped. */
export function takenNames({ accepted, written, state }: Answer): ReadonlySet<string> {
  return new Set(state === 'done' ? [...accepted, ...written].map(spacedName) : []);
}

function distance(a: Answer, b: Answer): number {
  if (a.state !== b.state) return 1;
  const [first, second] = [takenNames(a), takenNames(b)];
  const shared = [...first].filter((name) => second.has(name)).length;
  const all = first.size + second.size - shared;
  return all === 0 ? 0 : 1 - shared / all;
}

/**
 * How far answers to one item are apart, 0 to 1: the mean Jaccard distance of the names taken, over all pairs. One who
 * skips and one who does not are wholly apart. 0 for fewer than two answers.
 */
export function disagreementOf(answers: readonly Answer[]): number {
  const distances = answers.flatMap((a, i) => answers.slice(i + 1).map((b) => distance(a, b)));
  return distances.reduce((sum, d) => sum + d, 0) / Math.max(1, distances.length);
}
