import { formatCount } from '../../counts.js';
import type { QueryOutcome, QueryRows } from '../../sql/execution/query-outcome.js';
import type { QueryTask } from '../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import { compareResults, type ComparisonMode, type ResultDifference } from '../../sql/execution/result-comparison.js';
import { checkRowOrder } from '../../sql/execution/row-order-check.js';
import { ordersResult } from '../../sql/execution/result-order.js';
import type { Verdict } from './verdict.js';

/** A gold query on its original database, run once for all its variants. */
export interface OriginalRun {
  readonly task: QueryTask;
  readonly outcome: QueryOutcome;
  /** `ordered` where the query's outermost ORDER BY decides the order of its rows. */
  readonly mode: ComparisonMode;
}

export interface VariantVerdict {
  readonly verdict: Verdict;
  /** Rows that the original returns; null where it returns none of its own. */
  readonly rows: number | null;
  /** The difference or the failure; null if there is none. */
  readonly detail: string | null;
  /** True if the variant returns more columns than the original. */
  readonly widened: boolean;
}

/** Returns a gold query's result on its original, and how results on variants are compared with it. */
export function originalRun(task: QueryTask, outcome: QueryOutcome): OriginalRun {
  return { task, outcome, mode: ordersResult(task.sql) ? 'ordered' : 'bag' };
}

/** An outcome that is no rows, in words. */
function describeOutcome(outcome: Exclude<QueryOutcome, QueryRows>): string {
  switch (outcome.kind) {
    case 'failed':
      return outcome.message;
    case 'timed-out':
      return 'it takes too long';
    case 'too-large':
      return `its result is beyond the limit of ${outcome.limit}`;
    default:
      return `it is not run: ${outcome.reason}`;
  }
}

function describeDifference(difference: ResultDifference): string {
  switch (difference.kind) {
    case 'columns':
      return `${difference.left} columns on the original, ${difference.right} on the variant`;
    case 'rows':
      return `${formatCount(difference.onlyLeft)} rows only on the original, ${formatCount(difference.onlyRight)} only on the variant`;
    default:
      return `the same rows in another order from row ${difference.at + 1} on`;
  }
}

/** The gold's own fault is no fault of the perturbation; a database or process that fails is. */
function verdictOfOriginal(outcome: Exclude<QueryOutcome, QueryRows>): Verdict {
  if (outcome.kind === 'timed-out' || outcome.kind === 'too-large') return 'timed-out';
  return outcome.kind === 'failed' && outcome.at !== 'query' ? 'failed' : 'bad-gold';
}

/**
 * Compares a variant's result with the original's, value by value with their storage classes (1 is not 1.0), where the
 * variant's database holds values in another form after `restored` gave them back theirs.
 * @throws what `QueryRunner.run` throws
 */
export async function verifyVariant(
  runner: QueryRunner,
  original: OriginalRun,
  variant: QueryTask,
  signal: AbortSignal,
  restored: (rows: QueryRows) => QueryRows = (rows) => rows,
): Promise<VariantVerdict> {
  const { outcome, mode, task } = original;
  if (outcome.kind !== 'rows') {
    const verdict = verdictOfOriginal(outcome);
    return { verdict, rows: null, detail: describeOutcome(outcome), widened: false };
  }
  const rows = outcome.rows.length;
  const result = await runner.run(variant, signal);
  if (result.kind !== 'rows') return { verdict: 'failed', rows, detail: describeOutcome(result), widened: false };
  const difference = compareResults(outcome, restored(result), mode, 'exact');
  if (difference === null) return { verdict: 'equal', rows, detail: null, widened: false };
  const widened = difference.kind === 'columns' && difference.right > difference.left;
  // A result that depends on row order excuses one that does, too; nothing else.
  const how = { mode, identity: 'exact' as const };
  const isOpen = async (one: QueryTask, rows: QueryRows): Promise<boolean> =>
    (await checkRowOrder(runner, one, rows, how, signal)) === 'row-order';
  const isTie = difference.kind !== 'columns' && (await isOpen(task, outcome)) && (await isOpen(variant, result));
  return { verdict: isTie ? 'tie' : 'different', rows, detail: describeDifference(difference), widened };
}
