import type { ResultColumn } from '../../../sql/ast.js';
import type { Gold, QueryChange } from '../change.js';
import { cutItem } from '../listed-items.js';
import { isUnread } from '../proofs/unread.js';
import type { CoreSite } from '../query-sites.js';
import { allowsWithout, fixesStar } from '../validity.js';

/**
 * Checks whether the number of result columns may change: a set operation, a value and a table's list of columns fix
 * it.
 */
function isFree({ sites }: Gold, { select: { node, use } }: CoreSite): boolean {
  if (node.terms.length > 1 || use === 'in' || use === 'scalar') return false;
  // A star elsewhere may hand the columns of a subquery on to where their number counts.
  const isOpen = sites.selects.every((site) => site.node.with === null) && !sites.cores.some(fixesStar);
  return use !== 'relation' || isOpen;
}

/** Checks whether another part of the query names a result column, by its alias or by its position. */
function isNamed(gold: Gold, { node, select }: CoreSite, column: ResultColumn): boolean {
  const terms = [...node.groupBy, ...select.node.orderBy.map(({ expression }) => expression)];
  // A name in ORDER BY may be that of a star's column, and without the star that of two tables'.
  if (terms.some((term) => term.kind === 'literal') || (column.kind === 'star' && terms.length > 0)) return true;
  return gold.query.names.some(({ found }) => found?.target.kind === 'alias' && found.target.node === column);
}

/** A column of the result goes, where there are others. */
export function* dropColumn(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    const { columns } = core.node;
    if (columns.length < 2 || !isFree(gold, core)) continue;
    for (const column of columns) {
      if (isNamed(gold, core, column) || !allowsWithout(core, { column })) continue;
      yield {
        edit: cutItem(gold, columns, column),
        detail: gold.text.textOf(column.span),
        equivalent: isUnread(core),
      };
    }
  }
}
