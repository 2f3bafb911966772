import type { Expression, Source } from '../../../sql/ast.js';
import { conjunctsOf, joinsOf, onCondition, unparenthesized } from '../../../sql/ast-walk.js';
import { isComparison } from '../../../sql/operators.js';
import { sameTarget } from '../../../sql/name-context.js';
import { baseOf, type ColumnTarget } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { CoreSite } from '../query-sites.js';
import { columnKey } from '../../../schema/schema.js';

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

/** Columns that a SELECT's conditions ask for a value. */
const PRESENT = new WeakMap<CoreSite, readonly ColumnTarget[]>();

function presentIn(gold: Gold, core: CoreSite): readonly ColumnTarget[] {
  const known = PRESENT.get(core);
  if (known !== undefined) return known;
  const present = conditionsOf(core).flatMap((condition) => presentColumns(gold, core, condition));
  PRESENT.set(core, present);
  return present;
}

/**
 * Checks whether a column of a table in a SELECT's own FROM is declared to be never NULL, and no outer join makes it
 * so.
 */
export function isDeclaredPresent(gold: Gold, { node, bound }: CoreSite, { source, column }: ColumnTarget): boolean {
  if (!bound.sources.includes(source) || source.relation.table === null) return false;
  const ref = baseOf(column);
  return ref !== null && gold.facts.notNull.has(columnKey(ref)) && node.from !== null && !hasOuterJoin(node.from);
}

/**
 * Checks whether a column of a table in a SELECT's own FROM is never NULL in its rows: it is declared so, or a
 * condition asks for it.
 */
export function isNeverNull(gold: Gold, core: CoreSite, target: ColumnTarget): boolean {
  if (!core.bound.sources.includes(target.source)) return false;
  return isDeclaredPresent(gold, core, target) || presentIn(gold, core).some((present) => sameTarget(present, target));
}
