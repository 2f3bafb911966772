import type { ColumnNode, Expression, FunctionCall, SelectCore } from './ast.js';
import { expressionsWithin } from './ast-walk.js';

const EXTREMES: ReadonlySet<string> = new Set(['min', 'max']);

/** The aggregates of SQL's standard that Spider has, and its grammars. */
export const STANDARD_AGGREGATES: readonly string[] = ['count', 'sum', 'avg', ...EXTREMES];

const OF_NUMBERS: ReadonlySet<string> = new Set([...STANDARD_AGGREGATES, 'total']);

/** Every aggregate that queries are looked through for. */
const AGGREGATES: ReadonlySet<string> = new Set([...OF_NUMBERS, 'group_concat', 'string_agg']);

/** Checks whether an expression calls min or max, of a column's values or of several. */
export function isExtreme(node: Expression): node is FunctionCall {
  return node.kind === 'function' && EXTREMES.has(node.name.name.toLowerCase());
}

/** Checks whether an expression calls an aggregate that numbers are compared with, be it over a window. */
export function isNumericAggregate(node: Expression): node is FunctionCall {
  return node.kind === 'function' && OF_NUMBERS.has(node.name.name.toLowerCase());
}

/**
 * Checks whether a function of so many values is an aggregate by its name; min and max of several values are none in
 * SQLite.
 */
export function isAggregateName(name: string, values: number): boolean {
  const lower = name.toLowerCase();
  return AGGREGATES.has(lower) && (values < 2 || !EXTREMES.has(lower));
}

/** Checks whether the rows that are there twice count twice for an aggregate, as they do for all but min and max. */
export function countsDuplicates(name: string): boolean {
  return AGGREGATES.has(name.toLowerCase()) && !EXTREMES.has(name.toLowerCase());
}

/** Checks whether an expression is a call of an aggregate over groups. */
export function isAggregate(node: Expression): node is FunctionCall {
  return node.kind === 'function' && node.over === null && isAggregateName(node.name.name, node.args.length);
}

/** Checks whether an expression aggregates, subqueries left aside. */
export function aggregates(node: Expression): boolean {
  return expressionsWithin(node).some(isAggregate);
}

/** The outermost aggregates of an expression, subqueries left aside. */
export function aggregatesIn(node: Expression): readonly FunctionCall[] {
  return expressionsWithin(node, isAggregate).filter(isAggregate);
}

/** The columns of an expression that no aggregate takes. */
export function bareColumns(expression: Expression): readonly ColumnNode[] {
  return expressionsWithin(expression, isAggregate).filter((node) => node.kind === 'column');
}

/** Checks whether what a SELECT selects has an aggregate. */
export function selectsAggregate({ columns }: SelectCore): boolean {
  return columns.some((column) => column.kind === 'result' && aggregates(column.expression));
}
