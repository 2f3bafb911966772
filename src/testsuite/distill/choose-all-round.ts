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
