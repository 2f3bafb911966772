import type { Gold, QueryChange } from '../change.js';
import { orderIsFree, termIsIdle } from '../proofs/order-free.js';
import type { OrderingTerm } from '../../../sql/ast.js';

function turned(gold: Gold, { expression, direction }: OrderingTerm): QueryChange['edit'] {
  const word = gold.text.placeFrom(expression.span.end);
  if (direction === 'DESC') return gold.text.cut(gold.text.at(word));
  if (direction === 'ASC') return gold.text.replace(gold.text.at(word), 'DESC');
  const { end } = expression.span;
  return gold.text.replace({ start: end, end }, 'DESC');
}

/** A term of ORDER BY turns round: DESC goes, or comes where the order ascends; ASC alone says nothing. */
export function* orderDirection(gold: Gold): Iterable<QueryChange> {
  for (const select of gold.sites.selects) {
    for (const term of select.node.orderBy) {
      const detail = term.direction === 'DESC' ? 'DESC → ASC' : 'ASC → DESC';
      const equivalent = orderIsFree(gold, select) ?? termIsIdle(gold, select, term);
      yield { edit: turned(gold, term), detail, equivalent };
    }
  }
}
