import type { Source } from '../../sql/ast.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { applyEdits, spacedEdit, type SqlEdit } from '../../sql/edits.js';
import { QuerySites, type SelectSite } from '../neighbors/query-sites.js';

/** The number of columns of a select's result; null where it has no SELECT. */
function widthOf({ node, cores }: SelectSite): number | null {
  const [first] = node.terms;
  const core = cores.find((one) => one.node === first?.body);
  return core === undefined || core.bound.outputs.length === 0 ? null : core.bound.outputs.length;
}

/** Whether a table of a select's FROM orders its own rows: then LIMIT alone takes the first of them. */
function readsOrdered({ cores }: SelectSite): boolean {
  const isOrdered = (source: Source | null): boolean => {
    if (source === null) return false;
    if (source.kind === 'derived') return source.select.orderBy.length > 0;
    if (source.kind === 'join') return isOrdered(source.left) || isOrdered(source.right);
    return source.kind === 'group' && isOrdered(source.source);
  };
  return cores.some(({ node }) => isOrdered(node.from));
}

/** An edit after which rows that a select leaves in any order, and all of LIMIT without ORDER BY, have an order. */
function orderAll(sql: string, select: SelectSite, terms: string): SqlEdit | null {
  const { orderBy, limit } = select.node;
  const last = orderBy.at(-1);
  if (last !== undefined) return { start: last.span.end, end: last.span.end, before: '', after: `, ${terms}` };
  if (limit === null || readsOrdered(select)) return null;
  return spacedEdit(sql, limit.span.start, limit.span.start, `ORDER BY ${terms}`);
}

/**
 * A query's variants in which one select that has ORDER BY or LIMIT also orders by its whole result, up in one and down in
 * the other. Where the two have the query's result, no tie decides it; where they don't, an equal query may have another
 * one: groups and the rows of DISTINCT and UNION leave a sorter in the same order however a table's rows are stored, but
 * not by another plan.
 */
export function tieBreaks(query: BoundQuery): readonly string[] {
  const { sql } = query;
  return new QuerySites(query).selects.flatMap((select) => {
    const width = select.use === 'exists' ? null : widthOf(select);
    if (width === null) return [];
    return ['ASC', 'DESC'].flatMap((direction) => {
      const terms = Array.from({ length: width }, (_, i) => `${i + 1} COLLATE BINARY ${direction}`).join(', ');
      const edit = orderAll(sql, select, terms);
      return edit === null ? [] : [applyEdits(sql, [edit])];
    });
  });
}
