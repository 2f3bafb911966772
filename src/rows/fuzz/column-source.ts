import { pick } from '../../seeded-rng.js';
import { keepsRule, ruledValue } from '../constraints/column-rule.js';
import { storedValue } from '../values/declared-types.js';
import { timeFormat } from '../values/time-values.js';
import { itemAt } from '../../present.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';
import type { FuzzColumn } from './fuzz-table.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGIT = /\d/u;

/** A few random letters. */
export function randomWord(most: number, rng: Rng): string {
  let word = '';
  for (let left = 1 + rng.int(most); left > 0; left--) word += LETTERS.charAt(rng.int(LETTERS.length));
  return word;
}

function otherCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

/** One character replaced: a digit by a digit, so that a date stays close to one. */
function withOtherCharacter(text: string, rng: Rng): string {
  const characters = [...text];
  if (characters.length === 0) return randomWord(2, rng);
  const at = rng.int(characters.length);
  characters[at] = DIGIT.test(characters[at] ?? '') ? String(rng.int(10)) : randomWord(1, rng);
  return characters.join('');
}

/** A text close to a constant, as the paper's "aAlicegg" to "Alice": Test-suite accuracy §4.1. */
function closeText(text: string, rng: Rng): string {
  switch (rng.int(6)) {
    case 0:
      return `${randomWord(2, rng)}${text}`;
    case 1:
      return `${text}${randomWord(2, rng)}`;
    case 2:
      return `${randomWord(2, rng)}${text}${randomWord(2, rng)}`;
    case 3:
      return [...text].slice(rng.int(2), 1 + rng.int(text.length + 1)).join('');
    case 4:
      return otherCase(text);
    default:
      return withOtherCharacter(text, rng);
  }
}

/** A number close to a constant or to that of another, 34 and 35: mostly one more or less. */
function closeNumber(value: bigint | number, others: readonly SqlValue[], rng: Rng): SqlValue {
  if (rng.int(4) === 0) {
    const other = Number(pick(others, rng));
    if (Number.isFinite(other)) return between(Number(value), other, rng);
  }
  if (typeof value === 'bigint') {
    return BigInt.asIntN(64, value + (rng.int(3) > 0 ? BigInt(1 - 2 * rng.int(2)) : BigInt(rng.int(21) - 10)));
  }
  return pick([value - 1, value + 1, value - 0.1, value + 0.1, value * (0.5 + rng.next())], rng);
}

/** A number between two: what BETWEEN asks for. */
function between(a: number, b: number, rng: Rng): SqlValue {
  const drawn = Math.min(a, b) + rng.next() * Math.abs(b - a);
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? BigInt(Math.round(drawn)) : drawn;
}

/** A value close to one of a column's constants. */
export function closeVariant(values: readonly SqlValue[], rng: Rng): SqlValue {
  const value = pick(values, rng);
  if (typeof value === 'bigint' || typeof value === 'number') return closeNumber(value, values, rng);
  if (typeof value !== 'string') return value;
  const number = /^-?\d{1,15}$/u.test(value) ? BigInt(value) : null;
  return number !== null && rng.int(2) === 0 ? String(closeNumber(number, values, rng)) : closeText(value, rng);
}

/** A text that a pattern of LIKE matches, or nearly. */
export function closeToPattern(pattern: string, rng: Rng): string {
  const matching = pattern
    .replace(/[%*]/gu, () => (rng.int(2) === 0 ? '' : randomWord(3, rng)))
    .replace(/[_?]/gu, () => randomWord(1, rng));
  return rng.int(4) === 0 ? closeText(matching, rng) : matching;
}

/** Values of a column that has few, at most; then rows share them. */
const MOST_SHARED = 6;
/** Sums of wider numbers overflow, which distinguishes no queries. */
const WIDE = 2 ** 31;
/** Values drawn for a column with a rule before one is made by it. */
const TRIES = 4;
/** How many days times next to a constant are from it. */
const CLOSE_DAYS = [1, 1, 1, 2, 7, 31, 366];
const DAY = 86_400_000;
/** A place in a column's range that many columns take. */
const MIDDLE = 0.5;
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
  /** Where numbers of a rule's range lie in it, as a share of it. */
  readonly #offset: number;

  /** `rows` is how many values the column needs: keys are drawn from few more numbers. */
  constructor(column: FuzzColumn, rows: number, rng: Rng) {
    this.#column = column;
    this.#rng = rng;
    this.#shares = drawShares(column, rng);
    this.#reach = column.isUnique ? 2 * rows + 5 : pick([3, 20, 200, 100_000, WIDE], rng);
    // Columns of like ranges that take a few neighboring values should share some: days on which two things happened.
    this.#offset = rng.int(2) === 0 ? MIDDLE : rng.next();
    const shared = 1 + rng.int(MOST_SHARED);
    this.#shared = this.#shares.shared === 0 ? [] : Array.from({ length: shared }, () => this.#drawOne());
  }

  draw(): SqlValue {
    if (this.#shares.nulls > 0 && this.#rng.next() < this.#shares.nulls) return null;
    const isShared = this.#shares.shared > 0 && this.#rng.next() < this.#shares.shared;
    return isShared ? pick(this.#shared, this.#rng) : this.#drawOne();
  }

  /** A value as the column stores it, that keeps to its rule. */
  #drawOne(): SqlValue {
    const { rule } = this.#column;
    if (rule === null) return this.#drawAny();
    for (let tries = 0; tries < TRIES; tries++) {
      const value = this.#drawAny();
      if (keepsRule(rule, value)) return value;
    }
    return this.#stored(ruledValue(rule, this.#offset, this.#reach, this.#rng) ?? this.#known(rule.known));
  }

  /** A text of the original that keeps to the rule, or one that nobody wrote. */
  #known(known: ReadonlySet<string>): SqlValue {
    return known.size > 0 && this.#rng.int(2) === 0 ? pick([...known], this.#rng) : randomWord(8, this.#rng);
  }

  #stored(value: SqlValue): SqlValue {
    return storedValue(value, this.#column.declaredType, this.#column.isStrict);
  }

  #drawAny(): SqlValue {
    const value = this.#stored(this.#propose());
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
    if (at >= constants.length) return closeToPattern(itemAt(patterns, at - constants.length), this.#rng);
    const constant = itemAt(constants, at);
    if (this.#rng.int(2) === 0) return constant;
    return this.#closeTime(constant) ?? closeVariant(constants, this.#rng);
  }

  /** A time next to a constant, mostly by one day, where the column holds times in its format; undefined elsewhere. */
  #closeTime(constant: SqlValue): SqlValue | undefined {
    const format = this.#column.rule?.format ?? null;
    const time = format !== null && typeof constant === 'string' ? format.parse(constant) : null;
    if (format === null || time === null) return undefined;
    const days = pick(CLOSE_DAYS, this.#rng) * (1 - 2 * this.#rng.int(2));
    return format.render(time + days * DAY);
  }

  #random(): SqlValue {
    const { kind, rule } = this.#column;
    const ruled = rule === null ? undefined : ruledValue(rule, this.#offset, this.#reach, this.#rng);
    if (ruled !== undefined) return ruled;
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
