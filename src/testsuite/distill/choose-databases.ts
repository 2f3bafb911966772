import { itemAt } from '../../present.js';
import { groupBy } from '../../run/group-by.js';

/** A need to be met by databases, by some number of them as far as there are so many. */
export interface CoverNeed {
  /** Positions of the databases that meet it. */
  readonly by: readonly number[];
  readonly times: number;
}

interface OpenNeed extends CoverNeed {
  /** How many databases it still wants. */
  left: number;
}

/** How much of what is needed is still to be met. */
class OpenNeeds {
  readonly #metBy: ReadonlyMap<number, readonly OpenNeed[]>;

  constructor(needs: readonly CoverNeed[]) {
    const open = needs.map((need): OpenNeed => ({ ...need, left: Math.min(need.times, need.by.length) }));
    const met = open.flatMap((need) => need.by.map((database) => ({ database, need })));
    this.#metBy = new Map(
      [...groupBy(met, ({ database }) => database)].map(([database, all]) => [database, all.map(({ need }) => need)]),
    );
  }

  gainOf(database: number): number {
    return this.#met(database).filter(({ left }) => left > 0).length;
  }

  take(database: number): void {
    for (const need of this.#met(database)) need.left--;
  }

  /** Checks whether all that is met stays so without a database that was taken. */
  canSpare(database: number, taken: ReadonlySet<number>): boolean {
    return this.#met(database).every(
      ({ by, times }) => by.filter((other) => taken.has(other)).length > Math.min(times, by.length),
    );
  }

  #met(database: number): readonly OpenNeed[] {
    return this.#metBy.get(database) ?? [];
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
  const open = new OpenNeeds(needs);
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
