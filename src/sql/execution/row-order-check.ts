import { SqlRewriteError } from '../../errors.js';
import { parseSelect } from '../parser.js';
import type { QueryRows } from './query-outcome.js';
import type { QueryTask } from './query-protocol.js';
import type { QueryRunner } from './query-runner.js';
import { compareResults, type ComparisonMode } from './result-comparison.js';
import type { ValueIdentity } from './value-key.js';

/**
 * Whether the SQL alone determines a result: `determined`, or `row-order` where it also depends on the order in which
 * rows are stored or found; `unknown` where the query does not end or fails on rows in another order.
 */
export type Determinacy = 'determined' | 'row-order' | 'unknown';

/**
 * A query whose outermost ORDER BY or LIMIT leaves rows to any order, with the result's columns deciding, up and down:
 * two results that it may give. None where nothing is ordered or cut, or the query can't be parsed.
 */
function withTiesDecided(sql: string, columns: number): readonly string[] {
  try {
    const { orderBy, limit } = parseSelect(sql);
    const last = orderBy.at(-1);
    const at = last?.span.end ?? limit?.span.start;
    if (at === undefined) return [];
    return ['ASC', 'DESC'].map((direction) => {
      const terms = Array.from({ length: columns }, (_, i) => `${i + 1} ${direction}`).join(', ');
      return `${sql.slice(0, at)}${last === undefined ? 'ORDER BY ' : ', '}${terms} ${sql.slice(at)}`;
    });
  } catch (error) {
    if (error instanceof SqlRewriteError) return [];
    throw error;
  }
}

/**
 * Runs a query again over its tables' rows in two orders, and with its ties decided in two ways, and compares with its
 * result in the mode that counts. What differs was decided by row order: a LIMIT among ties, group_concat, a bare column
 * of a group; random() shows so, too. `determined` is what these can show, no proof.
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
  // Plans that sort by the same keys may agree on ties in any order of rows; another plan's need not.
  const decided = withTiesDecided(task.sql, result.columns.length).map((sql) => ({ ...task, sql }));
  const orders = (['reversed', 'copied'] as const).map((rowOrder) => ({ ...task, rowOrder }));
  for (const other of [...orders, ...decided]) {
    const outcome = await runner.run(other, signal);
    if (outcome.kind !== 'rows') determinacy = 'unknown';
    else if (compareResults(result, outcome, how.mode, how.identity) !== null) return 'row-order';
  }
  return determinacy;
}
