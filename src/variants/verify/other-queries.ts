import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import { compareResults } from '../../sql/execution/result-comparison.js';
import type { OriginalRun } from './verify-variant.js';

/** The results of gold queries whose questions ask something else; those that fail are among a verification's items. */
export interface OtherQueries {
  readonly run: number;
  readonly nonEmpty: number;
  /** Gold queries that do not give what their original's gives. */
  readonly differing: number;
}

/** The count of a gold that need not give what its original's gives; null of one that does not run, as it has to. */
export function countOtherQuery({ outcome, mode }: OriginalRun, result: QueryOutcome): OtherQueries | null {
  if (result.kind !== 'rows') return null;
  const isSame = outcome.kind === 'rows' && compareResults(outcome, result, mode, 'exact') === null;
  return { run: 1, nonEmpty: Number(result.rows.length > 0), differing: Number(!isSame) };
}

/** Counts together, as a field of a verification; none where no such gold ran. */
export function otherQueriesField(counts: readonly OtherQueries[]): { readonly otherQueries?: OtherQueries } {
  if (counts.length === 0) return {};
  const sumOf = (key: keyof OtherQueries): number => counts.reduce((sum, count) => sum + count[key], 0);
  return { otherQueries: { run: sumOf('run'), nonEmpty: sumOf('nonEmpty'), differing: sumOf('differing') } };
}

/** Of a mutant that asks something else, where it fails. */
export const OWN_GOLD_FAILS = 'its own gold does not run';
