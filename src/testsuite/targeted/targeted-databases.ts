import { createRng, pick } from '../../seeded-rng.js';
import { itemAt } from '../../present.js';
import type { Rng } from '../../stage.js';
import { FuzzSchema, type FuzzSource } from '../../rows/fuzz/fuzz-schema.js';
import type { TableRows } from '../../rows/fuzz/written-tables.js';
import { SchemaFuzzer, type WitnessOrder } from '../../rows/fuzz/fuzzer.js';
import { queryConstants } from '../../rows/fuzz/query-constants.js';
import type { ChangeKind } from '../neighbors/change.js';
import type { Neighbor } from '../neighbors/neighbors.js';
import { differenceQueries } from './difference-queries.js';

/** Makes databases that tell one gold query from one of its neighbors. */
export interface TargetedDatabases {
  /** Rows made for a neighbor that is left, the same for the same seed; null where none can be made. */
  database(gold: string, neighbor: Neighbor, seed: number): TableRows | null;
  /** Releases what rows are tried on. */
  close(): void;
}

/**
 * The companions of witness rows, in turn: rows for the gold query, nothing, rows for any query of the difference; or
 * there is a random database with the constants of the two queries alone.
 */
const PLACEMENTS = ['next to gold', 'alone', 'among others', 'random'] as const;
/** One in so many orders asks for results that repeat, more of them where that is what the neighbor changes. */
const REPEATING = 4;
const DISTINCT: ReadonlySet<ChangeKind> = new Set<ChangeKind>(['add-distinct', 'drop-distinct', 'set-operator']);
/** Beyond this many rows no HAVING or LIMIT is followed: `COUNT(*) > 5000` is one of the paper's, A.2. */
const MOST_COPIES = 6_000;
const MOST_ROWS = 12_000;

/** The facts about the pair that databases were made for last. */
interface Target {
  readonly key: string;
  readonly fuzzer: SchemaFuzzer;
  /** Queries whose witness rows are added; the first ones more often. */
  readonly queries: readonly string[];
  readonly sizes: readonly number[];
}

class NeighborDatabases implements TargetedDatabases {
  readonly #schema: FuzzSchema;
  #target: Target | null = null;

  constructor(source: FuzzSource) {
    this.#schema = new FuzzSchema(source);
  }

  database(gold: string, neighbor: Neighbor, seed: number): TableRows | null {
    const { fuzzer, queries, sizes } = this.#targetOf(gold, neighbor);
    if (queries.length === 0) return null;
    const way = itemAt(PLACEMENTS, seed % PLACEMENTS.length);
    if (way === 'random') return fuzzer.database(seed);
    const rng = createRng(seed, `aim:${neighbor.sql}`);
    const repeating = DISTINCT.has(neighbor.kind) ? 2 : REPEATING;
    const order = (sql: string): WitnessOrder => {
      return {
        sql,
        turn: rng.int(4),
        batches: drawBatches(sizes, rng),
        hasBare: way !== 'alone',
        repeats: rng.int(repeating) === 0,
      };
    };
    // The first two are those that one of the two queries alone finds.
    const main = order(
      seed < PLACEMENTS.length
        ? itemAt(queries, seed % queries.length)
        : pick(pick([queries, queries.slice(0, 2)], rng), rng),
    );
    if (way === 'alone') return fuzzer.withWitnesses(seed, [main], 'none');
    if (way === 'next to gold') return fuzzer.withWitnesses(seed, [main, order(gold)], 'few');
    return fuzzer.withWitnesses(seed, [main, order(pick(queries, rng))], pick(['none', 'few', 'usual'], rng));
  }

  close(): void {
    this.#schema.close();
  }

  #targetOf(gold: string, neighbor: Neighbor): Target {
    const key = `${gold}\0${neighbor.sql}`;
    if (this.#target?.key === key) return this.#target;
    const { database } = this.#schema;
    const texts = [gold, neighbor.sql];
    const { sizes } = queryConstants(texts, database).all;
    this.#target = {
      key,
      fuzzer: new SchemaFuzzer(this.#schema, texts),
      queries: differenceQueries(gold, neighbor, database),
      sizes: sizes.filter((size) => size <= MOST_COPIES),
    };
    return this.#target;
  }
}

/** How many rows go into each group: as many as queries count, one more or less; or a few. */
function drawBatches(sizes: readonly number[], rng: Rng): readonly number[] {
  const isCounted = sizes.length > 0 && rng.int(4) > 0;
  const size = (): number => (isCounted ? Math.max(1, pick(sizes, rng) + rng.int(3) - 1) : 1 + rng.int(4));
  const most = 1 + rng.int(4);
  const batches: number[] = [];
  let rows = 0;
  while (batches.length < most) {
    const next = size();
    if (batches.length > 0 && rows + next > MOST_ROWS) break;
    batches.push(next);
    rows += next;
  }
  // As many groups as a LIMIT counts.
  return isCounted && rng.int(3) === 0 ? Array.from({ length: Math.min(size(), 300) }, () => 1 + rng.int(2)) : batches;
}

/**
 * Targeted databases for the queries of one schema (beyond Test-suite accuracy §4.2, which only samples): rows that
 * satisfy a condition of the gold and not the neighbor's, or the other way round, as many as its LIMIT and HAVING
 * count, alone or among random ones.
 * @throws InputFormatError when the file is not a readable SQLite database
 */
export function createTargetedDatabases(source: FuzzSource): TargetedDatabases {
  return new NeighborDatabases(source);
}
