import type { ResultValue, SqlRow } from '../../sql/execution/query-outcome.js';
import { sameValue } from '../../sql/execution/result-mode.js';
import { valueKey } from '../../sql/execution/value-key.js';

/** The values that a cell of a result may have, by their keys; null where it may have any. */
export type CellPattern = ReadonlyMap<string, ResultValue> | null;

/** The known values of one row of a result, column by column. */
export type RowPattern = readonly CellPattern[];

/** The pattern of a cell that has one of these values. */
export function cellOf(values: Iterable<ResultValue>): ReadonlyMap<string, ResultValue> {
  return new Map(Array.from(values, (value) => [valueKey(value, 'numeric'), value]));
}

const isNumber = (value: ResultValue): boolean => typeof value === 'number' || typeof value === 'bigint';

/** Checks whether a cell may have a value; numbers differ by at most the tolerance, as `sameResult` takes it. */
export function allowsValue(cell: CellPattern, value: ResultValue, tolerance: number | null): boolean {
  if (cell === null || cell.has(valueKey(value, 'numeric'))) return true;
  if (!isNumber(value)) return false;
  for (const allowed of cell.values()) if (isNumber(allowed) && sameValue(value, allowed, tolerance)) return true;
  return false;
}

/** Checks whether a row fits a pattern. */
export function fitsPattern(row: SqlRow, pattern: RowPattern, tolerance: number | null): boolean {
  return pattern.every((cell, c) => allowsValue(cell, row[c] ?? null, tolerance));
}

/** A text that two patterns share when they allow the same rows. */
export function patternKey(pattern: RowPattern): string {
  const cells = pattern.map((cell) => (cell === null ? '*' : [...cell.keys()].sort().join('|')));
  return cells.map((text) => `${text.length}:${text}`).join();
}
