import type { OrderingTerm } from '../../../sql/ast.js';
import type { Gold } from '../change.js';
import type { SelectSite } from '../query-sites.js';
import { columnOf } from './conditions.js';
import { Determined } from './joined-columns.js';
import { isSingleRow } from './single-row.js';

/** Why the order of a select's rows makes no difference, or null. */
export function orderIsFree(gold: Gold, { node, use, cores }: SelectSite): string | null {
  const [core] = cores;
  if ((use === 'in' || use === 'exists') && node.limit === null)
    return 'rows of a subquery without LIMIT have no order';
  // An OFFSET or LIMIT of a single row does not ask for its order either.
  const single = node.terms.length === 1 && core !== undefined && isSingleRow(gold, core);
  return single ? 'an aggregate without GROUP BY has one row' : null;
}

/** Why a term of ORDER BY orders nothing, or null: the terms before it, or a condition, tell its value. */
export function termIsIdle(gold: Gold, select: SelectSite, term: OrderingTerm): string | null {
  const [core] = select.cores;
  if (core === undefined || select.node.terms.length > 1) return null;
  const target = columnOf(gold, core, term.expression);
  if (target === null) return null;
  const { orderBy } = select.node;
  const before = orderBy
    .slice(0, orderBy.indexOf(term))
    .flatMap(({ expression }) => columnOf(gold, core, expression) ?? []);
  return new Determined(gold, core, before).has(target) ? 'the terms before it tell its value' : null;
}
