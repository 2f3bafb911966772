import type { Expression, FunctionCall } from '../../../sql/ast.js';
import { aggregates, selectsAggregate } from '../../../sql/aggregates.js';
import type { Gold } from '../change.js';
import type { CoreSite } from '../query-sites.js';
import { columnOf } from './conditions.js';
import { Determined } from './joined-columns.js';

/** Checks whether each group of a SELECT has one row: what it groups by determines a row of each table. */
function hasOneRowGroups(gold: Gold, core: CoreSite): boolean {
  const terms = core.node.groupBy.map((term) => columnOf(gold, core, term));
  return (
    terms.length > 0 &&
    new Determined(
      gold,
      core,
      terms.filter((term) => term !== null),
    ).rows
  );
}

const EXTREMES = ['min', 'max'];

/** Why min and max of one column are the same, and the column itself, or null. */
export function extremeIsFree(gold: Gold, core: CoreSite, { name, args, filter }: FunctionCall): string | null {
  const [arg] = args;
  const isExtreme = EXTREMES.includes(name.name.toLowerCase()) && filter === null && arg?.kind === 'column';
  return isExtreme && hasOneRowGroups(gold, core) ? 'each group has one row' : null;
}

/** Why a SELECT is the same without its GROUP BY, or null. */
export function groupsAreFree(gold: Gold, core: CoreSite): string | null {
  const { node, select } = core;
  const isPlain = node.having === null && !selectsAggregate(node);
  const isOrdered = select.node.orderBy.some(({ expression }) => aggregates(expression));
  return isPlain && !isOrdered && hasOneRowGroups(gold, core) ? 'each group has one row' : null;
}

/** Why a SELECT is the same without a term of its GROUP BY, or null. */
export function termIsFree(gold: Gold, core: CoreSite, term: Expression): string | null {
  const target = columnOf(gold, core, term);
  if (target === null) return null;
  const others = core.node.groupBy.flatMap((other) => (other === term ? [] : (columnOf(gold, core, other) ?? [])));
  return new Determined(gold, core, others).has(target) ? 'the other terms tell its value' : null;
}
