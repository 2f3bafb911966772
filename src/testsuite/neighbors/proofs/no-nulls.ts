import { columnKey } from '../../../schema/schema.js';
import type { Source } from '../../../sql/ast.js';
import { baseOf, type ColumnTarget } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { CoreSite } from '../query-sites.js';

/** Whether a FROM clause fills up rows with NULL. */
export function hasOuterJoin(source: Source): boolean {
  if (source.kind === 'group') return hasOuterJoin(source.source);
  if (source.kind !== 'join') return false;
  return ['left', 'right', 'full'].includes(source.type) || hasOuterJoin(source.left) || hasOuterJoin(source.right);
}

/** Whether a column of a table in a SELECT's own FROM is never NULL there. */
export function isNeverNull({ facts }: Gold, { node, bound }: CoreSite, { source, column }: ColumnTarget): boolean {
  const ref = baseOf(column);
  if (ref === null || source.relation.table === null || !bound.sources.includes(source)) return false;
  return facts.notNull.has(columnKey(ref)) && node.from !== null && !hasOuterJoin(node.from);
}
