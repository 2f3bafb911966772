import type { Source } from '../../sql/ast.js';
import { applyEdits, spacedEdit } from '../../sql/edits.js';
import type { SelectSite } from '../../testsuite/neighbors/query-sites.js';

type Direction = 'ASC' | 'DESC';

/** Whether a table of FROM orders its own rows: LIMIT alone then takes the first of them. */
function isOrderedSource(source: Source | null): boolean {
  if (source === null) return false;
  if (source.kind === 'derived') return source.select.orderBy.length > 0;
  if (source.kind === 'join') return isOrderedSource(source.left) || isOrderedSource(source.right);
  return source.kind === 'group' && isOrderedSource(source.source);
}

/** Terms that order rows by their whole result; null for a select whose result can't be named so. */
function wholeOrder({ node, use, cores }: SelectSite, direction: Direction): string | null {
  const core = cores.find((one) => one.node === node.terms[0]?.body);
  const width = core?.bound.outputs.length ?? 0;
  if (use === 'exists' || width === 0) return null;
  return Array.from({ length: width }, (_, i) => `${i + 1} COLLATE BINARY ${direction}`).join(', ');
}

/**
 * A query in which one select also orders its rows by their whole result, so that no tie is left open: SQL allows both
 * directions. Null where that can't be written, or where a table in FROM has the order.
 */
export function completeOrder(sql: string, select: SelectSite, direction: Direction): string | null {
  const { orderBy, limit } = select.node;
  const terms = wholeOrder(select, direction);
  const last = orderBy.at(-1);
  if (terms === null) return null;
  if (last !== undefined)
    return applyEdits(sql, [{ start: last.span.end, end: last.span.end, before: '', after: `, ${terms}` }]);
  if (limit === null || select.cores.some(({ node }) => isOrderedSource(node.from))) return null;
  return applyEdits(sql, [spacedEdit(sql, limit.span.start, limit.span.start, `ORDER BY ${terms}`)]);
}
