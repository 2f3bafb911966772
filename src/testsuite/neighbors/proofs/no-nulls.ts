import { columnKey } from '../../../schema/schema.js';
import { sameTarget } from '../../../sql/name-context.js';
import { baseOf, type ColumnTarget } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { CoreSite } from '../query-sites.js';
import { conditionsOf, hasOuterJoin, presentColumns } from './conditions.js';

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
