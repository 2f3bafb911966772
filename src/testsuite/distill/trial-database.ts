import type Sqlite from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/dialect.js';
import type { QueryOutcome, QueryRows } from '../../sql/execution/query-outcome.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { tableNames } from '../../sql/execution/table-pragmas.js';
import { DENOTATION_LIMITS, DenotationRunner } from '../denotation/denotation-runner.js';
import { denotationHash } from '../denotation/denotation.js';
import type { GoldCase } from './gold-cases.js';
import { RowOrders } from './row-order.js';

/** What a gold gives on one database. */
export interface GoldResult {
  readonly hash: string;
  readonly rows: number;
  readonly columns: number;
}

/** Why a neighbor is told from its gold, or not. */
export type NeighborVerdict = 'told' | 'same' | 'unknown';

/** How many pairs of row orders are looked at. */
export type Scrutiny = 'where-in-doubt' | 'all';

const [FIRST_ORDER, SECOND_ORDER] = [1, 2];

const resultOf = (outcome: QueryRows, mode: ComparisonMode): GoldResult => ({
  hash: denotationHash(outcome, mode),
  rows: outcome.rows.length,
  columns: outcome.columns.length,
});

/** One database in memory on which golds and neighbors are run; its rows may be replaced. */
export class TrialDatabase {
  readonly sqlite: Sqlite.Database;
  readonly #runner: DenotationRunner;
  readonly #orders = new Map<number, RowOrders>();

  constructor(sqlite: Sqlite.Database) {
    this.sqlite = sqlite;
    this.#runner = new DenotationRunner(sqlite);
  }

  /** Rows of all tables. */
  get size(): number {
    const counts = tableNames(this.sqlite).map((name) => `(SELECT count(*) FROM main.${quoteIdentifier(name)})`);
    return this.sqlite
      .prepare(`SELECT ${['0', ...counts].join(' + ')}`)
      .pluck()
      .get() as number;
  }

  /** The gold's result; null where it has none within the limits, or fails. */
  resultOf({ sql, mode }: GoldCase): GoldResult | null {
    const outcome = this.#runner.run(sql);
    return outcome.kind === 'rows' ? resultOf(outcome, mode) : null;
  }

  /**
   * Whether a neighbor's result differs from the gold's. A failure is a difference, since it was seen to execute: a sum
   * overflows, say; so is a result of more rows or bytes, which is not read to its end. One that takes too long says nothing.
   */
  judge({ mode }: GoldCase, gold: GoldResult, neighbor: string): NeighborVerdict {
    const outcome = this.#runner.run(neighbor, gold.rows);
    if (outcome.kind === 'failed' || outcome.kind === 'too-large') return 'told';
    if (outcome.kind !== 'rows') return 'unknown';
    if (outcome.rows.length !== gold.rows || outcome.columns.length !== gold.columns) return 'told';
    return denotationHash(outcome, mode) === gold.hash ? 'same' : 'told';
  }

  /**
   * Whether the gold's result is the same whatever the order of the rows, as far as a random order and its reverse show,
   * two of each for `all`: where it isn't, an equal query may have another result.
   */
  isDeterminate({ sql, mode, isOrderSensitive }: GoldCase, { hash }: GoldResult, scrutiny: Scrutiny): boolean {
    const seeds = scrutiny === 'all' ? [FIRST_ORDER, SECOND_ORDER] : isOrderSensitive ? [FIRST_ORDER] : [];
    const isSame = (outcome: QueryOutcome): boolean =>
      outcome.kind === 'rows' && denotationHash(outcome, mode) === hash;
    return seeds.every((seed) => this.#ordersOf(seed).agree(sql, DENOTATION_LIMITS, isSame));
  }

  /** To be called when rows were replaced. */
  forget(): void {
    for (const orders of this.#orders.values()) orders.close();
    this.#orders.clear();
  }

  close(): void {
    this.forget();
    this.sqlite.close();
  }

  #ordersOf(seed: number): RowOrders {
    const known = this.#orders.get(seed);
    if (known !== undefined) return known;
    const orders = new RowOrders(this.sqlite, seed);
    this.#orders.set(seed, orders);
    return orders;
  }
}
