import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { orderCheckOf, type OrderCheck } from './order-check.js';
import { planPartial, type PartialPlan } from './partial-plan.js';

/** How a gold's partial denotation is read on a database, and what shows whether it can be. */
export interface PartialCase {
  readonly plan: PartialPlan;
  /** Of the plan's queries: each must be determinate. */
  readonly checks: readonly OrderCheck[];
}

/** A gold's case where its result may depend on the order of rows; null where nothing of it could be determinate. */
export function partialCaseOf(
  query: BoundQuery,
  { tieBreaks, isOrderSensitive }: OrderCheck,
  database: Database,
  runs: (sql: string) => boolean,
): PartialCase | null {
  if (tieBreaks.length === 0 && !isOrderSensitive) return null;
  const plan = planPartial(query);
  if (plan === null) return null;
  const queries = [plan.rowsSql, ...(plan.valuesSql === null ? [] : [plan.valuesSql])];
  if (!queries.every(runs)) return null;
  try {
    return { plan, checks: queries.map((sql) => orderCheckOf(bindQuery(sql, database), 'bag', runs)) };
  } catch (error) {
    if (error instanceof SqlRewriteError) return null;
    throw error;
  }
}
