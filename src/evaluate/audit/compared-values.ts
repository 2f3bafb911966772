import type { Binary, Expression } from '../../sql/ast.js';
import { isComparison, mirroredOperator, plainOperator } from '../../sql/operators.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { NamedColumn, ReadQuery } from './read-query.js';

/** A constant that a query compares a column with. */
export interface ComparedValue {
  /** Null where it is compared with no plain column. */
  readonly column: NamedColumn | null;
  /** As if the column were on its left. */
  readonly operator: string;
  readonly value: Exclude<SqlValue, null | Uint8Array>;
  readonly node: Expression;
}

/** The sides of a condition `a = b`, either way round; none of another. */
export function equalSides(node: Expression): readonly (readonly [side: Expression, other: Expression])[] {
  return node.kind === 'binary' && plainOperator(node.operator) === '=' ? bothSides(node) : [];
}

/** The sides of a condition of two, either way round. */
export function bothSides({ left, right }: Binary): readonly (readonly [side: Expression, other: Expression])[] {
  return [
    [left, right],
    [right, left],
  ];
}

function valueAt(query: ReadQuery, operator: string, side: Expression, node: Expression): readonly ComparedValue[] {
  const value = query.value(node);
  if (value === undefined || value === null || value instanceof Uint8Array) return [];
  return [{ column: query.column(side), operator, value, node }];
}

function valuesOf(query: ReadQuery, node: Expression): readonly ComparedValue[] {
  switch (node.kind) {
    case 'binary':
      if (!isComparison(node.operator)) return [];
      return [
        ...valueAt(query, node.operator, node.left, node.right),
        ...valueAt(query, mirroredOperator(node.operator), node.right, node.left),
      ];
    case 'like':
      return valueAt(query, node.operator, node.left, node.right);
    case 'between':
      return [node.low, node.high].flatMap((end) => valueAt(query, 'BETWEEN', node.operand, end));
    case 'in': {
      const items = node.source.kind === 'list' ? node.source.items : [];
      return items.flatMap((item) => valueAt(query, 'IN', node.operand, item));
    }
    default:
      return [];
  }
}

/** Every constant that a query compares something with. */
export function comparedValues(query: ReadQuery): readonly ComparedValue[] {
  return query.sites.expressions.flatMap(({ node }) => valuesOf(query, node));
}
