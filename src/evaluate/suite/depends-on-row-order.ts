import type Sqlite from 'better-sqlite3';
import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { orderCheckOf } from '../../testsuite/distill/order-check.js';
import { TrialDatabase } from '../../testsuite/distill/trial-database.js';

/**
 * Checks whether a query's result on a database depends on the order of rows, as far as some orders and their reverses
 * show; false where the query is no SQL that can be bound.
 */
export function dependsOnRowOrder(
  sqlite: Sqlite.Database,
  sql: string,
  database: Database,
  mode: ComparisonMode,
): boolean {
  const trial = new TrialDatabase(sqlite);
  try {
    const check = orderCheckOf(bindQuery(sql, database), mode, (text) => {
      return trial.resultOf({ sql: text, mode }) !== null;
    });
    const result = trial.resultOf(check);
    return result !== null && !trial.isDeterminate(check, result, 'quick');
  } catch (error) {
    if (error instanceof SqlRewriteError) return false;
    throw error;
  } finally {
    trial.forget();
  }
}
