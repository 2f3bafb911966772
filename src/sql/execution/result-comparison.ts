import { tally } from '../../counts.js';
import type { QueryRows, SqlRow } from './query-outcome.js';
import { rowKey, type ValueIdentity } from './value-key.js';

/** The compared aspects: rows and how often each comes (`bag`), rows alone (`set`), rows in sequence (`ordered`). */
export type ComparisonMode = 'bag' | 'set' | 'ordered';

/** How two results differ. */
export type ResultDifference =
  | { readonly kind: 'columns'; readonly left: number; readonly right: number }
  /** Rows that one side lacks, as often as it lacks them, and the first few of them. */
  | {
      readonly kind: 'rows';
      readonly onlyLeft: number;
      readonly onlyRight: number;
      readonly leftRows: readonly SqlRow[];
      readonly rightRows: readonly SqlRow[];
    }
  /** The same rows in another order; `at` is the first position that differs, from 0. */
  | { readonly kind: 'order'; readonly at: number };

/** Rows of each side that are shown. */
const MAX_SHOWN_ROWS = 3;

/** Returns those of `rows` that the other side's keys do not have as often. */
function missingFrom(
  others: readonly string[],
  rows: readonly SqlRow[],
  keys: readonly string[],
  mode: ComparisonMode,
): { readonly count: number; readonly rows: readonly SqlRow[] } {
  const left = tally(mode === 'set' ? new Set(others) : others);
  const shown: SqlRow[] = [];
  let count = 0;
  for (const [i, key] of keys.entries()) {
    const have = left.get(key) ?? 0;
    if (have > 0) {
      if (mode !== 'set') left.set(key, have - 1);
      continue;
    }
    if (have < 0) continue;
    if (mode === 'set') left.set(key, -1); // counted once
    count += 1;
    const row = rows[i];
    if (row !== undefined && shown.length < MAX_SHOWN_ROWS) shown.push(row);
  }
  return { count, rows: shown };
}

/**
 * How two results differ, or null where they are equal; names of columns do not count, their number and sequence do.
 * Takes time and memory in proportion to the number of values.
 */
export function compareResults(
  left: QueryRows,
  right: QueryRows,
  mode: ComparisonMode,
  identity: ValueIdentity,
): ResultDifference | null {
  if (left.columns.length !== right.columns.length) {
    return { kind: 'columns', left: left.columns.length, right: right.columns.length };
  }
  const leftKeys = left.rows.map((row) => rowKey(row, identity));
  const rightKeys = right.rows.map((row) => rowKey(row, identity));
  const at = leftKeys.findIndex((key, i) => key !== rightKeys[i]);
  if (at === -1 && leftKeys.length === rightKeys.length) return null;
  const onlyLeft = missingFrom(rightKeys, left.rows, leftKeys, mode);
  const onlyRight = missingFrom(leftKeys, right.rows, rightKeys, mode);
  if (onlyLeft.count > 0 || onlyRight.count > 0) {
    return {
      kind: 'rows',
      onlyLeft: onlyLeft.count,
      onlyRight: onlyRight.count,
      leftRows: onlyLeft.rows,
      rightRows: onlyRight.rows,
    };
  }
  return mode === 'ordered' ? { kind: 'order', at } : null;
}
