import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { pick } from '../../seeded-rng.js';
import { keepsRule, ruledValue } from '../constraints/column-rule.js';
import { storedValue } from '../values/declared-types.js';
import { detectTimes } from '../values/time-values.js';
import { affinityOf } from '../../sql/affinity.js';
import type { Rng } from '../../stage.js';
import { closeToPattern, closeVariant, randomWord } from './column-source.js';
import type { FuzzColumn } from './fuzz-table.js';

/** A query's demand on one value of a row that it is to find. */
export type ValueConstraint =
  | { readonly kind: 'one-of'; readonly values: readonly SqlValue[] }
  | { readonly kind: 'not'; readonly value: SqlValue }
  | { readonly kind: 'above' | 'below'; readonly value: SqlValue; readonly strict: boolean }
  | { readonly kind: 'like'; readonly pattern: string }
  /** Above or below all that other rows hold. */
  | { readonly kind: 'most' | 'least' }
  /** A value that no other row holds, not even by chance. */
  | { readonly kind: 'alone' };

/** A column of a row to be made: the row's number in its witness, and the column's position in the schema's table. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The rows that make a query find something: of which tables, which cells are equal, and what they hold. */
export interface Witness {
  /** Position in the schema of each row's table. */
  readonly rows: readonly number[];
  readonly equal: readonly (readonly [Cell, Cell])[];
  /** Pairs of which the first is to be less than the second. */
  readonly less: readonly (readonly [Cell, Cell])[];
  readonly constraints: readonly (readonly [Cell, ValueConstraint])[];
  /** Cells by which the query groups: the same in all copies of the witness. */
  readonly shared: readonly Cell[];
  /** Cells of the first SELECT's result columns, as far as these are not computed. */
  readonly results: readonly Cell[];
}

/** Beyond what random numbers reach, for the most and the least. */
const EXTREME = 2n ** 33n;
const DAY = 86_400_000;
/** Values tried for each constant that is asked for. */
const VARIANTS = 3;

type Bound = Extract<ValueConstraint, { readonly kind: 'above' | 'below' }>;

function isNumber(value: SqlValue): boolean {
  return typeof value === 'bigint' || typeof value === 'number';
}

/** Checks whether two cells hold the same, numbers and texts alike: 1 is '1'. */
function sameCell(a: SqlValue, b: SqlValue): boolean {
  return a === b || (a !== null && b !== null && String(a) === String(b));
}

/** As SQLite compares stored values: numbers before texts, texts by their bytes. */
function compareCells(a: SqlValue, b: SqlValue): number {
  const [first, second] = [isNumber(a), isNumber(b)];
  if (first !== second) return first ? -1 : 1;
  const [x, y] = first ? [Number(a), Number(b)] : [String(a), String(b)];
  return x < y ? -1 : Number(x > y);
}

/** Checks whether LIKE matches, of any letter case. */
function likeMatches(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${source}$`, 'isu').test(text);
}

function meets(value: SqlValue, constraint: ValueConstraint, stored: (value: SqlValue) => SqlValue): boolean {
  switch (constraint.kind) {
    case 'one-of':
      return constraint.values.some((other) => value === other || sameCell(value, stored(other)));
    case 'not':
      return constraint.value === null ? value !== null : value !== null && !sameCell(value, stored(constraint.value));
    case 'above':
    case 'below': {
      if (value === null) return false;
      const order = compareCells(value, stored(constraint.value));
      return order === 0 ? !constraint.strict : order > 0 === (constraint.kind === 'above');
    }
    case 'like':
      return value !== null && likeMatches(String(value), constraint.pattern);
    default:
      return true;
  }
}

/** Values next to a bound, in the format of a time where it is one. */
function adjacent({ kind, value }: Bound, rng: Rng): readonly SqlValue[] {
  if (typeof value !== 'string') return [];
  const style = detectTimes([value]);
  const sign = kind === 'above' ? 1 : -1;
  if (style === null) return [`${value}a`, value.slice(0, -1)];
  const unit = style.format.isYear ? 366 * DAY : DAY;
  return [1, 2 + rng.int(30)].map((count) => style.format.render(style.low + sign * count * unit));
}

function proposals(constraint: ValueConstraint, rng: Rng): readonly SqlValue[] {
  const around = (value: SqlValue): SqlValue[] => [
    value,
    ...Array.from({ length: VARIANTS }, () => closeVariant([value], rng)),
  ];
  switch (constraint.kind) {
    case 'one-of':
      return constraint.values;
    case 'not':
      return around(constraint.value);
    case 'above':
    case 'below':
      return [...around(constraint.value), ...adjacent(constraint, rng)];
    case 'like':
      return Array.from({ length: VARIANTS }, () => closeToPattern(constraint.pattern, rng));
    default:
      return [];
  }
}

/** Values for the cells of witness rows; one for each database: values of their own count up. */
export class ConstraintValues {
  readonly #rng: Rng;
  /** The value of rows that are to be neither above nor below the others. */
  readonly #middle: bigint;
  #count: number;

  constructor(rng: Rng) {
    this.#rng = rng;
    this.#middle = BigInt(1 + rng.int(100));
    this.#count = 500 + rng.int(500);
  }

  /** A value that no other cell gets, as far as the column's type allows. */
  fresh(column: FuzzColumn): SqlValue {
    const value = this.#freshAny(column);
    return this.#keeps(value, column) ? value : this.#ruled(column, this.#rng.next(), value);
  }

  #freshAny(column: FuzzColumn): SqlValue {
    this.#count++;
    if (column.kind === 'number') return this.#stored(BigInt(this.#count), column);
    if (column.kind === 'time') return new Date(this.#count * DAY).toISOString().slice(0, 10);
    return this.#stored(`${randomWord(5, this.#rng)}${this.#count}`, column);
  }

  /** A value that meets as many of the constraints as one of those tried can; undefined where nothing is asked. */
  meeting(constraints: readonly ValueConstraint[], column: FuzzColumn): SqlValue | undefined {
    const kinds = new Set(constraints.map(({ kind }) => kind));
    // More than a subquery gives and not more than that: as much as all others.
    if (kinds.has('most') && kinds.has('least')) return this.#stored(this.#middleOf(column), column);
    if (kinds.has('most') || kinds.has('least')) return this.#extreme(column, kinds.has('most'));
    if (constraints.every(({ kind }) => kind === 'alone')) return kinds.has('alone') ? this.fresh(column) : undefined;
    const tried = constraints
      .flatMap((constraint) => proposals(constraint, this.#rng))
      .map((value) => this.#stored(value, column));
    const bounds = constraints.filter(
      (constraint): constraint is Bound => constraint.kind === 'above' || constraint.kind === 'below',
    );
    if (bounds.length > 1) {
      const ends = bounds.map(({ value }) => value);
      tried.push(...Array.from({ length: 6 }, () => this.#stored(closeVariant(ends, this.#rng), column)));
    }
    tried.push(this.fresh(column));
    const scored = tried.map((value) => ({ value, score: this.#score(value, constraints, column) }));
    const best = Math.max(...scored.map(({ score }) => score));
    return pick(
      scored.filter(({ score }) => score === best),
      this.#rng,
    ).value;
  }

  /** A text equals an average only as that is written: `37.0`. */
  #middleOf({ declaredType }: FuzzColumn): SqlValue {
    return affinityOf(declaredType) === 'TEXT' ? `${this.#middle}.0` : this.#middle;
  }

  #score(value: SqlValue, constraints: readonly ValueConstraint[], column: FuzzColumn): number {
    if ((value === null && !column.isNullable) || !this.#keeps(value, column)) return -1;
    return constraints.filter((constraint) => meets(value, constraint, (other) => this.#stored(other, column))).length;
  }

  #keeps(value: SqlValue, { rule }: FuzzColumn): boolean {
    return rule === null || keepsRule(rule, value);
  }

  /** A value of the rule's own at a place in its range, else the one given. */
  #ruled(column: FuzzColumn, offset: number, other: SqlValue): SqlValue {
    const value = column.rule === null ? undefined : ruledValue(column.rule, offset, 1, this.#rng);
    return value === undefined ? other : this.#stored(value, column);
  }

  #extreme(column: FuzzColumn, most: boolean): SqlValue {
    const value = this.#extremeAny(column, most);
    return this.#keeps(value, column) ? value : this.#ruled(column, most ? 1 : 0, value);
  }

  #extremeAny(column: FuzzColumn, most: boolean): SqlValue {
    this.#count++;
    if (column.kind !== 'number') return most ? `~~${this.#count}` : `!${this.#count}`;
    return this.#stored(most ? EXTREME + BigInt(this.#count) : -EXTREME - BigInt(this.#count), column);
  }

  #stored(value: SqlValue, { declaredType, isStrict }: FuzzColumn): SqlValue {
    return storedValue(value, declaredType, isStrict);
  }
}
