import { groupBy } from '../../run/group-by.js';
import { zip } from '../../present.js';
import type { GoldResult } from './trial-database.js';

/** A database's results of all gold queries that have rows there and depend on nothing; null for the others. */
export type GoldResults = readonly (GoldResult | null)[];

/** The results of gold queries on the databases that were taken. */
class TakenResults {
  readonly #hashes: readonly Set<string>[];

  constructor(goldQueries: number) {
    this.#hashes = Array.from({ length: goldQueries }, () => new Set());
  }

  /** Each gold's new result counts, a larger one for more, and the less the more different ones the gold has. */
  gainOf(results: GoldResults): number {
    const gains = zip(results, this.#hashes).map(([result, known]) =>
      result === null || known.has(result.hash) ? 0 : Math.log2(1 + result.rows) / (1 + known.size),
    );
    return gains.reduce((sum, gain) => sum + gain, 0);
  }

  take(results: GoldResults): void {
    for (const [result, known] of zip(results, this.#hashes)) if (result !== null) known.add(result.hash);
  }
}

/** The databases that give most gold queries rows, large and different results, by greedy choice; at most `count`. */
export function chooseAllRound<Database extends { readonly results: GoldResults }>(
  databases: readonly Database[],
  count: number,
): readonly Database[] {
  const taken = new TakenResults(databases[0]?.results.length ?? 0);
  const chosen = new Set<Database>();
  while (chosen.size < count) {
    const others = databases.filter((database) => !chosen.has(database));
    const gains = others.map((database) => ({ database, gain: taken.gainOf(database.results) }));
    const [best] = gains.sort((a, b) => b.gain - a.gain);
    if (best === undefined || best.gain === 0) break;
    chosen.add(best.database);
    taken.take(best.database.results);
  }
  return databases.filter((database) => chosen.has(database));
}

/** A need to be met by databases, by some number of them as far as there are so many. */
export interface CoverNeed<Database> {
  /** The databases that meet it. */
  readonly by: readonly Database[];
  readonly times: number;
}

interface OpenNeed<Database> extends CoverNeed<Database> {
  /** How many databases it still wants. */
  left: number;
}

/** How much of what is needed is still to be met. */
class OpenNeeds<Database> {
  readonly #metBy: ReadonlyMap<Database, readonly OpenNeed<Database>[]>;

  constructor(needs: readonly CoverNeed<Database>[]) {
    const open = needs.map((need): OpenNeed<Database> => ({ ...need, left: Math.min(need.times, need.by.length) }));
    const met = open.flatMap((need) => need.by.map((database) => ({ database, need })));
    this.#metBy = new Map(
      [...groupBy(met, ({ database }) => database)].map(([database, all]) => [database, all.map(({ need }) => need)]),
    );
  }

  gainOf(database: Database): number {
    return this.#met(database).filter(({ left }) => left > 0).length;
  }

  take(database: Database): void {
    for (const need of this.#met(database)) need.left--;
  }

  /** Checks whether all that is met stays so without a database that was taken. */
  canSpare(database: Database, taken: ReadonlySet<Database>): boolean {
    return this.#met(database).every(
      ({ by, times }) => by.filter((other) => taken.has(other)).length > Math.min(times, by.length),
    );
  }

  #met(database: Database): readonly OpenNeed<Database>[] {
    return this.#metBy.get(database) ?? [];
  }
}

/**
 * Few databases that meet all needs, by greedy multi-cover: the one that meets most first, of equal ones the smallest;
 * then those that the later ones made needless go, the largest first. `always` are taken whatever they meet.
 */
export function chooseDatabases<Database extends { readonly size: number }>(
  databases: readonly Database[],
  needs: readonly CoverNeed<Database>[],
  always: readonly Database[],
): readonly Database[] {
  const open = new OpenNeeds(needs);
  const taken = new Set(always);
  for (const database of always) open.take(database);
  for (;;) {
    const gains = databases.map((database) => ({ database, gain: open.gainOf(database) }));
    const useful = gains.filter(({ database, gain }) => gain > 0 && !taken.has(database));
    const [best] = useful.sort((a, b) => b.gain - a.gain || a.database.size - b.database.size);
    if (best === undefined) break;
    taken.add(best.database);
    open.take(best.database);
  }
  const chosen = databases.filter((database) => taken.has(database));
  for (const database of chosen.toReversed().sort((a, b) => b.size - a.size)) {
    if (!always.includes(database) && open.canSpare(database, taken)) taken.delete(database);
  }
  return chosen.filter((database) => taken.has(database));
}
