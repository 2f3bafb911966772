import { itemAt } from '../../present.js';

/** A need to be met by databases, by some number of them as far as there are so many. */
export interface CoverNeed {
  /** Positions of the databases that meet it. */
  readonly by: readonly number[];
  readonly times: number;
}

/** How much of what is needed is still to be met. */
class OpenNeeds {
  readonly #needs: readonly CoverNeed[];
  readonly #open: number[];
  readonly #metBy: readonly number[][];

  constructor(needs: readonly CoverNeed[], databases: number) {
    this.#needs = needs;
    this.#open = needs.map(({ by, times }) => Math.min(times, by.length));
    this.#metBy = Array.from({ length: databases }, () => []);
    for (const [n, { by }] of needs.entries()) for (const database of by) itemAt(this.#metBy, database).push(n);
  }

  gainOf(database: number): number {
    return itemAt(this.#metBy, database).filter((need) => itemAt(this.#open, need) > 0).length;
  }

  take(database: number): void {
    for (const need of itemAt(this.#metBy, database)) this.#open[need]!--;
  }

  /** Checks whether all that is met stays so without a database that was taken. */
  canSpare(database: number, taken: ReadonlySet<number>): boolean {
    return itemAt(this.#metBy, database).every((n) => {
      const { by, times } = itemAt(this.#needs, n);
      return by.filter((other) => taken.has(other)).length > Math.min(times, by.length);
    });
  }
}

/**
 * Few databases that meet all needs, by greedy multi-cover: the one that meets most first, of equal ones the smallest;
 * then those that the later ones made needless go, the largest first. `always` are taken whatever they meet.
 */
export function chooseDatabases(
  needs: readonly CoverNeed[],
  sizes: readonly number[],
  always: readonly number[],
): readonly number[] {
  const open = new OpenNeeds(needs, sizes.length);
  const taken = new Set(always);
  for (const database of always) open.take(database);
  for (;;) {
    const gains = sizes.map((size, database) => ({ database, size, gain: open.gainOf(database) }));
    const useful = gains.filter(({ database, gain }) => gain > 0 && !taken.has(database));
    const [best] = useful.sort((a, b) => b.gain - a.gain || a.size - b.size || a.database - b.database);
    if (best === undefined) break;
    taken.add(best.database);
    open.take(best.database);
  }
  const bySize = [...taken].sort((a, b) => itemAt(sizes, b) - itemAt(sizes, a) || b - a);
  for (const database of bySize) {
    if (!always.includes(database) && open.canSpare(database, taken)) taken.delete(database);
  }
  return [...taken].sort((a, b) => a - b);
}
