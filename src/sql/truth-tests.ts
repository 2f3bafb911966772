import type { Expression, Identifier, Select } from './ast.js';
import { bareExpression } from './ast-walk.js';

function* nodesOf(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const part of Object.values(value)) yield* nodesOf(part);
}

/** The names that are the whole right side of an IS, at any depth of a query. */
export function truthTests(select: Select): ReadonlySet<Identifier> {
  const tests = new Set<Identifier>();
  for (const node of nodesOf(select)) {
    const { kind } = node as { readonly kind?: unknown };
    if (kind !== 'binary') continue;
    const { operator, right } = node as Extract<Expression, { kind: 'binary' }>;
    const side = bareExpression(right);
    if (operator.startsWith('IS') && side.kind === 'column') tests.add(side.column);
  }
  return tests;
}
