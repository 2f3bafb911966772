import { type ColumnMatch, matchColumns, matchOrderedColumns } from './column-matching.js';
import type { QueryRows, ResultValue } from './query-outcome.js';
import { type ComparisonMode, compareResults } from './result-comparison.js';
import type { ResultMode } from './result-modes.js';
import { type Closeness, isClose, isNumberFrom, matchTolerantly } from './tolerant-matching.js';
import { DIGITS, valueKey } from './value-key.js';

export { RESULT_MODES } from './result-modes.js';

/** Numbers count by value and to ten significant digits, 1 = 1.0 and 0.1 + 0.2 = 0.3; texts are never numbers. */
const IDENTITY = 'numeric';

/** How two results are compared. */
export interface ResultEquality {
  readonly mode: ResultMode;
  /** `matchTolerantly`: how far apart two numbers may be of which one is a real; null: the same to ten digits. */
  readonly tolerance: number | null;
}

/** From here on a key takes every real for the nearest whole number and compares that to the last digit, so to too many. */
const TEN_DIGITS: Closeness = { tolerance: 10 ** -DIGITS, from: 10 ** DIGITS };

const hasReals = ({ rows }: QueryRows, from: number): boolean =>
  rows.some((row) => row.some((value) => typeof value === 'number' && isNumberFrom(value, from)));

/** The ways in which numbers may differ, one after the other. */
const closenesses = (tolerance: number | null): readonly Closeness[] =>
  tolerance === null ? [TEN_DIGITS] : [TEN_DIGITS, { tolerance, from: 0 }];

/** Whether a value equals no others than those that share its key. */
export function hasOneKey(value: ResultValue, tolerance: number | null): boolean {
  return !closenesses(tolerance).some(({ from }) => isNumberFrom(value, from));
}

/** Whether two values are equal where `sameResult` compares results. */
export function sameValue(left: ResultValue, right: ResultValue, tolerance: number | null): boolean {
  return (
    valueKey(left, IDENTITY) === valueKey(right, IDENTITY) ||
    closenesses(tolerance).some((closeness) => isClose(left, right, closeness))
  );
}

/** Whether a result holds reals that may be equal to others though their keys differ: `sameResult` compares them. */
export const hasLargeReals = (result: QueryRows): boolean => hasReals(result, TEN_DIGITS.from);

/**
 * Whether two results are equal; `isOrdered` is whether the reference orders its rows. A tolerance only adds to what is
 * equal without it.
 */
export function sameResult(
  reference: QueryRows,
  other: QueryRows,
  { mode, tolerance }: ResultEquality,
  isOrdered: boolean,
): ColumnMatch {
  if (reference.columns.length !== other.columns.length) return 'different';
  if (mode !== 'set' && reference.rows.length !== other.rows.length) return 'different';
  const isInOrder = isOrdered && mode.startsWith('ordered');
  const isAnyColumn = mode.endsWith('-any-column-order');
  const rows = isInOrder ? 'ordered' : mode === 'set' ? 'set' : 'bag';
  let match = matchExactly(reference, other, rows, isAnyColumn);
  for (const closeness of closenesses(tolerance)) {
    const mayDiffer = [reference, other].some((result) => hasReals(result, closeness.from));
    if (match !== 'equal' && mayDiffer) match = matchTolerantly(reference, other, { rows, isAnyColumn, ...closeness });
  }
  return match;
}

function matchExactly(reference: QueryRows, other: QueryRows, rows: ComparisonMode, isAnyColumn: boolean): ColumnMatch {
  if (!isAnyColumn) return compareResults(reference, other, rows, IDENTITY) === null ? 'equal' : 'different';
  if (rows === 'ordered') return matchOrderedColumns(reference, other, IDENTITY) ? 'equal' : 'different';
  return matchColumns(reference, other, IDENTITY);
}
