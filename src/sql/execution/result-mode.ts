import { type ColumnMatch, matchColumns, matchOrderedColumns } from './column-matching.js';
import type { QueryRows } from './query-outcome.js';
import { compareResults } from './result-comparison.js';
import type { ResultMode } from './result-modes.js';
import { matchTolerantly } from './tolerant-matching.js';

export { RESULT_MODES, type ResultMode } from './result-modes.js';

/** Numbers count by value and to ten significant digits, 1 = 1.0 and 0.1 + 0.2 = 0.3; texts are never numbers. */
const IDENTITY = 'numeric';

/** How two results are compared. */
export interface ResultEquality {
  readonly mode: ResultMode;
  /** `matchTolerantly`: how far apart two numbers may be of which one is a real; null: the same to ten digits. */
  readonly tolerance: number | null;
}

/** Whether two results are equal; `isOrdered` is whether the reference orders its rows. */
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
  if (tolerance !== null) return matchTolerantly(reference, other, { rows, isAnyColumn, tolerance });
  if (!isAnyColumn) return compareResults(reference, other, rows, IDENTITY) === null ? 'equal' : 'different';
  if (isInOrder) return matchOrderedColumns(reference, other, IDENTITY) ? 'equal' : 'different';
  return matchColumns(reference, other, IDENTITY);
}
