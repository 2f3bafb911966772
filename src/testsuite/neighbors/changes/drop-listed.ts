import type { Case } from '../../../sql/ast.js';
import type { Gold, QueryChange } from '../change.js';
import { cutItem } from '../listed-items.js';

function* ofCase(gold: Gold, { branches, otherwise }: Case): Iterable<QueryChange> {
  for (const { when, then } of branches.length > 1 ? branches : []) {
    const span = gold.text.withWords(1, { start: when.span.start, end: then.span.end });
    yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent: null };
  }
  if (otherwise === null) return;
  const span = gold.text.withWords(1, otherwise.span);
  yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent: null };
}

/** An item of the list of an IN goes, where there are others; so does a branch of CASE, or its ELSE. */
export function* dropListed(gold: Gold): Iterable<QueryChange> {
  for (const { node } of gold.sites.expressions) {
    if (node.kind === 'case') yield* ofCase(gold, node);
    if (node.kind !== 'in' || node.source.kind !== 'list' || node.source.items.length < 2) continue;
    const { items } = node.source;
    for (const item of items) {
      yield { edit: cutItem(gold, items, item), detail: `IN ${gold.text.textOf(item.span)}`, equivalent: null };
    }
  }
}
