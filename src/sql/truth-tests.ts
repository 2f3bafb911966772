import type { Binary, Identifier, Select } from './ast.js';
import { bareExpression } from './ast-walk.js';
import { nodesOf } from './visit-nodes.js';

/** The names that are the whole right side of an IS, at any depth of a query. */
export function truthTests(select: Select): ReadonlySet<Identifier> {
  const tests = new Set<Identifier>();
  for (const node of nodesOf(select)) {
    if (node.kind !== 'binary') continue;
    const { operator, right } = node as Binary;
    const side = bareExpression(right);
    if (operator.startsWith('IS') && side.kind === 'column') tests.add(side.column);
  }
  return tests;
}
