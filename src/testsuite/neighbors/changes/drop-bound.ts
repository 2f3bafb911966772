import type { Between } from '../../../sql/ast.js';
import type { Gold, NeighborRule, QueryChange } from '../change.js';

function* bounds(gold: Gold, { operand, low, high, negated, span }: Between): Iterable<QueryChange> {
  const [least, most] = negated ? ['<', '>'] : ['>=', '<='];
  const lower = gold.text.textOf(low.span);
  const after = { start: gold.text.at(gold.text.placeFrom(operand.span.end)).start, end: span.end };
  yield { edit: gold.text.replace(after, `${least} ${lower}`), detail: `BETWEEN → ${least}`, equivalent: null };
  const before = gold.text.between(operand.span, high.span);
  yield { edit: gold.text.replace(before, most), detail: `BETWEEN → ${most}`, equivalent: null };
}

/** One bound of BETWEEN goes. */
export const dropBound: NeighborRule = {
  kind: 'drop-bound',
  *changes(gold: Gold): Iterable<QueryChange> {
    for (const { node } of gold.sites.expressions) if (node.kind === 'between') yield* bounds(gold, node);
  },
};
