import type { Expression, Limit } from '../../../sql/ast.js';
import { selectsAggregate } from '../aggregates.js';
import type { CoreSite, SelectSite } from '../query-sites.js';

/** Whether a SELECT has one row at most: it aggregates all rows into one. */
export function isSingleRow({ node, select: { use } }: CoreSite): boolean {
  // An aggregate inside of another query may be that query's own: of its columns, over its rows.
  return (use === 'result' || use === 'relation') && node.groupBy.length === 0 && selectsAggregate(node);
}

/** Whether a LIMIT is a number above zero. */
function letsOneThrough(count: Expression | null): boolean {
  return count?.kind === 'literal' && count.type === 'number' && Number(count.value) >= 1;
}

/** Why it makes no difference how many rows a select may have, so long as it may have one; else null. */
export function oneRowSuffices({ node, use, cores }: SelectSite): string | null {
  const [core] = cores;
  if (use === 'exists') return 'EXISTS asks for one row only';
  const single = node.terms.length === 1 && core !== undefined && isSingleRow(core);
  return single ? 'an aggregate without GROUP BY has one row' : null;
}

/** Why a select is the same without its LIMIT, or null. */
export function limitIsFree(site: SelectSite, limit: Limit): string | null {
  return limit.offset === null && letsOneThrough(limit.count) ? oneRowSuffices(site) : null;
}
