import { columnKey } from '../../../schema/schema.js';
import type { Expression } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import { baseOf } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { ExpressionSite } from '../query-sites.js';
import { isNeverNull } from './conditions.js';

/** The replacement for a part of the query: another number, or another operator of a comparison. */
export interface Replacement {
  readonly node: Expression;
  readonly value: number | string;
}

/** The tests of values by comparison operators. */
export const TESTS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '==': (value, bound) => value === bound,
  '!=': (value, bound) => value !== bound,
  '<>': (value, bound) => value !== bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};
/** Below it every integer is a double of its own. */
const MAX_EXACT = 2 ** 50;

function numberOf(node: Expression, replacement: Replacement | null): number | null {
  if (replacement?.node === node) return typeof replacement.value === 'number' ? replacement.value : null;
  const bare = unparenthesized(node);
  if (bare !== node) return numberOf(bare, replacement);
  if (node.kind === 'unary' && node.operator === '-') {
    const value = numberOf(node.operand, replacement);
    return value === null ? null : -value;
  }
  const value = node.kind === 'literal' && node.type === 'number' ? Number(node.value) : Number.NaN;
  return Math.abs(value) < MAX_EXACT ? value : null;
}

/**
 * A test of one value against numbers, as the query has it or after a replacement in it: which it lets through, and where
 * that may change; null where it is none.
 */
function numberTest(node: Expression, replacement: Replacement | null) {
  if (node.kind === 'between') {
    const [low, high] = [numberOf(node.low, replacement), numberOf(node.high, replacement)];
    if (low === null || high === null) return null;
    const passes = (value: number): boolean => (value >= low && value <= high) !== node.negated;
    return { subject: unparenthesized(node.operand), passes, bounds: [low, high] };
  }
  if (node.kind !== 'binary') return null;
  const operator = replacement?.node === node ? String(replacement.value) : node.operator;
  const test = TESTS[operator];
  const [left, right] = [numberOf(node.left, replacement), numberOf(node.right, replacement)];
  if (test === undefined || (left === null) === (right === null)) return null;
  if (right !== null) {
    return { subject: unparenthesized(node.left), passes: (value: number) => test(value, right), bounds: [right] };
  }
  const bound = left ?? 0;
  return { subject: unparenthesized(node.right), passes: (value: number) => test(bound, value), bounds: [bound] };
}

/** Least value of an expression that is always an integer and, where it is a count, never NULL; null for others. */
function leastInteger(gold: Gold, { clause, core }: ExpressionSite, subject: Expression): number | null {
  const found = subject.kind === 'column' ? gold.names.get(subject.column)?.found : undefined;
  if (found?.target.kind === 'column') {
    const ref = baseOf(found.target.column);
    return ref !== null && gold.facts.integer.has(columnKey(ref)) ? -MAX_EXACT : null;
  }
  if (subject.kind !== 'function' || subject.over !== null || subject.name.name.toLowerCase() !== 'count') return null;
  const grouped = clause === 'having' && core !== null && core.node.groupBy.length > 0 && subject.filter === null;
  if (!grouped) return 0;
  const [arg] = subject.args;
  const target = arg?.kind === 'column' ? gold.names.get(arg.column)?.found?.target : undefined;
  const counted = subject.star || (target?.kind === 'column' && isNeverNull(gold, core, target));
  return counted ? 1 : 0;
}

/** Integers at which tests with these bounds take every value that they take at all. */
function samples(bounds: readonly number[], least: number): number[] {
  const near = bounds.flatMap((bound) => [
    Math.floor(bound) - 1,
    Math.floor(bound),
    Math.ceil(bound),
    Math.ceil(bound) + 1,
  ]);
  return [least, MAX_EXACT, ...near].filter((value) => value >= least);
}

/** Why a comparison of integers with numbers is the same after a replacement in it, or null. */
export function sameForIntegers(gold: Gold, site: ExpressionSite, replacement: Replacement): string | null {
  const [before, after] = [numberTest(site.node, null), numberTest(site.node, replacement)];
  if (before === null || after === null) return null;
  const least = leastInteger(gold, site, before.subject);
  if (least === null) return null;
  const same = samples([...before.bounds, ...after.bounds], least).every((n) => before.passes(n) === after.passes(n));
  return same ? 'the same integers pass' : null;
}

/** Why a comparison is always true: every count passes it; else null. */
export function isAlwaysTrue(gold: Gold, site: ExpressionSite): string | null {
  const test = numberTest(unparenthesized(site.node), null);
  if (test?.subject.kind !== 'function') return null;
  const least = leastInteger(gold, site, test.subject);
  return least !== null && samples(test.bounds, least).every(test.passes) ? 'every count passes' : null;
}

/** A condition as a comparison of a count with numbers; null where it is none. */
export function countTest(condition: Expression) {
  const test = numberTest(unparenthesized(condition), null);
  if (test === null) return null;
  const { subject: call, passes } = test;
  if (call.kind !== 'function' || call.over !== null || call.filter !== null) return null;
  return call.name.name.toLowerCase() === 'count' ? { call, passes } : null;
}
