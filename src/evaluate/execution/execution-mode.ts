import type { QueryRows } from '../../sql/execution/query-outcome.js';
import { compareResults } from '../../sql/execution/result-comparison.js';
import { ordersResult } from '../../sql/execution/result-order.js';
import { SqlRewriteError } from '../../errors.js';
import { type ColumnMatch, matchColumns, matchOrderedColumns } from './column-matching.js';

/**
 * When two results are equal, whatever their columns are called. `bag`: the same rows, each as often; `set`: the same
 * rows; `ordered`: as `bag`, and in the same sequence where the gold's outermost query has an ORDER BY (which is how
 * Spider's and BIRD's successors ask); `bag-any-column-order` and `ordered-any-column-order` allow the columns in
 * another order, as the public test-suite evaluator does.
 */
export const EXECUTION_MODES = ['bag', 'set', 'ordered', 'bag-any-column-order', 'ordered-any-column-order'] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** Numbers count by value and to ten significant digits, 1 = 1.0 and 0.1 + 0.2 = 0.3; texts are never numbers. */
const IDENTITY = 'numeric';

/** Versions of the modes: a change of what counts as equal is another one. */
export const EXECUTION_VERSION = 1;

/** Whether the sequence of rows counts: the gold orders them itself. What can't be cut in tokens orders nothing. */
export function isOrderMeant(gold: string): boolean {
  try {
    return ordersResult(gold);
  } catch (error) {
    if (error instanceof SqlRewriteError) return false;
    throw error;
  }
}

/** Whether two results are equal in a mode; `isOrdered` is whether the gold orders its rows. */
export function sameResult(
  gold: QueryRows,
  predicted: QueryRows,
  mode: ExecutionMode,
  isOrdered: boolean,
): ColumnMatch {
  switch (mode) {
    case 'bag':
    case 'set':
      return compareResults(gold, predicted, mode, IDENTITY) === null ? 'equal' : 'different';
    case 'ordered':
      return compareResults(gold, predicted, isOrdered ? 'ordered' : 'bag', IDENTITY) === null ? 'equal' : 'different';
    case 'ordered-any-column-order':
      if (isOrdered) return matchOrderedColumns(gold, predicted, IDENTITY) ? 'equal' : 'different';
      return matchColumns(gold, predicted, IDENTITY);
    case 'bag-any-column-order':
      return matchColumns(gold, predicted, IDENTITY);
  }
}
