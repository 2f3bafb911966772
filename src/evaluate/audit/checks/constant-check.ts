import type { Expression, SelectCore } from '../../../sql/ast.js';
import { bareExpression, childrenOf, conjunctsOf, unparenthesized } from '../../../sql/ast-walk.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';
import type { AuditedGold } from '../audited-gold.js';
import { equalSides, type ReadQuery } from '../read-query.js';
import { type GoldFinding, plainFinding } from '../finding.js';

interface FixedColumn {
  readonly key: string;
  readonly value: SqlValue;
  readonly node: Expression;
}

/** `column = literal`, either way round; null for all else. */
function fixedColumn(query: ReadQuery, condition: Expression): FixedColumn | null {
  for (const [side, other] of equalSides(condition)) {
    const value = query.value(other);
    if (value === undefined || value === null || unparenthesized(side).kind !== 'column') continue;
    if (query.column(side) === null) continue;
    return { key: query.text(side).toLowerCase(), value, node: condition };
  }
  return null;
}

/** Two conditions of one AND that no row meets. */
function contradiction(query: ReadQuery, condition: Expression): string | null {
  const fixed = new Map<string, FixedColumn>();
  for (const part of conjunctsOf(condition)) {
    const own = fixedColumn(query, part);
    if (own === null) continue;
    const other = fixed.get(own.key);
    if (other !== undefined && String(other.value) !== String(own.value) && typeof other.value === typeof own.value)
      return `No row meets both ${query.text(other.node)} and ${query.text(own.node)}.`;
    fixed.set(own.key, own);
  }
  return null;
}

/** A range that holds no value. */
function emptyRange(query: ReadQuery, node: Expression): string | null {
  if (node.kind !== 'between') return null;
  const [low, high] = [query.value(node.low), query.value(node.high)];
  const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber(low) || !isNumber(high) || low <= high) return null;
  return `${query.text(node)} holds no value: the low end is above the high one.`;
}

/** A comparison of two constants, where a name was likely meant. */
function constantComparison(query: ReadQuery, node: Expression): string | null {
  if (node.kind !== 'binary' && node.kind !== 'like') return null;
  const operator = node.operator;
  if (!/^(?:==?|<>|!=|<=?|>=?|LIKE)$/.test(operator)) return null;
  const [left, right] = [query.value(node.left), query.value(node.right)];
  if (typeof left !== 'string' || right === undefined) return null;
  return `${query.text(node)} compares two constants.`;
}

const isValue = (query: ReadQuery, node: Expression): boolean => {
  const value = query.value(node);
  return value !== undefined && value !== null;
};

/** The values that CASE or IIF chooses from; null for all else, and where it may have none. */
function choices(node: Expression): readonly Expression[] | null {
  if (node.kind === 'case')
    return node.otherwise === null ? null : [...node.branches.map(({ then }) => then), node.otherwise];
  if (node.kind !== 'function' || !/^ii?f$/i.test(node.name.name) || node.args.length !== 3) return null;
  return node.args.slice(1);
}

/** Checks whether an expression has a value wherever what it tests has one, true or not. */
function isTest(node: Expression): boolean {
  if (node.kind === 'like' || node.kind === 'between' || node.kind === 'in') return true;
  return node.kind === 'binary' && /^(?:==?|<>|!=|<=?|>=?|IS|IS NOT)$/.test(node.operator);
}

/** A count of what has a value on rows that it should leave out, too. */
function countOfAll(query: ReadQuery, node: Expression): string | null {
  if (node.kind !== 'function' || node.distinct || !/^count$/i.test(node.name.name)) return null;
  const [only] = node.args;
  const counted = only === undefined ? null : bareExpression(only);
  if (counted === null) return null;
  const isFull = isTest(counted) || choices(counted)?.every((value) => isValue(query, value)) === true;
  if (!isFull) return null;
  return `${query.text(node)} also counts the rows on which its condition does not hold: COUNT leaves out NULL alone.`;
}

function isConstant(query: ReadQuery, expression: Expression): boolean {
  if (query.value(expression) !== undefined) return true;
  const children = childrenOf(expression);
  return expression.kind !== 'function' && children.length > 0 && children.every((child) => isConstant(query, child));
}

/** Checks whether all that a SELECT shows is constants. */
function showsConstants(query: ReadQuery, core: SelectCore): boolean {
  return core.columns.every((column) => column.kind === 'result' && isConstant(query, column.expression));
}

function constantOf(query: ReadQuery): string | null {
  const { cores, expressions } = query.sites;
  const ofResult = cores.filter(({ select }) => select.use === 'result');
  if (ofResult.length > 0 && ofResult.every(({ node }) => showsConstants(query, node)))
    return 'The result holds nothing but constants.';
  for (const { node } of expressions) {
    const found =
      contradiction(query, node) ??
      emptyRange(query, node) ??
      constantComparison(query, node) ??
      countOfAll(query, node);
    if (found !== null) return found;
  }
  return null;
}

/** Gold queries whose result, or a condition of theirs, is the same on all rows. */
export function checkConstant({ written }: AuditedGold): readonly GoldFinding[] {
  const sentence = written === null ? null : constantOf(written);
  return sentence === null ? [] : [plainFinding('constant', sentence)];
}
