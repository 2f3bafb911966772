import type { Expression, Source } from '../../../sql/ast.js';
import { conjunctsOf, joinsOf, onCondition, unparenthesized } from '../../../sql/ast-walk.js';
import { isComparison } from '../../../sql/operators.js';
import { sameTarget } from '../../../sql/name-context.js';
import type { ColumnTarget } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { CoreSite } from '../query-sites.js';

/** Checks whether a FROM clause fills up rows with NULL. */
export function hasOuterJoin(source: Source): boolean {
  return joinsOf(source).some(({ type }) => ['left', 'right', 'full'].includes(type));
}

/** The conditions that every row of a SELECT meets: those of WHERE, and of its joins where none fills up rows. */
export function conditionsOf({ node: { from, where } }: CoreSite): Expression[] {
  const joined = from === null || hasOuterJoin(from) ? [] : joinsOf(from).map(onCondition);
  return [...joined, where].flatMap(conjunctsOf);
}

/** The column of a SELECT's own tables that an expression is, or null. */
export function columnOf({ names }: Gold, { bound }: CoreSite, node: Expression): ColumnTarget | null {
  const bare = unparenthesized(node);
  const found = bare.kind === 'column' ? names.get(bare.column)?.found : undefined;
  if (found?.target.kind !== 'column' || found.merged.length > 0) return null;
  return bound.sources.includes(found.target.source) ? found.target : null;
}

/** Operands of which none may be NULL for a condition to be true. */
function strictOperands(node: Expression): readonly Expression[] {
  if (node.kind === 'binary') {
    if (isComparison(node.operator)) return [node.left, node.right];
    const isTest = node.operator === 'IS NOT' && node.right.kind === 'literal' && node.right.type === 'null';
    return isTest ? [node.left] : [];
  }
  if (node.kind === 'like') return [node.left, node.right];
  if (node.kind === 'between') return [node.operand];
  // Nothing, NULL neither, is in an empty list: NOT IN lets NULL through there.
  return node.kind === 'in' && !node.negated ? [node.operand] : [];
}

/** The columns that have a value in each row that meets a condition. */
export function presentColumns(gold: Gold, core: CoreSite, condition: Expression): ColumnTarget[] {
  if (condition.kind === 'binary' && condition.operator === 'OR') {
    const [left, right] = [condition.left, condition.right].map((side) =>
      conjunctsOf(side).flatMap((part) => presentColumns(gold, core, part)),
    );
    return (left ?? []).filter((target) => right?.some((other) => sameTarget(target, other)));
  }
  return strictOperands(condition).flatMap((operand) => columnOf(gold, core, operand) ?? []);
}
