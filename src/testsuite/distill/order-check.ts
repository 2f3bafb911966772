import type { BoundQuery } from '../../sql/bound-query.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { mayHangOnRowOrder } from './row-order.js';
import { tieBreaks } from './tie-breaks.js';

/** The queries that show if a query's result depends on the order of rows. */
export interface OrderCheck {
  readonly sql: string;
  readonly mode: ComparisonMode;
  /** Variants that settle ties one way and the other: `tieBreaks`. */
  readonly tieBreaks: readonly string[];
  /** True if its result might depend on the order in which rows are found otherwise. */
  readonly isOrderSensitive: boolean;
}

/** How to check a query; `runs` says whether a variant of it can be executed. */
export function orderCheckOf(query: BoundQuery, mode: ComparisonMode, runs: (sql: string) => boolean): OrderCheck {
  const breaks = tieBreaks(query);
  const settled = breaks.filter(runs);
  const isOrderSensitive = settled.length < breaks.length || mayHangOnRowOrder(query);
  return { sql: query.sql, mode, tieBreaks: settled, isOrderSensitive };
}
