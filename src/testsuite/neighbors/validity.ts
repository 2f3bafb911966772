import type { Expression, ResultColumn } from '../../sql/ast.js';
import { expressionsWithin } from '../../sql/ast-walk.js';
import { aggregates, isAggregate } from '../../sql/aggregates.js';
import type { CoreSite } from './query-sites.js';

/** Checks whether an expression has an aggregate outside of one of its parts, subqueries left aside. */
function aggregatesOutside(node: Expression, part: Expression): boolean {
  return expressionsWithin(node, (inner) => inner === part).some((inner) => inner !== part && isAggregate(inner));
}

/**
 * Checks whether SQLite takes a SELECT without an aggregate or a result column: without GROUP BY, it takes HAVING and
 * aggregates in ORDER BY only where an aggregate is selected.
 */
export function allowsWithout(
  { node, select }: CoreSite,
  { aggregate, column }: { readonly aggregate?: Expression; readonly column?: ResultColumn },
): boolean {
  const asksOutside = (expression: Expression): boolean =>
    aggregate === undefined ? aggregates(expression) : aggregatesOutside(expression, aggregate);
  if (node.groupBy.length > 0) return true;
  const asks = node.having !== null || select.node.orderBy.some(({ expression }) => asksOutside(expression));
  const left = column === undefined ? node.columns : node.columns.filter((each) => each !== column);
  return !asks || left.some((each) => each.kind === 'result' && asksOutside(each.expression));
}

/**
 * Checks whether a SELECT has a star where the number of its columns is fixed: by a set operation, an IN, or a value.
 */
export function fixesStar({ node, select }: CoreSite): boolean {
  const isFixed = select.node.terms.length > 1 || select.use === 'in' || select.use === 'scalar';
  return isFixed && node.columns.some(({ kind }) => kind === 'star');
}
