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
import { mirroredOperator, PLAIN_COMPARISONS, plainOperator } from '../../sql/operators.js';
import type { FormRules } from './form-rules.js';

/** The context that the form of an expression depends on and can't tell by itself. */
export interface ExpressionView {
  readonly rules: FormRules;
  /** The part of what a name refers to; null where it is a string in double quotes. */
  readonly columnPart: (node: ColumnNode) => FormPart | null;
  readonly queryKey: (select: Select) => string;
  /** The definition of a window by its name. */
  readonly windowOf: (name: string) => WindowDefinition | null;
  /** The key of the table of `IN table`. */
  readonly tableKey: (source: Exclude<In['source'], { readonly kind: 'list' | 'subquery' }>) => string;
}

/** A part of a form: equal as JSON means equal, so far as the rules tell. */
export type FormPart = string | boolean | null | readonly FormPart[];

const COMMUTATIVE: ReadonlySet<string> = new Set(['=', '!=', '+', '*', 'IS', 'IS NOT', '&', '|']);
const COMPARISONS: ReadonlySet<string> = new Set([...PLAIN_COMPARISONS, 'IS', 'IS NOT']);
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
  if (bare.kind === 'column') return view.columnPart(bare) === null;
  return bare.kind === 'literal' && bare.type !== 'null';
}

/** A side of a comparison: which value it is, or which column on the right, counts only where the rules say so. */
function operandPart(expression: Expression, view: ExpressionView, isRight = true): FormPart {
  if (isValue(expression, view)) return view.rules.has('values') ? expressionPart(expression, view) : VALUE;
  const { kind } = bareExpression(expression);
  const isColumn = kind === 'column' || kind === 'function';
  return isRight && isColumn && !view.rules.has('compared-columns') ? VALUE : expressionPart(expression, view);
}

/** The sides of an expression whose first one is compared with the others. */
function operandParts(expression: Expression, view: ExpressionView): readonly FormPart[] {
  return childrenOf(expression).map((side, i) => operandPart(side, view, i > 0));
}

function childParts(expression: Expression, view: ExpressionView): readonly FormPart[] {
  return childrenOf(expression).map((child) => expressionPart(child, view));
}

/** The conditions that AND and OR hold together, whatever their parentheses. */
export function flatConditions(expression: Expression | null): readonly Expression[] {
  if (expression === null) return [];
  const bare = bareExpression(expression);
  const isConnector = bare.kind === 'binary' && (bare.operator === 'AND' || bare.operator === 'OR');
  return isConnector ? childrenOf(bare).flatMap(flatConditions) : [bare];
}

/** The conditions that must all hold, each a part; `x BETWEEN a AND b` is two of them. */
export function conjunctParts(expression: Expression | null, view: ExpressionView): readonly FormPart[] {
  return conjunctsOf(expression).flatMap((term) => {
    if (term.kind !== 'between' || term.negated || !view.rules.has('ranges')) return [expressionPart(term, view)];
    const [operand = null, low = null, high = null] = operandParts(term, view);
    const atLeast = view.rules.has('operands') ? ['<=', low, operand] : ['>=', operand, low];
    return [atLeast, ['<=', operand, high]];
  });
}

function binaryPart(node: Binary, view: ExpressionView): FormPart {
  if (node.operator === 'AND') return ['AND', sortedParts(conjunctParts(node, view))];
  if (node.operator === 'OR')
    return ['OR', sortedParts(operandsOf(node, 'OR').map((one) => expressionPart(one, view)))];
  const written = plainOperator(node.operator);
  const canTurn = view.rules.has('operands');
  const operator = canTurn && (written === '>' || written === '>=') ? mirroredOperator(written) : written;
  const sides = COMPARISONS.has(written) ? operandParts(node, view) : childParts(node, view);
  const [left = null, right = null] = sides;
  const operands = operator === written ? [left, right] : [right, left];
  if ((operator === 'IS' || operator === 'IS NOT') && isNull(node.right)) return nullPart(left, operator === 'IS NOT');
  return [operator, ...(canTurn && COMMUTATIVE.has(operator) ? sortedParts(operands) : operands)];
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

/** The direction of a term of ORDER BY, with NULLS where SQLite would not put them. */
function directionOf({ direction, nulls }: OrderingTerm): string {
  const isUsual = nulls === null || nulls === (direction === 'DESC' ? 'LAST' : 'FIRST');
  return `${direction ?? 'ASC'}${isUsual ? '' : ` ${nulls}`}`;
}

/** The directions of a query's terms of ORDER BY where they differ, or have NULLS. */
export function variedDirections(terms: readonly OrderingTerm[]): readonly string[] {
  const directions = terms.map(directionOf);
  return new Set(directions).size > 1 || directions[0]?.includes(' ') === true ? directions : [];
}

/** The terms of an ORDER BY in a call or a window, in their sequence, with their directions. */
function orderParts(terms: readonly OrderingTerm[], view: ExpressionView): readonly FormPart[] {
  return terms.map((term) => [expressionPart(term.expression, view), directionOf(term)]);
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
    `${call.name.name.toLowerCase()}(${call.distinct && view.rules.has('distinct') ? 'distinct' : ''}${call.star ? '*' : ''})`,
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
  const inner = view.rules.has('collations') ? unparenthesized(expression) : bareExpression(expression);
  switch (inner.kind) {
    case 'column':
      return view.columnPart(inner) ?? `'${inner.column.name}'`;
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
      return inner.negated || !view.rules.has('ranges')
        ? [labelOf(inner), ...operandParts(inner, view)]
        : ['AND', sortedParts(conjunctParts(inner, view))];
    case 'like':
      return [labelOf(inner), ...operandParts(inner, view)];
    default:
      return [labelOf(inner), ...childParts(inner, view)];
  }
}

/** Returns the subject of a condition: its first operand. */
export function unitOf(part: FormPart): FormPart {
  return Array.isArray(part)
    ? ((part as readonly FormPart[]).find((one, i) => i > 0 && one !== 'value') ?? part)
    : part;
}

/** Which conditions OR holds together, without what they say. */
export function groupsOf(part: FormPart): FormPart {
  if (!Array.isArray(part) || (part[0] !== 'OR' && part[0] !== 'AND')) return '';
  const [word = null, terms = null] = part as readonly FormPart[];
  return [word, Array.isArray(terms) ? sortedParts((terms as readonly FormPart[]).map(groupsOf)) : null];
}
