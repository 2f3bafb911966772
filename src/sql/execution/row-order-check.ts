import { openOrders } from './open-orders.js';
import type { QueryRows } from './query-outcome.js';
import type { QueryTask } from './query-protocol.js';
import type { QueryRunner } from './query-runner.js';
import { compareResults, type ComparisonMode } from './result-comparison.js';
import type { ValueIdentity } from './value-key.js';

/**
 * True if the SQL alone determines a result: `determined`, or `row-order` where it also depends on the order in which
 * rows are stored or found; `unknown` where the query does not end or fails on rows in another order.
 */
export type Determinacy = 'determined' | 'row-order' | 'unknown';

/**
 * Runs a query again over its tables' rows in two orders, and in forms that decide its ties, and compares with its
 * result in the mode that counts. What differs was decided by row order: a LIMIT among ties, group_concat, a bare
 * column of a group; random() shows so, too. `determined` is what these can show, no proof.
 * @throws what `QueryRunner.run` throws
 */
export async function checkRowOrder(
  runner: QueryRunner,
  task: QueryTask,
  result: QueryRows,
  how: { readonly mode: ComparisonMode; readonly identity: ValueIdentity },
  signal: AbortSignal,
): Promise<Determinacy> {
  let determinacy: Determinacy = 'determined';
  const differs = (other: QueryRows): boolean => compareResults(result, other, how.mode, how.identity) !== null;
  for (const rowOrder of ['reversed', 'copied'] as const) {
    const other = await runner.run({ ...task, rowOrder }, signal);
    if (other.kind !== 'rows') determinacy = 'unknown';
    else if (differs(other)) return 'row-order';
  }
  // A plan may leave ties alike in any order of rows; the plan of another schema need not.
  for (const sql of openOrders(task.sql, result.columns.length)) {
    const other = await runner.run({ ...task, sql }, signal);
    if (other.kind === 'rows' && differs(other)) return 'row-order';
  }
  return determinacy;
}
