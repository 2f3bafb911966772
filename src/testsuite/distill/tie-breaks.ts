import type { Source } from '../../sql/ast.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { applyEdits, spacedEdit } from '../../sql/edits.js';
import { QuerySites, type SelectSite } from '../neighbors/query-sites.js';

/** The number of columns of a select's result; null where it has no SELECT. */
function widthOf({ node, cores }: SelectSite): number | null {
  const [first] = node.terms;
  const core = cores.find((one) => one.node === first?.body);
  return core === undefined || core.bound.outputs.length === 0 ? null : core.bound.outputs.length;
}

/** Checks whether a table of a select's FROM orders its own rows: then LIMIT alone takes the first of them. */
function readsOrdered({ cores }: SelectSite): boolean {
  const isOrdered = (source: Source | null): boolean => {
    if (source === null) return false;
    if (source.kind === 'derived') return source.select.orderBy.length > 0;
    if (source.kind === 'join') return isOrdered(source.left) || isOrdered(source.right);
    return source.kind === 'group' && isOrdered(source.source);
  };
  return cores.some(({ node }) => isOrdered(node.from));
}

/**
 * A query in which one select also orders its rows by their whole result, so that no tie is left open: SQL allows both
 * directions. Null where that can't be written, where nothing orders or limits the rows, or where a table in FROM has
 * the order.
 */
export function completeOrder(sql: string, select: SelectSite, direction: 'ASC' | 'DESC'): string | null {
  const width = select.use === 'exists' ? null : widthOf(select);
  if (width === null) return null;
  const terms = Array.from({ length: width }, (_, i) => `${i + 1} COLLATE BINARY ${direction}`).join(', ');
  const { orderBy, limit } = select.node;
  const last = orderBy.at(-1);
  if (last !== undefined) {
    return applyEdits(sql, [{ start: last.span.end, end: last.span.end, before: '', after: `, ${terms}` }]);
  }
  if (limit === null || readsOrdered(select)) return null;
  return applyEdits(sql, [spacedEdit(sql, limit.span.start, limit.span.start, `ORDER BY ${terms}`)]);
}

/**
 * A query's variants in which one select that has ORDER BY or LIMIT also orders by its whole result, up in one and down
 * in the other. Where the two have the query's result, no tie decides it; where they don't, an equal query may have
 * another one: groups and the rows of DISTINCT and UNION leave a sorter in the same order however a table's rows are
 * stored, but not by another plan.
 */
export function tieBreaks(query: BoundQuery): readonly string[] {
  const { sql } = query;
  return new QuerySites(query).selects.flatMap((select) =>
    (['ASC', 'DESC'] as const).flatMap((direction) => completeOrder(sql, select, direction) ?? []),
  );
}
