import type { Expression, Join, Source } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';

/** A table or subquery of a FROM clause, with the join that brings it in. */
export interface ChainItem {
  readonly source: Exclude<Source, Join>;
  /** Null for the first. */
  readonly join: Join | null;
}

/** The items of a FROM clause from left to right. */
export function chainOf(from: Source): readonly ChainItem[] {
  if (from.kind !== 'join') return [{ source: from, join: null }];
  const { left, right } = from;
  if (right.kind === 'join') throw new RangeError('a join on the right of a join without parentheses');
  return [...chainOf(left), { source: right, join: from }];
}

/** Checks whether all joins keep exactly the pairs of rows that fulfil all conditions, wherever these are. */
export function isPlainChain(chain: readonly ChainItem[]): boolean {
  return chain.every(({ source, join }) => {
    if (source.kind === 'group') return false;
    if (join === null) return true;
    return (
      ['comma', 'inner', 'cross'].includes(join.type) && join.natural === null && join.constraint?.kind !== 'using'
    );
  });
}

/** The conditions of which all must hold for an expression to hold. */
export function conjuncts(expression: Expression | null): readonly Expression[] {
  if (expression === null) return [];
  const bare = unparenthesized(expression);
  if (bare.kind !== 'binary' || bare.operator !== 'AND') return [expression];
  return [...conjuncts(bare.left), ...conjuncts(bare.right)];
}

/** The conditions of a join's ON. */
export function joinConditions({ join }: ChainItem): readonly Expression[] {
  return join?.constraint?.kind === 'on' ? conjuncts(join.constraint.condition) : [];
}
