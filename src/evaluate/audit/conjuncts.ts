import type { Expression } from '../../sql/ast.js';
import { unparenthesized } from '../../sql/ast-walk.js';

/** The conditions that AND holds together. */
export function conjuncts(expression: Expression): readonly Expression[] {
  const bare = unparenthesized(expression);
  if (bare.kind !== 'binary' || bare.operator !== 'AND') return [bare];
  return [...conjuncts(bare.left), ...conjuncts(bare.right)];
}
