import type { Limit } from '../../../sql/ast.js';
import type { Gold, QueryChange } from '../change.js';
import { limitIsFree } from '../proofs/single-row.js';

/** OFFSET goes alone, also where it is written as the first of two numbers. */
function* offset(gold: Gold, { count, offset: skipped, span }: Limit): Iterable<QueryChange> {
  if (count === null || skipped === null) return;
  const isLast = skipped.span.start > count.span.start;
  const cut = isLast
    ? { start: gold.text.between(count.span, skipped.span).start, end: span.end }
    : { start: skipped.span.start, end: count.span.start };
  yield { edit: gold.text.cut(cut), detail: `OFFSET ${gold.text.textOf(skipped.span)}`, equivalent: null };
}

/** LIMIT goes with its OFFSET, or OFFSET alone. */
export function* dropLimit(gold: Gold): Iterable<QueryChange> {
  for (const select of gold.sites.selects) {
    const { limit } = select.node;
    if (limit === null) continue;
    const detail = gold.sql.slice(limit.span.start, limit.span.end);
    yield { edit: gold.text.cut(limit.span), detail, equivalent: limitIsFree(gold, select, limit) };
    yield* offset(gold, limit);
  }
}
