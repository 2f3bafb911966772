import type { Limit, OrderingTerm } from '../../../sql/ast.js';
import { cutItem, type Gold, type QueryChange } from '../change.js';
import type { SelectSite } from '../query-sites.js';
import { columnOf } from '../proofs/conditions.js';
import { Determined } from '../proofs/joined-columns.js';
import { isSingleRow, limitIsFree, oneRowSuffices } from '../proofs/single-row.js';

/** Why the order of a select's rows makes no difference, or null. */
function orderIsFree(gold: Gold, { node, use, cores }: SelectSite): string | null {
  const [core] = cores;
  if ((use === 'in' || use === 'exists') && node.limit === null)
    return 'rows of a subquery without LIMIT have no order';
  // An OFFSET or LIMIT of a single row does not ask for its order either.
  const single = node.terms.length === 1 && core !== undefined && isSingleRow(gold, core);
  return single ? 'an aggregate without GROUP BY has one row' : null;
}

/** Why a term of ORDER BY orders nothing, or null: the terms before it, or a condition, tell its value. */
function termIsIdle(gold: Gold, select: SelectSite, term: OrderingTerm): string | null {
  const [core] = select.cores;
  if (core === undefined || select.node.terms.length > 1) return null;
  const { orderBy } = select.node;
  const before = orderBy
    .slice(0, orderBy.indexOf(term))
    .flatMap(({ expression }) => columnOf(gold, core, expression) ?? []);
  return new Determined(gold, core, before).tells(term.expression) ? 'the terms before it tell its value' : null;
}

/** Why a select without LIMIT is the same with LIMIT 1, or null. */
function oneIsFree(gold: Gold, select: SelectSite): string | null {
  const [core] = select.cores;
  const isPlain = select.node.terms.length === 1 && core !== undefined && core.node.groupBy.length === 0;
  const isOne = isPlain && new Determined(gold, core, []).rows;
  return oneRowSuffices(gold, select) ?? (isOne ? 'the conditions let one row through' : null);
}

/** Only the first row is asked for, or a page of them: that it is not the gold's shows on results that are longer. */
const LIMITS = [1, 10];

/** A LIMIT comes where rows have an order. */
export function* addLimit(gold: Gold): Iterable<QueryChange> {
  for (const select of gold.sites.selects) {
    const last = select.node.orderBy.at(-1);
    if (last === undefined || select.node.limit !== null) continue;
    const { end } = last.span;
    for (const limit of LIMITS) {
      yield {
        edit: gold.text.replace({ start: end, end }, ` LIMIT ${limit}`),
        detail: `LIMIT ${limit} added`,
        equivalent: oneIsFree(gold, select),
      };
    }
  }
}

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
    const detail = gold.text.textOf(limit.span);
    yield { edit: gold.text.cut(limit.span), detail, equivalent: limitIsFree(gold, select, limit) };
    yield* offset(gold, limit);
  }
}

/** ORDER BY goes, or one of its terms. */
export function* dropOrderBy(gold: Gold): Iterable<QueryChange> {
  for (const select of gold.sites.selects) {
    const terms = select.node.orderBy;
    const [first, last] = [terms[0], terms.at(-1)];
    if (first === undefined || last === undefined) continue;
    const equivalent = orderIsFree(gold, select);
    const span = gold.text.withWords(2, { start: first.span.start, end: last.span.end });
    const detail = `ORDER BY ${terms.map((term) => gold.text.textOf(term.span)).join(', ')}`;
    yield { edit: gold.text.cut(span), detail, equivalent };
    if (terms.length === 1) continue;
    for (const term of terms) {
      const edit = cutItem(gold, terms, term);
      yield { edit, detail: gold.text.textOf(term.span), equivalent: equivalent ?? termIsIdle(gold, select, term) };
    }
  }
}

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
