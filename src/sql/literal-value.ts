import type { Expression, Identifier } from './ast.js';
import { bareExpression } from './ast-walk.js';
import type { SqlValue } from './execution/query-outcome.js';

/** The value of a literal, signed or not; `isText` tells a double-quoted string from a column. Undefined for all else. */
export function literalValue(expression: Expression, isText: (token: Identifier) => boolean): SqlValue | undefined {
  const bare = bareExpression(expression);
  if (bare.kind === 'unary' && /^[-+]$/u.test(bare.operator)) {
    const value = literalValue(bare.operand, isText);
    if (typeof value !== 'bigint' && typeof value !== 'number') return undefined;
    return bare.operator === '-' ? -value : value;
  }
  if (bare.kind === 'column') return isText(bare.column) ? bare.column.name : undefined;
  if (bare.kind !== 'literal') return undefined;
  if (bare.type === 'string') return bare.value;
  if (bare.type === 'null') return null;
  if (bare.type !== 'number') return undefined;
  return /^\d{1,18}$/u.test(bare.value) ? BigInt(bare.value) : Number(bare.value);
}
