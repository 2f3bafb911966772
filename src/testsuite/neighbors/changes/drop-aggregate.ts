import type { FunctionCall } from '../../../sql/ast.js';
import { isAggregate } from '../../../sql/aggregates.js';
import type { Gold, QueryChange } from '../change.js';
import { extremeIsFree } from '../proofs/one-row-groups.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';
import { allowsWithout } from '../validity.js';

/** Checks whether a call is the whole of a result column that may become a star. */
function isWhole({ core, parent, clause }: ExpressionSite, call: FunctionCall): boolean {
  if (core === null || parent !== null || clause !== 'result') return false;
  const { node, select } = core;
  const column = node.columns.find((each) => each.kind === 'result' && each.expression === call);
  return (
    select.use === 'result' && select.node.terms.length === 1 && column?.kind === 'result' && column.alias === null
  );
}

/** Returns the rest of an aggregate: its argument, or a star if rows are counted; null if nothing can be left. */
function argumentOf(gold: Gold, site: ExpressionSite, call: FunctionCall): string | null {
  if (call.star) return isWhole(site, call) && site.core?.node.from !== null ? '*' : null;
  const [arg] = call.args;
  if (arg === undefined || call.args.length > 1) return null;
  const text = gold.text.textOf(arg.span);
  return arg.kind === 'column' || arg.kind === 'literal' || arg.kind === 'list' ? text : `(${text})`;
}

/**
 * Checks whether the place of an aggregate may hold a constant: alone in GROUP BY and ORDER BY, a number is a position.
 */
function isOrdering({ core, parent, clause }: ExpressionSite): boolean {
  return core === null || (parent === null && clause === 'order');
}

function* unwrapped(gold: Gold, site: ExpressionSite, core: CoreSite): Iterable<QueryChange> {
  const { node } = site;
  if (!isAggregate(node) || !allowsWithout(core, { aggregate: node })) return;
  const text = argumentOf(gold, site, node);
  if (text === null || (isOrdering(site) && node.args[0]?.kind === 'literal')) return;
  const detail = `${gold.text.textOf(node.span)} → ${text}`;
  yield { edit: gold.text.replace(node.span, text), detail, equivalent: extremeIsFree(gold, core, node) };
}

/** An aggregate around its argument goes; count(*) becomes a star. */
export function* dropAggregate(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) if (site.core !== null) yield* unwrapped(gold, site, site.core);
}
