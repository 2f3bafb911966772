import type { DerivedSource, Join, TableSource } from '../../sql/ast.js';
import type { ScopeSource } from '../../sql/scope.js';
import type { Span } from '../../sql/tokenizer.js';
import type { Gold } from './change.js';
import type { CoreSite } from './query-sites.js';

/** A join of a SELECT's FROM, outside of parentheses, whose right side is one table or subquery. */
export interface JoinSite {
  readonly core: CoreSite;
  readonly node: Join;
  readonly right: ScopeSource;
  /** The left side where that is one table or subquery, too: the first of the clause. */
  readonly left: ScopeSource | null;
  /** The joins that follow, outermost last. */
  readonly later: readonly Join[];
}

/** The table or subquery of a FROM clause that a node is. */
function sourceOf({ bound }: CoreSite, node: object): ScopeSource | null {
  return bound.sources.find((source) => source.node === (node as TableSource | DerivedSource)) ?? null;
}

/** The joins of a SELECT, last ones first. */
export function joinsOf(core: CoreSite): JoinSite[] {
  const joins: JoinSite[] = [];
  const later: Join[] = [];
  for (let node = core.node.from; node?.kind === 'join'; node = node.left) {
    const [right, left] = [sourceOf(core, node.right), sourceOf(core, node.left)];
    if (right !== null) joins.push({ core, node, right, left, later: [...later].reverse() });
    later.push(node);
  }
  return joins;
}

/** Checks whether a part of the query outside of a span names a table of FROM. */
export function isNamedOutside({ query }: Gold, site: JoinSite, source: ScopeSource, { start, end }: Span): boolean {
  const isStar = site.core.node.columns.some((column) => {
    return (
      column.kind === 'star' && column.table !== null && column.table.name.toLowerCase() === source.label?.toLowerCase()
    );
  });
  const isUsed = query.names.some(({ token: { span }, found }) => {
    const target = found?.target;
    return (
      target !== undefined && 'source' in target && target.source === source && (span.start < start || span.end > end)
    );
  });
  return isStar || isUsed;
}
