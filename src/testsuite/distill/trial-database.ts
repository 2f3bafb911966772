import type Sqlite from 'better-sqlite3';
import type { ColumnMatch } from '../../sql/execution/column-matching.js';
import type { QueryOutcome, QueryRows } from '../../sql/execution/query-outcome.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { hasLargeReals } from '../../sql/execution/result-mode.js';
import { countRows } from '../../sql/execution/table-pragmas.js';
import {
  DENOTATION_LIMITS,
  denotationHash,
  DenotationRunner,
  isEmptyResult,
  matchResults,
  type TooLong,
} from '../denotation/denotation-runner.js';
import type { PartialDenotation } from '../denotation/partial-denotation.js';
import type { GoldCase } from './gold-cases.js';
import { type OrderCheck, RowOrders } from './row-order.js';
import { readPartial } from './read-partial.js';

/** A gold query's result on one database. */
export interface GoldResult {
  readonly hash: string;
  readonly rows: number;
  readonly columns: number;
  /** As `isEmptyResult` has it. */
  readonly isEmpty: boolean;
  /** True if results with another hash may be equal to it: `matchResults`. */
  readonly hasLargeReals: boolean;
}

/** True if a neighbor is told from its gold; `unknown` where it takes too long. */
export type NeighborVerdict = 'told' | 'same' | 'unknown';

const VERDICTS = { equal: 'same', different: 'told', undecided: 'unknown' } as const satisfies Record<
  ColumnMatch,
  NeighborVerdict
>;

/** Where a gold's result is looked at in other orders of rows: those in doubt in one; all, those in doubt in many. */
export type Scrutiny = 'quick' | 'full';

/** Rows of a database that is looked at in other orders: without its indexes a query may take their square. */
const MOST_ARRANGED = 20_000;

const resultOf = (outcome: QueryRows, mode: ComparisonMode): GoldResult => ({
  hash: denotationHash(outcome, mode),
  rows: outcome.rows.length,
  columns: outcome.columns.length,
  isEmpty: isEmptyResult(outcome),
  hasLargeReals: hasLargeReals(outcome),
});

/** One database in memory on which gold queries and neighbors are run; its rows may be replaced. */
export class TrialDatabase {
  readonly sqlite: Sqlite.Database;
  readonly #runner: DenotationRunner;
  #orders: RowOrders | null = null;
  #size: number | null = null;

  constructor(sqlite: Sqlite.Database) {
    this.sqlite = sqlite;
    this.#runner = new DenotationRunner(sqlite);
  }

  /** Rows of all tables. */
  get size(): number {
    this.#size ??= countRows(this.sqlite);
    return this.#size;
  }

  /** The gold's result; null where it has none within the limits, or fails. */
  resultOf({ sql, mode }: Pick<OrderCheck, 'sql' | 'mode'>): GoldResult | null {
    const outcome = this.#runner.run(sql);
    return outcome.kind === 'rows' ? resultOf(outcome, mode) : null;
  }

  /**
   * Checks whether a neighbor's result differs from the gold's. A failure is a difference, since it was seen to
   * execute: a sum overflows, say; so is a result of more rows or bytes, which is not read to its end. One that takes
   * too long, to run or to compare, says nothing.
   */
  judge(gold: GoldCase, result: GoldResult, neighbor: string): NeighborVerdict {
    const outcome = this.#runner.run(neighbor, result.rows);
    if (outcome.kind === 'failed' || outcome.kind === 'too-large') return 'told';
    if (outcome.kind !== 'rows') return 'unknown';
    if (outcome.rows.length !== result.rows || outcome.columns.length !== result.columns) return 'told';
    return VERDICTS[this.#match(gold, result, outcome)];
  }

  /**
   * Checks whether the gold's result is the same however ties are settled and whatever the order of the rows, as far as
   * some orders and their reverses show: where it isn't, an equal query may have another one. In a large database no
   * order is.
   */
  isDeterminate(gold: OrderCheck, result: GoldResult, scrutiny: Scrutiny): boolean {
    return this.#alwaysHolds(gold, scrutiny, (rows) => this.#match(gold, result, rows) === 'equal');
  }

  /**
   * Returns the determinate part of the gold query's result if not all of it is; null if nothing is, or if the findings
   * do not hold of each result that the gold query has here.
   */
  partialOf(gold: GoldCase, scrutiny: Scrutiny): PartialDenotation | null {
    const { partial, sql, mode } = gold;
    if (partial === null || !partial.checks.every((check) => this.#isFixed(check, scrutiny))) return null;
    const denotation = readPartial(partial.plan, (text) => this.#runner.run(text));
    if (denotation === null) return null;
    const fits = (rows: QueryRows): boolean => denotation.fits(rows, { mode, tolerance: null }, mode === 'ordered');
    const own = this.#runner.run(sql);
    return own.kind === 'rows' && fits(own) && this.#alwaysHolds(gold, scrutiny, fits) ? denotation : null;
  }

  /** As `judge`, where only a part of the gold's result is determinate. */
  judgePartly({ mode }: GoldCase, partial: PartialDenotation, neighbor: string): NeighborVerdict {
    const outcome = this.#runner.run(neighbor, partial.rows);
    if (outcome.kind === 'failed' || outcome.kind === 'too-large') return 'told';
    if (outcome.kind !== 'rows') return 'unknown';
    return partial.fits(outcome, { mode, tolerance: null }, mode === 'ordered') ? 'same' : 'told';
  }

  #isFixed(check: OrderCheck, scrutiny: Scrutiny): boolean {
    const result = this.resultOf(check);
    return result !== null && this.isDeterminate(check, result, scrutiny);
  }

  /** Checks whether something holds of a query's results however ties are settled, and in other orders of rows. */
  #alwaysHolds(
    { sql, tieBreaks, isOrderSensitive }: OrderCheck,
    scrutiny: Scrutiny,
    holds: (rows: QueryRows) => boolean,
  ): boolean {
    const isSame = (outcome: QueryOutcome | TooLong): boolean => outcome.kind === 'rows' && holds(outcome);
    if (!tieBreaks.every((text) => isSame(this.#runner.run(text)))) return false;
    if (!isOrderSensitive && (scrutiny === 'quick' || this.size > MOST_ARRANGED)) return true;
    if (this.size > MOST_ARRANGED) return false;
    this.#orders ??= new RowOrders(this.sqlite);
    return this.#orders.agree(sql, DENOTATION_LIMITS, isOrderSensitive && scrutiny === 'full', isSame);
  }

  /** To be called when rows were replaced. */
  forget(): void {
    this.#orders?.close();
    this.#orders = null;
    this.#size = null;
  }

  close(): void {
    this.forget();
    this.#runner.close();
    this.sqlite.close();
  }

  /**
   * Checks whether another result equals the gold's; its rows are not kept, so where hashes don't tell it runs once
   * more.
   */
  #match({ sql, mode }: Pick<OrderCheck, 'sql' | 'mode'>, result: GoldResult, other: QueryRows): ColumnMatch {
    if (denotationHash(other, mode) === result.hash) return 'equal';
    if (!result.hasLargeReals && !hasLargeReals(other)) return 'different';
    const own = this.#runner.run(sql);
    return own.kind === 'rows' ? matchResults(own, other, mode) : 'different';
  }
}
