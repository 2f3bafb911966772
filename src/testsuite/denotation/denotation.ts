import { hash } from 'node:crypto';
import type { ColumnMatch } from '../../sql/execution/column-matching.js';
import type { QueryOutcome, QueryRows } from '../../sql/execution/query-outcome.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { sameResult } from '../../sql/execution/result-mode.js';
import { rowKey } from '../../sql/execution/value-key.js';

/** A query's meaning on one database: a hash that equal results share but for `hasLargeReals`, or why there is none. */
export type Denotation =
  | { readonly kind: 'rows'; readonly hash: string; readonly rows: number }
  | Exclude<QueryOutcome, QueryRows>
  /** It would take more steps than it may: too many rows are looked at. */
  | { readonly kind: 'too-long' };

function rowTexts({ rows }: QueryRows, mode: ComparisonMode): readonly string[] {
  const texts = rows.map((row) => rowKey(row, 'numeric'));
  if (mode === 'ordered') return texts;
  return (mode === 'set' ? [...new Set(texts)] : texts).sort();
}

/**
 * A text that two results share exactly when `compareResults` finds no difference between them in the mode, with
 * numbers by value: columns by number and sequence, not by name. 128 bits of SHA-256.
 */
export function denotationHash(result: QueryRows, mode: ComparisonMode): string {
  const texts = rowTexts(result, mode);
  // A row's text tells where it ends only by its length.
  const content = `${result.columns.length};${texts.map((text) => `${text.length}:${text}`).join('')}`;
  return hash('sha256', content, 'base64').slice(0, 22);
}

/**
 * Checks whether two results are equal, as execution metrics compare them. Those that share a hash are; others may be,
 * too, where `hasLargeReals` holds: those count as equal when they are close, which is not transitive, so no hash can
 * tell it.
 */
export function matchResults(left: QueryRows, right: QueryRows, mode: ComparisonMode): ColumnMatch {
  return sameResult(left, right, { mode, tolerance: null }, mode === 'ordered');
}

/**
 * Checks whether a result has no row, or one of NULLs alone, as `max(x)` of no rows gives where `ORDER BY x DESC LIMIT
 * 1` gives none: on such data few readers would call the two different.
 */
export function isEmptyResult({ rows }: QueryRows): boolean {
  return rows.length <= 1 && rows.every((row) => row.every((value) => value === null));
}
