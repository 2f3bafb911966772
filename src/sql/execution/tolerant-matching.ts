import { takeOne, tally } from '../../counts.js';
import { getOrMake } from '../../present.js';
import type { ColumnMatch } from './column-matching.js';
import type { QueryRows, ResultValue, SqlRow } from './query-outcome.js';
import { valueKey } from './value-key.js';

/** How far apart two numbers may be. */
export interface Closeness {
  /**
   * Two numbers are equal when they differ by at most this, or by this part of the greater one if that is above 1; two
   * integers when they are the same. From 0 to below 1.
   */
  readonly tolerance: number;
  /** Size, of the nearest whole number, from which numbers may differ; smaller ones have to share their key. */
  readonly from: number;
}

export interface TolerantEquality extends Closeness {
  readonly rows: 'bag' | 'set' | 'ordered';
  readonly isAnyColumn: boolean;
}

/** Rows read in the search for one pair; beyond them it is undecided. */
const MAX_STEPS = 5_000_000;

/** Thrown inside where the search grows too large. */
class TooManySteps extends Error {}

const isNumber = (value: ResultValue): value is bigint | number =>
  typeof value === 'number' || typeof value === 'bigint';

/** Checks whether a value is a number of a size. */
export function isNumberFrom(value: ResultValue, from: number): value is bigint | number {
  return isNumber(value) && Math.abs(Math.round(Number(value))) >= from;
}

/** Checks whether two values count as equal. */
export function isClose(left: ResultValue, right: ResultValue, { tolerance, from }: Closeness): boolean {
  if (!isNumberFrom(left, from) || !isNumberFrom(right, from)) {
    return valueKey(left, 'numeric') === valueKey(right, 'numeric');
  }
  if (typeof left === 'bigint' && typeof right === 'bigint') return left === right;
  const [a, b] = [Number(left), Number(right)];
  if (a === b || !Number.isFinite(a) || !Number.isFinite(b)) return a === b;
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}

/** Which columns hold a real on either side: in the others numbers are integers, which match if they are the same. */
function realColumns(left: readonly SqlRow[], right: readonly SqlRow[]): readonly boolean[] {
  const isReal = (left[0] ?? []).map(() => false);
  for (const rows of [left, right]) {
    for (const row of rows) row.forEach((value, i) => (isReal[i] ||= typeof value === 'number'));
  }
  return isReal;
}

/** Returns the common key of rows that match: all but the numbers that may differ, of columns with reals. */
function discreteKey(row: SqlRow, { isReal, closeness }: RowSearch): string {
  return row
    .map((value, i) => (isReal[i] && isNumberFrom(value, closeness.from) ? '#' : valueKey(value, 'numeric')))
    .join();
}

/** Rows of both sides with the same discrete key. */
interface RowGroup {
  readonly left: SqlRow[];
  readonly right: SqlRow[];
}

function groupRows(left: readonly SqlRow[], right: readonly SqlRow[], how: RowSearch): Iterable<RowGroup> {
  const groups = new Map<string, RowGroup>();
  const groupOf = (row: SqlRow): RowGroup => {
    const key = discreteKey(row, how);
    return getOrMake(groups, key, () => ({ left: [], right: [] }));
  };
  for (const row of left) groupOf(row).left.push(row);
  for (const row of right) groupOf(row).right.push(row);
  return groups.values();
}

/** How rows are searched. */
interface RowSearch {
  readonly isReal: readonly boolean[];
  readonly closeness: Closeness;
  readonly count: (rows?: number) => void;
}

/**
 * Rows that lie sorted by the first number that may differ, so that those near a value are found without reading all.
 */
class SortedRows {
  readonly #rows: readonly SqlRow[];
  readonly #firsts: readonly number[];
  readonly #column: number;
  readonly #closeness: Closeness;
  readonly #count: () => void;

  constructor(rows: readonly SqlRow[], { isReal, closeness, count }: RowSearch) {
    this.#column = rows[0]?.findIndex((value, i) => isReal[i] && isNumberFrom(value, closeness.from)) ?? -1;
    this.#rows = this.inOrder(rows);
    this.#firsts = this.#rows.map((row) => Number(row[this.#column] ?? 0));
    this.#closeness = closeness;
    this.#count = count;
  }

  /** Rows in the order in which these lie: the nearest free one then mostly is the right one. */
  inOrder(rows: readonly SqlRow[]): readonly SqlRow[] {
    if (this.#column === -1) return rows;
    const first = (row: SqlRow): number => Number(row[this.#column] ?? 0);
    return [...rows].sort((a, b) => first(a) - first(b));
  }

  /** Checks whether as many rows are close to these one by one when both are sorted. */
  isCloseInOrder(rows: readonly SqlRow[]): boolean {
    return this.inOrder(rows).every((row, r) => this.#isCloseAt(r, row));
  }

  #isCloseAt(at: number, row: SqlRow): boolean {
    return this.#rows[at]?.every((other, i) => isClose(row[i] ?? null, other, this.#closeness)) ?? false;
  }

  /** Positions of the rows that are close to one. */
  *near(row: SqlRow): Generator<number> {
    const value = this.#column === -1 ? 0 : Number(row[this.#column] ?? 0);
    const isBefore = (other: number): boolean => other < value && !isClose(other, value, this.#closeness);
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(this.#firsts[middle] ?? 0)) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < this.#rows.length; at++) {
      if (!isClose(this.#firsts[at] ?? 0, value, this.#closeness)) return;
      this.#count();
      if (this.#isCloseAt(at, row)) yield at;
    }
  }
}

/** Rows that no row of the other side equals to the last bit. */
function withoutSame({ left, right }: RowGroup): RowGroup {
  const keyOf = (row: SqlRow): string => row.map((value) => valueKey(value, 'exact')).join();
  const counts = tally(right.map(keyOf));
  const rest = left.filter((row) => !takeOne(counts, keyOf(row)));
  return { left: rest, right: right.filter((row) => takeOne(counts, keyOf(row))) };
}

/**
 * Checks whether each row of the left has one of the right for itself: a perfect matching, by augmenting paths (Kuhn
 * 1955).
 */
function pairUpRows({ left, right }: RowGroup, how: RowSearch): boolean {
  if (left.length !== right.length) return false;
  const sorted = new SortedRows(right, how);
  if (sorted.isCloseInOrder(left)) return true;
  const taken = new Map<number, SqlRow>();
  const take = (row: SqlRow): boolean => {
    for (const at of sorted.near(row)) {
      if (taken.has(at)) continue;
      taken.set(at, row);
      return true;
    }
    return false;
  };
  const displace = (row: SqlRow, seen: Set<number>): boolean => {
    if (take(row)) return true;
    for (const at of sorted.near(row)) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (!displace(taken.get(at) ?? [], seen)) continue;
      taken.set(at, row);
      return true;
    }
    return false;
  };
  return sorted.inOrder(left).every((row) => displace(row, new Set()));
}

function matchRows(
  left: readonly SqlRow[],
  right: readonly SqlRow[],
  { rows, ...closeness }: TolerantEquality,
  count: (rows?: number) => void,
): boolean {
  count(1 + left.length);
  if (rows === 'ordered') {
    return left.every((row, r) => row.every((value, i) => isClose(value, right[r]?.[i] ?? null, closeness)));
  }
  const isReal = realColumns(left, right);
  const how = { isReal, closeness, count };
  for (const group of groupRows(left, right, how)) {
    if (rows === 'set') {
      const [ours, theirs] = [group.left, group.right].map((side) => new SortedRows(side, how));
      const isFound = (row: SqlRow, among: SortedRows | undefined): boolean => among?.near(row).next().done === false;
      if (!group.left.every((row) => isFound(row, theirs)) || !group.right.every((row) => isFound(row, ours)))
        return false;
    } else if (!pairUpRows(withoutSame(group), how) && !pairUpRows(group, how)) {
      // Equal rows may have to go to others: closeness is not transitive.
      return false;
    }
  }
  return true;
}

const columnOf = ({ rows }: QueryRows, column: number): SqlRow[] => rows.map((row) => [row[column] ?? null]);

/**
 * Tries columns of the right for each of the left that hold the same by themselves, those with the fewest first, so
 * long as the rows of the columns so far agree.
 */
function matchAnyColumns(
  left: QueryRows,
  right: QueryRows,
  how: TolerantEquality,
  count: (rows?: number) => void,
): boolean {
  const texts = right.columns.map((_, c) => right.rows.map((row) => valueKey(row[c] ?? null, 'exact')).join());
  const candidates = left.columns.map((_, c) => {
    const own = columnOf(left, c);
    return right.columns.flatMap((__, d) => (matchRows(own, columnOf(right, d), how, count) ? [d] : []));
  });
  const places = [...candidates.entries()].sort(([, a], [, b]) => a.length - b.length).map(([place]) => place);
  const taken: number[] = [];
  const agrees = (): boolean => {
    const pick = (row: SqlRow, columns: readonly number[]): SqlRow => columns.map((c) => row[c] ?? null);
    const ours = left.rows.map((row) => pick(row, places.slice(0, taken.length)));
    const theirs = right.rows.map((row) => pick(row, taken));
    return matchRows(ours, theirs, how, count);
  };
  const search = (): boolean => {
    const place = places[taken.length];
    if (place === undefined) return true;
    const tried = new Set<string>(); // of columns that are the same only one is tried
    for (const candidate of candidates[place] ?? []) {
      const text = texts[candidate] ?? '';
      if (taken.includes(candidate) || tried.has(text)) continue;
      tried.add(text);
      taken.push(candidate);
      if (agrees() && search()) return true;
      taken.pop();
    }
    return false;
  };
  return search();
}

/**
 * Checks whether two results of as many columns hold the same rows if numbers may differ a little. Closeness is not
 * transitive, so rows are paired up by a search; it is `undecided` where that grows too large.
 */
export function matchTolerantly(left: QueryRows, right: QueryRows, how: TolerantEquality): ColumnMatch {
  let steps = 0;
  const count = (rows = 1): void => {
    if ((steps += rows) > MAX_STEPS) throw new TooManySteps();
  };
  try {
    if (how.rows !== 'set' && left.rows.length !== right.rows.length) return 'different';
    if (matchRows(left.rows, right.rows, how, count)) return 'equal'; // mostly columns are in the same order
    return how.isAnyColumn && matchAnyColumns(left, right, how, count) ? 'equal' : 'different';
  } catch (error) {
    if (error instanceof TooManySteps || error instanceof RangeError) return 'undecided';
    throw error;
  }
}
