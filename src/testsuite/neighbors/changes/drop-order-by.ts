import type { OrderingTerm } from '../../../sql/ast.js';
import type { Gold, QueryChange } from '../change.js';
import { orderIsFree, termIsIdle } from '../proofs/order-free.js';
import { cutItem } from '../listed-items.js';

function textOf({ sql }: Gold, { span }: OrderingTerm): string {
  return sql.slice(span.start, span.end);
}

/** ORDER BY goes, or one of its terms. */
export function* dropOrderBy(gold: Gold): Iterable<QueryChange> {
  for (const select of gold.sites.selects) {
    const terms = select.node.orderBy;
    const [first, last] = [terms[0], terms.at(-1)];
    if (first === undefined || last === undefined) continue;
    const equivalent = orderIsFree(gold, select);
    const span = gold.text.withWords(2, { start: first.span.start, end: last.span.end });
    const detail = `ORDER BY ${terms.map((term) => textOf(gold, term)).join(', ')}`;
    yield { edit: gold.text.cut(span), detail, equivalent };
    if (terms.length === 1) continue;
    for (const term of terms) {
      const edit = cutItem(gold, terms, term);
      yield { edit, detail: textOf(gold, term), equivalent: equivalent ?? termIsIdle(gold, select, term) };
    }
  }
}
