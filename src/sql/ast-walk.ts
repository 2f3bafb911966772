import type {
  Binary,
  ColumnNode,
  Expression,
  FunctionCall,
  Identifier,
  Join,
  OrderingTerm,
  Select,
  Source,
  TableSource,
  WindowDefinition,
} from './ast.js';
import type { SqlValue } from './execution/query-outcome.js';
import type { Span } from './tokenizer.js';

/** Any node of a query's tree. */
export interface TreeNode {
  readonly kind: string;
  readonly span: Span;
}

/** Checks whether a value is a node of a tree. */
export function isNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'span' in value;
}

/** A value's node and all nodes below it, outer ones first. */
export function nodesOf(value: unknown): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  visitNodes(value, [], (node) => nodes.push(node));
  return nodes;
}

/** Visits every node below a value, each with the nodes around it, the nearest first. */
export function visitNodes(
  value: unknown,
  around: readonly TreeNode[],
  found: (node: TreeNode, around: readonly TreeNode[]) => void,
) {
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) visitNodes(item, around, found);
  } else if (isNode(value)) {
    found(value, around);
    for (const child of Object.values(value)) visitNodes(child, [value, ...around], found);
  } else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) visitNodes(child, around, found);
  }
}

/** The nodes at which a walk through an expression stops. */
export interface ExpressionVisitor {
  column(node: ColumnNode): void;
  /** A subquery, and whether it is an EXISTS; the walk does not go into it. */
  select(node: Select, exists: boolean): void;
  /** The table of `IN table`. */
  table(node: TableSource): void;
  /** Who visits a part of a call: this visitor where nothing is said. */
  inside?(call: FunctionCall, part: Expression): ExpressionVisitor;
}

/** Visits every column, subquery and table of an expression, in source order but for ORDER BY and window parts. */
export function walkExpression(expression: Expression, visitor: ExpressionVisitor): void {
  switch (expression.kind) {
    case 'column':
      visitor.column(expression);
      return;
    case 'subquery':
    case 'exists':
      visitor.select(expression.select, expression.kind === 'exists');
      return;
    case 'function':
      for (const part of functionChildren(expression))
        walkExpression(part, visitor.inside?.(expression, part) ?? visitor);
      return;
    default:
      for (const child of childrenOf(expression)) walkExpression(child, visitor);
      if (expression.kind === 'in') walkInSource(expression.source, visitor);
  }
}

function walkInSource(source: Extract<Expression, { kind: 'in' }>['source'], visitor: ExpressionVisitor): void {
  if (source.kind === 'table') visitor.table(source);
  else walkExpression(source, visitor);
}

function nonNull(...expressions: readonly (Expression | null)[]): Expression[] {
  return expressions.filter((expression) => expression !== null);
}

/** The expressions directly inside an expression; not those inside its subqueries. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'unary':
    case 'null-test':
    case 'collate':
    case 'cast':
    case 'in':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'like':
      return nonNull(expression.left, expression.right, expression.escape);
    case 'between':
      return [expression.operand, expression.low, expression.high];
    case 'case': {
      const branches = expression.branches.flatMap(({ when, then }) => [when, then]);
      return nonNull(expression.operand, ...branches, expression.otherwise);
    }
    case 'list':
    case 'array':
      return expression.items;
    case 'subscript':
      return [expression.operand, ...expression.indexes];
    case 'function':
      return functionChildren(expression);
    default:
      return [];
  }
}

function functionChildren(call: FunctionCall): Expression[] {
  const over = call.over?.kind === 'window' ? windowExpressions(call.over) : [];
  return [...nonNull(...call.args, ...orderingExpressions(call.orderBy), call.filter), ...over];
}

function orderingExpressions(terms: readonly OrderingTerm[]): Expression[] {
  return terms.map((term) => term.expression);
}

/** The expressions of a window's definition. */
export function windowExpressions(window: WindowDefinition): readonly Expression[] {
  return [...window.partitionBy, ...orderingExpressions(window.orderBy), ...window.bounds];
}

/**
 * An expression and those inside it, outer ones first; not those inside its subqueries and the sources of its INs, nor
 * what is inside those that `isClosed` picks.
 */
export function expressionsWithin(
  expression: Expression,
  isClosed: (inner: Expression) => boolean = () => false,
): Expression[] {
  const found = [expression];
  if (!isClosed(expression)) {
    for (const child of childrenOf(expression)) found.push(...expressionsWithin(child, isClosed));
  }
  return found;
}

/** The conditions that AND or OR holds together, however they are nested, without the parentheses around each. */
export function operandsOf(expression: Expression, operator: 'AND' | 'OR'): Expression[] {
  const bare = unparenthesized(expression);
  if (bare.kind !== 'binary' || bare.operator !== operator) return [bare];
  return [...operandsOf(bare.left, operator), ...operandsOf(bare.right, operator)];
}

/** The conditions that must all hold for an expression to hold; none where there is no expression. */
export function conjunctsOf(expression: Expression | null): Expression[] {
  return expression === null ? [] : operandsOf(expression, 'AND');
}

/** An expression without the parentheses and COLLATE around it, as SQLite names and matches it. */
export function bareExpression(expression: Expression): Expression {
  if (expression.kind === 'collate') return bareExpression(expression.operand);
  const [only, ...others] = expression.kind === 'list' ? expression.items : [];
  return only !== undefined && others.length === 0 ? bareExpression(only) : expression;
}

/** An expression without the parentheses around it. */
export function unparenthesized(expression: Expression): Expression {
  const [only, ...others] = expression.kind === 'list' ? expression.items : [];
  return only !== undefined && others.length === 0 ? unparenthesized(only) : expression;
}

/** The joins of a FROM clause, inner ones first. */
export function joinsOf(source: Source | null): readonly Join[] {
  if (source?.kind === 'group') return joinsOf(source.source);
  return source?.kind === 'join' ? [...joinsOf(source.left), ...joinsOf(source.right), source] : [];
}

/** The tables and subqueries of a FROM clause or a part of it, from left to right. */
export function tablesOf(source: Source): readonly Extract<Source, { readonly kind: 'table' | 'derived' }>[] {
  if (source.kind === 'group') return tablesOf(source.source);
  return source.kind === 'join' ? [...tablesOf(source.left), ...tablesOf(source.right)] : [source];
}

/** The condition of a join's ON. */
export function onCondition({ constraint }: Join): Expression | null {
  return constraint?.kind === 'on' ? constraint.condition : null;
}

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
