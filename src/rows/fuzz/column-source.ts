import { pick } from '../../seeded-rng.js';
import { storedValue } from '../values/declared-types.js';
import { timeFormat } from '../values/time-values.js';
import { elementAt } from '../../present.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';
import { closeToPattern, closeVariant, randomWord } from './close-variants.js';
import type { FuzzColumn } from './fuzz-table.js';

/** Values of a column that has few, at most; then rows share them. */
const MOST_SHARED = 6;
/** Sums of wider numbers overflow, which distinguishes no queries. */
const WIDE = 2 ** 31;
const DAYS: readonly [number, number] = [Date.UTC(1960, 0, 1), Date.UTC(2024, 11, 31)];

/** Shares of a column's values, drawn again for each database. */
interface Shares {
  readonly nulls: number;
  readonly constants: number;
  readonly shared: number;
  readonly originals: number;
}

function drawShares(column: FuzzColumn, rng: Rng): Shares {
  const nulls = column.isNullable && rng.int(3) === 0 ? rng.next() * 0.4 : 0;
  const isDense = rng.int(3) === 0;
  return {
    nulls,
    constants: rng.next() * 0.9,
    shared: column.isUnique ? 0 : isDense ? 1 : rng.next() * 0.6,
    originals: rng.next() * 0.6,
  };
}

/** Where one database draws the values of one column that refers to nothing. */
export class ColumnSource {
  readonly #column: FuzzColumn;
  readonly #rng: Rng;
  readonly #shares: Shares;
  readonly #shared: readonly SqlValue[];
  /** Where numbers end that are neither constants nor wide. */
  readonly #reach: number;

  /** `rows` is how many values the column needs: keys are drawn from few more numbers. */
  constructor(column: FuzzColumn, rows: number, rng: Rng) {
    this.#column = column;
    this.#rng = rng;
    this.#shares = drawShares(column, rng);
    this.#reach = column.isUnique ? 2 * rows + 5 : pick([3, 20, 200, 100_000, WIDE], rng);
    const shared = 1 + rng.int(MOST_SHARED);
    this.#shared = this.#shares.shared === 0 ? [] : Array.from({ length: shared }, () => this.#drawOne());
  }

  draw(): SqlValue {
    if (this.#shares.nulls > 0 && this.#rng.next() < this.#shares.nulls) return null;
    const isShared = this.#shares.shared > 0 && this.#rng.next() < this.#shares.shared;
    return isShared ? pick(this.#shared, this.#rng) : this.#drawOne();
  }

  /** A value as the column stores it. */
  #drawOne(): SqlValue {
    const { declaredType, isStrict } = this.#column;
    const value = storedValue(this.#propose(), declaredType, isStrict);
    if (!this.#column.isInteger || typeof value === 'bigint') return value;
    return BigInt(1 + this.#rng.int(this.#reach));
  }

  #propose(): SqlValue {
    const { constants, patterns, originals } = this.#column;
    if (constants.length + patterns.length > 0 && this.#rng.next() < this.#shares.constants) return this.#constant();
    if (originals.length > 0 && this.#rng.next() < this.#shares.originals) return pick(originals, this.#rng);
    return this.#random();
  }

  #constant(): SqlValue {
    const { constants, patterns } = this.#column;
    const at = this.#rng.int(constants.length + patterns.length);
    if (at >= constants.length) return closeToPattern(elementAt(patterns, at - constants.length), this.#rng);
    return this.#rng.int(2) === 0 ? elementAt(constants, at) : closeVariant(constants, this.#rng);
  }

  #random(): SqlValue {
    const { kind } = this.#column;
    if (kind === 'time' && this.#rng.int(4) > 0) {
      return timeFormat('YYYY-MM-DD').render(DAYS[0] + this.#rng.next() * (DAYS[1] - DAYS[0]));
    }
    if (kind !== 'number') return randomWord(8, this.#rng);
    const whole = this.#rng.int(this.#reach) + (this.#rng.int(8) === 0 ? -this.#reach : 1);
    return this.#column.isReal && this.#rng.int(2) === 0
      ? whole + Math.round(this.#rng.next() * 100) / 100
      : BigInt(whole);
  }
}
