import type {
  Binary,
  ColumnNode,
  Expression,
  FunctionCall,
  In,
  OrderingTerm,
  Select,
  WindowDefinition,
} from '../../sql/ast.js';
import { bareExpression, childrenOf, conjunctsOf, operandsOf, unparenthesized } from '../../sql/ast-walk.js';
import { mirroredOperator, plainOperator } from '../../sql/operators.js';
import type { ValueRule } from './form-comparison.js';

/** The context that the form of an expression depends on and can't tell by itself. */
export interface ExpressionView {
  readonly values: ValueRule;
  /** The key of the column that a name refers to; null where it is a string in double quotes. */
  readonly columnKey: (node: ColumnNode) => string | null;
  readonly queryKey: (select: Select) => string;
  /** The definition of a window by its name. */
  readonly windowOf: (name: string) => WindowDefinition | null;
  /** The key of the table of `IN table`. */
  readonly tableKey: (source: Exclude<In['source'], { readonly kind: 'list' | 'subquery' }>) => string;
}

/** A part of a form: equal as JSON means equal, so far as the rules tell. */
export type FormPart = string | boolean | null | readonly FormPart[];

const COMMUTATIVE: ReadonlySet<string> = new Set(['=', '!=', '+', '*', 'IS', 'IS NOT', '&', '|']);
const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', 'IS', 'IS NOT']);
const VALUE = 'value';

const textOf = (part: FormPart): string => JSON.stringify(part);

/** Parts in an order that does not depend on how they are written. */
export function sortedParts(parts: readonly FormPart[]): readonly FormPart[] {
  return [...parts].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/** Checks whether an expression is a value of a comparison: a literal, with a sign or without. */
function isValue(expression: Expression, view: ExpressionView): boolean {
  const bare = bareExpression(expression);
  if (bare.kind === 'unary' && bare.operator === '-') return isValue(bare.operand, view);
  if (bare.kind === 'column') return view.columnKey(bare) === null;
  return bare.kind === 'literal' && bare.type !== 'null';
}

/** The right of a comparison, or its left: which value it is counts only where values do. */
function operandPart(expression: Expression, view: ExpressionView): FormPart {
  return view.values === 'ignored' && isValue(expression, view) ? VALUE : expressionPart(expression, view);
}

/** The conditions that must all hold, each a part; `x BETWEEN a AND b` is two of them. */
export function conjunctParts(expression: Expression | null, view: ExpressionView): readonly FormPart[] {
  return conjunctsOf(expression).flatMap((term) => {
    if (term.kind !== 'between' || term.negated) return [expressionPart(term, view)];
    const [operand, low, high] = [term.operand, term.low, term.high].map((one) => operandPart(one, view));
    return [
      ['<=', low ?? null, operand ?? null],
      ['<=', operand ?? null, high ?? null],
    ];
  });
}

function binaryPart(node: Binary, view: ExpressionView): FormPart {
  if (node.operator === 'AND') return ['AND', sortedParts(conjunctParts(node, view))];
  if (node.operator === 'OR')
    return ['OR', sortedParts(operandsOf(node, 'OR').map((one) => expressionPart(one, view)))];
  const written = plainOperator(node.operator);
  const operator = written === '>' || written === '>=' ? mirroredOperator(written) : written;
  const part = COMPARISONS.has(operator) ? operandPart : expressionPart;
  const [left, right] = [part(node.left, view), part(node.right, view)];
  const operands = operator === written ? [left, right] : [right, left];
  if ((operator === 'IS' || operator === 'IS NOT') && isNull(node.right)) return nullPart(left, operator === 'IS NOT');
  return [operator, ...(COMMUTATIVE.has(operator) ? sortedParts(operands) : operands)];
}

const isNull = (expression: Expression): boolean => expression.kind === 'literal' && expression.type === 'null';
const nullPart = (operand: FormPart, negated: boolean): FormPart => [negated ? 'not null' : 'null', operand];

function inPart({ negated, operand, source }: In, view: ExpressionView): FormPart {
  const head = [negated ? 'not in' : 'in', expressionPart(operand, view)];
  if (source.kind === 'subquery') return [...head, view.queryKey(source.select)];
  if (source.kind !== 'list') return [...head, view.tableKey(source)];
  const items = sortedParts(source.items.map((item) => operandPart(item, view)));
  // How many values there are is a matter of values, too.
  return [...head, items.filter((item, i) => textOf(item) !== textOf(items[i - 1] ?? null))];
}

/** The terms of an ORDER BY, in their sequence, with their directions. */
export function orderParts(terms: readonly OrderingTerm[], view: ExpressionView): readonly FormPart[] {
  return terms.map(({ expression, direction, nulls }) => {
    const isUsual = nulls === null || nulls === (direction === 'DESC' ? 'LAST' : 'FIRST');
    return [expressionPart(expression, view), direction ?? 'ASC', isUsual ? null : nulls];
  });
}

function windowPart(window: WindowDefinition, view: ExpressionView): FormPart {
  const base = window.base === null ? null : view.windowOf(window.base.name);
  return [
    'over',
    base === null ? null : windowPart(base, view),
    sortedParts(window.partitionBy.map((one) => expressionPart(one, view))),
    orderParts(window.orderBy, view),
    window.bounds.map((bound) => expressionPart(bound, view)),
  ];
}

function overPart({ over }: FunctionCall, view: ExpressionView): FormPart {
  if (over === null) return null;
  if (over.kind === 'window') return windowPart(over, view);
  const window = view.windowOf(over.name);
  return window === null ? ['over', over.name.toLowerCase()] : windowPart(window, view);
}

function callPart(call: FunctionCall, view: ExpressionView): FormPart {
  return [
    `${call.name.name.toLowerCase()}(${call.distinct ? 'distinct' : ''}${call.star ? '*' : ''})`,
    ...call.args.map((arg) => expressionPart(arg, view)),
    orderParts(call.orderBy, view),
    call.filter === null ? null : sortedParts(conjunctParts(call.filter, view)),
    overPart(call, view),
  ];
}

/** Returns the label that distinguishes expressions of a kind that have the same children. */
function labelOf(expression: Expression): string {
  switch (expression.kind) {
    case 'unary':
      return expression.operator;
    case 'cast':
      return `cast ${expression.type.toLowerCase().replace(/\s+/g, ' ')}`;
    case 'collate':
      return `collate ${expression.collation.name.toLowerCase()}`;
    case 'null-test':
      return expression.negated ? 'not null' : 'null';
    case 'like':
      return `${expression.negated ? 'not ' : ''}${expression.operator}${expression.escape === null ? '' : ' escape'}`;
    case 'between':
      return expression.negated ? 'not between' : 'between';
    case 'case':
      return `case ${expression.operand === null ? '' : 'of'} ${expression.otherwise === null ? '' : 'else'}`;
    default:
      return expression.kind;
  }
}

/** The form of an expression; literals of comparisons count as the view's values do, all others count. */
export function expressionPart(expression: Expression, view: ExpressionView): FormPart {
  const inner = unparenthesized(expression);
  switch (inner.kind) {
    case 'column':
      return view.columnKey(inner) ?? `'${inner.column.name}'`;
    case 'literal':
      return inner.type === 'number'
        ? `#${Number(inner.value)}`
        : inner.type === 'string'
          ? `'${inner.value}'`
          : [inner.type, inner.value.toLowerCase()];
    case 'binary':
      return binaryPart(inner, view);
    case 'in':
      return inPart(inner, view);
    case 'function':
      return callPart(inner, view);
    case 'subquery':
      return ['subquery', view.queryKey(inner.select)];
    case 'exists':
      return ['exists', view.queryKey(inner.select)];
    case 'between':
      return inner.negated
        ? [labelOf(inner), ...childrenOf(inner).map((child) => operandPart(child, view))]
        : ['AND', sortedParts(conjunctParts(inner, view))];
    case 'like':
      return [labelOf(inner), ...childrenOf(inner).map((child) => operandPart(child, view))];
    default:
      return [labelOf(inner), ...childrenOf(inner).map((child) => expressionPart(child, view))];
  }
}
