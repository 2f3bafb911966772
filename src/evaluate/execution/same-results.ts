import { executableSql } from '../../sql/executable-sql.js';
import type { QueryOutcome, QueryRows } from '../../sql/execution/query-outcome.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import { isOrderMeantIn, sameResult } from '../../sql/execution/result-mode.js';
import type { Predicted, Sameness } from '../exact/same-query.js';
import type { ExecutionMode } from './execution-tasks.js';

/** A prediction with the database that it was made for; a null source has no rows. */
export interface Executed extends Predicted {
  readonly source: QuerySource | null;
  /** Undoes what was done to values before results are compared. */
  readonly restore?: (rows: QueryRows) => QueryRows;
}

function isSame(sql: string | null, reference: QueryOutcome | null, outcome: QueryOutcome | null, mode: ExecutionMode) {
  if (reference?.kind !== 'rows') return outcome?.kind === 'rows' ? false : null;
  if (outcome?.kind !== 'rows') return false;
  if (reference === outcome) return true;
  const match = sameResult(reference, outcome, { mode, tolerance: null }, isOrderMeantIn(mode, sql ?? ''));
  return match === 'undecided' ? null : match === 'equal';
}

/**
 * Checks whether some predictions give, each on its own database, the result that another gives on its own, in its order
 * where that has an ORDER BY; null where there are no rows, or neither gives a result. Each distinct query is run once.
 */
export async function sameResults(
  before: Executed,
  afters: readonly Executed[],
  { runner, mode }: { readonly runner: QueryRunner; readonly mode: ExecutionMode },
  signal: AbortSignal,
): Promise<readonly Sameness[]> {
  const known = new Map<string, QueryOutcome | null>();
  const outcomeOf = async ({ sql, source, schema }: Executed): Promise<QueryOutcome | null> => {
    if (sql === null || source === null) return null;
    const key = JSON.stringify([source, sql]);
    const outcome = known.get(key) ?? (await runner.run({ ...source, sql: executableSql(sql, schema) }, signal));
    known.set(key, outcome);
    return outcome;
  };
  const reference = await outcomeOf(before);
  const same: Sameness[] = [];
  for (const after of afters) {
    const outcome = await outcomeOf(after);
    const restored = outcome?.kind === 'rows' ? (after.restore?.(outcome) ?? outcome) : outcome;
    const hasRows = before.source !== null && after.source !== null;
    same.push(hasRows ? isSame(before.sql, reference, restored, mode) : null);
  }
  return same;
}
