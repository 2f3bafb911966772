import type { SelectSite } from '../query-sites.js';
import { isSingleRow } from './single-row.js';

/** Why the order of a select's rows makes no difference, or null. */
export function orderIsFree({ node, use, cores }: SelectSite): string | null {
  const [core] = cores;
  if ((use === 'in' || use === 'exists') && node.limit === null)
    return 'rows of a subquery without LIMIT have no order';
  // An OFFSET or LIMIT of a single row does not ask for its order either.
  const single = node.terms.length === 1 && core !== undefined && isSingleRow(core);
  return single ? 'an aggregate without GROUP BY has one row' : null;
}
