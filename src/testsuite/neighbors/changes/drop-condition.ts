import type { Expression } from '../../../sql/ast.js';
import type { Gold, QueryChange } from '../change.js';
import { isAlwaysTrue } from '../proofs/integer-test.js';
import { isImplied } from '../proofs/joined-columns.js';
import type { ExpressionSite } from '../query-sites.js';

function textOf({ sql }: Gold, { span }: Expression): string {
  return sql.slice(span.start, span.end);
}

function* whole(gold: Gold): Iterable<QueryChange> {
  for (const { node } of gold.sites.cores) {
    if (node.where === null) continue;
    const edit = gold.text.cut(gold.text.withWords(1, node.where.span));
    yield { edit, detail: `WHERE ${textOf(gold, node.where)}`, equivalent: null };
  }
}

/** One side of AND or OR; a longer chain of the same operator is taken apart where its own sides are. */
function* oneOf(gold: Gold, site: ExpressionSite): Iterable<QueryChange> {
  const { node } = site;
  if (node.kind !== 'binary' || (node.operator !== 'AND' && node.operator !== 'OR')) return;
  const { left, right, operator } = node;
  const sides = [
    [left, { start: left.span.start, end: right.span.start }],
    [right, gold.text.withWords(1, right.span)],
  ] as const;
  for (const [side, span] of sides) {
    if (side.kind === 'binary' && side.operator === operator) continue;
    const condition = { ...site, node: side, parent: site };
    const equivalent = operator === 'AND' ? (isAlwaysTrue(gold, condition) ?? isImplied(gold, condition)) : null;
    yield { edit: gold.text.cut(span), detail: `${operator} ${textOf(gold, side)}`, equivalent };
  }
}

/** One condition goes: the only one of WHERE, or one side of AND or OR; those of ON stay, as their operators do. */
export function* dropCondition(gold: Gold): Iterable<QueryChange> {
  yield* whole(gold);
  for (const site of gold.sites.expressions) if (site.clause !== 'from') yield* oneOf(gold, site);
}
