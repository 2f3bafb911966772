import type { Between } from '../../../sql/ast.js';
import type { Gold, QueryChange } from '../change.js';
import { isAlwaysTrue } from '../proofs/integer-test.js';
import type { ExpressionSite } from '../query-sites.js';

/** Why the lower bound asks for nothing, or null. */
function lowIsFree(gold: Gold, site: ExpressionSite, { operand, low, negated, span }: Between): string | null {
  const test = { kind: 'binary', operator: '>=', left: operand, right: low, span } as const;
  return negated ? null : isAlwaysTrue(gold, { ...site, node: test });
}

function* bounds(gold: Gold, site: ExpressionSite, node: Between): Iterable<QueryChange> {
  const { operand, low, high, negated, span } = node;
  const [least, most] = negated ? ['<', '>'] : ['>=', '<='];
  const lower = gold.text.textOf(low.span);
  const after = { start: gold.text.at(gold.text.placeFrom(operand.span.end)).start, end: span.end };
  yield { edit: gold.text.replace(after, `${least} ${lower}`), detail: `BETWEEN → ${least}`, equivalent: null };
  const before = gold.text.between(operand.span, high.span);
  yield { edit: gold.text.replace(before, most), detail: `BETWEEN → ${most}`, equivalent: lowIsFree(gold, site, node) };
}

/** One bound of BETWEEN goes. */
export function* dropBound(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) if (site.node.kind === 'between') yield* bounds(gold, site, site.node);
}
