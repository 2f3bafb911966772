import type { Expression } from '../../../sql/ast.js';
import type { ColumnTarget } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { CoreSite } from '../query-sites.js';
import { columnOf } from './conditions.js';
import { Determined } from './joined-columns.js';
import { isSingleRow } from './single-row.js';

/** Checks whether it makes no difference how often a SELECT has a row, of a row of its tables or of several. */
export function countsNoDuplicates(gold: Gold, core: CoreSite): boolean {
  const { node, select } = core;
  if (node.groupBy.length > 0 || node.having !== null || select.node.limit !== null || node.windows.length > 0)
    return false;
  const isPlain = node.columns.every((column) => column.kind === 'result' && column.expression.kind === 'column');
  return isPlain && (node.quantifier === 'DISTINCT' || distinctIsIdle(gold, core) !== null);
}

/** The columns of its own tables that a SELECT selects as they are. */
function selected({ bound }: CoreSite): ColumnTarget[] {
  return bound.outputs.flatMap(({ found }) => {
    const isOwn = found?.target.kind === 'column' && found.merged.length === 0;
    return isOwn && found.target.kind === 'column' && bound.sources.includes(found.target.source) ? [found.target] : [];
  });
}

/** Checks whether a SELECT selects a key of each of its tables, or of one that refers to the others. */
function selectsKey(gold: Gold, core: CoreSite): boolean {
  return core.node.groupBy.length === 0 && new Determined(gold, core, selected(core)).rows;
}

/** Checks whether what a SELECT selects tells what it groups by: then no two groups have the same row. */
function selectsGroups(gold: Gold, core: CoreSite): boolean {
  const { groupBy } = core.node;
  if (groupBy.length === 0) return false;
  const determined = new Determined(gold, core, selected(core));
  return groupBy.every((term) => determined.tells(term));
}

/** Why DISTINCT has nothing to do in a SELECT whatever its tables hold, or null. */
export function distinctIsIdle(gold: Gold, core: CoreSite): string | null {
  const { node: select, use } = core.select;
  if ((use === 'in' || use === 'exists') && select.limit === null) return 'a test for membership counts no duplicates';
  const operators = select.terms.slice(1).map(({ operator }) => operator);
  if (operators.length > 0 && !operators.includes('UNION ALL')) return 'the set operation removes duplicates';
  return isSingleRow(gold, core) ? 'an aggregate without GROUP BY has one row' : null;
}

/**
 * Checks whether a SELECT takes its first row only, and what it selects tells the order: then duplicates come one after
 * another.
 */
function takesFirst(gold: Gold, core: CoreSite): boolean {
  const { limit, orderBy, terms } = core.select.node;
  if (terms.length > 1 || core.node.groupBy.length > 0 || limit === null || limit.offset !== null) return false;
  if (limit.count?.kind !== 'literal' || limit.count.value !== '1') return false;
  const determined = new Determined(gold, core, selected(core));
  return orderBy.length > 0 && orderBy.every(({ expression }) => determined.tells(expression));
}

/** Why a SELECT is the same with and without DISTINCT, or null. */
export function distinctIsFree(gold: Gold, core: CoreSite): string | null {
  const idle = distinctIsIdle(gold, core);
  if (idle !== null) return idle;
  if (selectsKey(gold, core)) return 'a key of the tables is selected';
  if (takesFirst(gold, core)) return 'only the first row is taken';
  return selectsGroups(gold, core) ? 'all that is grouped by is selected' : null;
}

/** Why no group of a SELECT has a value of a column twice, or null. */
export function targetIsDistinct(gold: Gold, core: CoreSite, target: ColumnTarget): string | null {
  const terms = core.node.groupBy.flatMap((term) => columnOf(gold, core, term) ?? []);
  const isDistinct = new Determined(gold, core, [target, ...terms], [target]).rows;
  return isDistinct ? 'the values of a group are distinct' : null;
}

/** Why an aggregate is the same with and without DISTINCT, or null. */
export function valuesAreDistinct(gold: Gold, core: CoreSite, arg: Expression): string | null {
  const target = columnOf(gold, core, arg);
  return target === null ? null : targetIsDistinct(gold, core, target);
}
