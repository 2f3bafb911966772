import type { Expression, Limit, Subquery } from '../../../sql/ast.js';
import { aggregatesIn, selectsAggregate } from '../../../sql/aggregates.js';
import type { Gold } from '../change.js';
import type { CoreSite, SelectSite } from '../query-sites.js';
import { columnOf } from './conditions.js';

/** Why it makes no difference what a SELECT selects, or null: an EXISTS only asks whether there is a row. */
export function isUnread({ node, bound, select }: CoreSite): string | null {
  // Without GROUP BY, an aggregate has a row where nothing else has.
  const isFree = bound.exists && select.node.limit === null && !selectsAggregate(node);
  return isFree ? 'EXISTS does not read what it selects' : null;
}

/**
 * Checks whether an expression aggregates rows of its own SELECT: one inside of another query may be that query's own.
 */
function aggregatesOwn(gold: Gold, core: CoreSite, node: Expression): boolean {
  return aggregatesIn(node).some(({ star, args }) => star || args.some((arg) => columnOf(gold, core, arg) !== null));
}

/** Checks whether a SELECT has one row at most: it aggregates all rows into one. */
export function isSingleRow(gold: Gold, core: CoreSite): boolean {
  const {
    node,
    select: { use },
  } = core;
  if (node.groupBy.length > 0) return false;
  if (use === 'result' || use === 'relation') return selectsAggregate(node);
  return node.columns.some((column) => column.kind === 'result' && aggregatesOwn(gold, core, column.expression));
}

/** Checks whether a LIMIT is a number above zero. */
function letsOneThrough(count: Expression | null): boolean {
  return count?.kind === 'literal' && count.type === 'number' && Number(count.value) >= 1;
}

/** Why it makes no difference how many rows a select may have, so long as it may have one; else null. */
export function oneRowSuffices(gold: Gold, { node, use, cores }: SelectSite): string | null {
  const [core] = cores;
  if (use === 'exists') return 'EXISTS asks for one row only';
  if (use === 'scalar') return 'a subquery in the place of a value gives its first row only';
  const single = node.terms.length === 1 && core !== undefined && isSingleRow(gold, core);
  return single ? 'an aggregate without GROUP BY has one row' : null;
}

/** Why a select is the same without its LIMIT, or null. */
export function limitIsFree(gold: Gold, site: SelectSite, limit: Limit): string | null {
  return limit.offset === null && letsOneThrough(limit.count) ? oneRowSuffices(gold, site) : null;
}

/** Why IN a subquery is the same as a comparison with its value, or null: it has one row, no more and no fewer. */
export function inIsEqual(gold: Gold, { select }: Subquery): string | null {
  const core = gold.sites.cores.find(({ select: site }) => site.node === select);
  const isOne = select.terms.length === 1 && select.limit === null && core?.node.having === null;
  return isOne && isSingleRow(gold, core) ? 'the subquery has one row' : null;
}
