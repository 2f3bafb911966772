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

/** Whether a column of a table in a SELECT's own FROM is never NULL in its rows: it is declared so, or a condition asks for it. */
export function isNeverNull(gold: Gold, core: CoreSite, target: ColumnTarget): boolean {
  const { source, column } = target;
  const { node, bound } = core;
  if (!bound.sources.includes(source)) return false;
  const ref = source.relation.table === null ? null : baseOf(column);
  const isDeclared = ref !== null && gold.facts.notNull.has(columnKey(ref));
  if (isDeclared && node.from !== null && !hasOuterJoin(node.from)) return true;
  return presentIn(gold, core).some((present) => sameTarget(present, target));
}
