import type { Expression, FunctionCall, SelectCore } from '../../sql/ast.js';
import { childrenOf } from '../../sql/ast-walk.js';

const AGGREGATES = new Set(['count', 'sum', 'avg', 'min', 'max', 'total', 'group_concat', 'string_agg']);

/** Whether an expression is a call of an aggregate; min and max of several values are none in SQLite. */
export function isAggregate(node: Expression): node is FunctionCall {
  if (node.kind !== 'function' || node.over !== null) return false;
  const name = node.name.name.toLowerCase();
  return AGGREGATES.has(name) && (node.args.length < 2 || !['min', 'max'].includes(name));
}

/** Whether an expression aggregates, subqueries left aside. */
export function aggregates(node: Expression): boolean {
  return isAggregate(node) || childrenOf(node).some(aggregates);
}

/** Whether what a SELECT selects has an aggregate. */
export function selectsAggregate({ columns }: SelectCore): boolean {
  return columns.some((column) => column.kind === 'result' && aggregates(column.expression));
}
