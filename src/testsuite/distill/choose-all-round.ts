import { itemAt, zip } from '../../present.js';
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

/**
 * Positions of the databases that give most gold queries rows, large and different results, by greedy choice; at most
 * `count`.
 */
export function chooseAllRound(databases: readonly GoldResults[], count: number): readonly number[] {
  const taken = new TakenResults(databases[0]?.length ?? 0);
  const chosen: number[] = [];
  while (chosen.length < count) {
    const gains = databases.map((results, d) => (chosen.includes(d) ? 0 : taken.gainOf(results)));
    const best = Math.max(0, ...gains);
    if (best === 0) break;
    const next = gains.indexOf(best);
    chosen.push(next);
    taken.take(itemAt(databases, next));
  }
  return chosen.sort((a, b) => a - b);
}
