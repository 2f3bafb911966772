import { columnAt } from '../../../schema/schema.js';
import { baseOf, nameIn, type ColumnTarget, type RelationColumn } from '../../../sql/scope.js';
import type { Gold, NeighborRule, QueryChange } from '../change.js';
import { isNeverNull } from '../proofs/no-nulls.js';
import type { ExpressionSite } from '../query-sites.js';
import { spellColumn } from '../spelled-column.js';

function typeOf({ database }: Gold, column: RelationColumn): string | null {
  const ref = baseOf(column);
  return ref === null ? null : columnAt(database, ref).type;
}

/** The other columns of a column's table that have its type. */
function othersOf(gold: Gold, { source, column }: ColumnTarget): ColumnTarget[] {
  const type = typeOf(gold, column);
  const others = source.relation.columns.filter((other) => other !== column && typeOf(gold, other) === type);
  return type === null ? [] : others.map((other) => ({ kind: 'column', source, column: other }));
}

/** Whether a column is the whole of what an EXISTS selects: it only asks whether there is a row. */
function isUnread({ core, clause, parent }: ExpressionSite): boolean {
  return (
    core !== null && core.bound.exists && clause === 'result' && parent === null && core.select.node.limit === null
  );
}

/** Why one column in the place of another makes no difference, or null. */
function proofOf(gold: Gold, site: ExpressionSite, before: ColumnTarget, after: ColumnTarget): string | null {
  if (isUnread(site)) return 'EXISTS does not read what it selects';
  const call = site.parent?.node;
  if (site.core === null || call?.kind !== 'function' || call.name.name.toLowerCase() !== 'count') return null;
  if (call.distinct || call.over !== null) return null;
  const never = isNeverNull(gold, site.core, before) && isNeverNull(gold, site.core, after);
  return never ? 'neither column counted is ever NULL' : null;
}

function* swaps(gold: Gold, site: ExpressionSite): Iterable<QueryChange> {
  if (site.node.kind !== 'column') return;
  const binding = gold.names.get(site.node.column);
  // A column that USING or NATURAL matched is of two tables.
  if (binding?.found?.target.kind !== 'column' || binding.found.merged.length > 0) return;
  const before = binding.found.target;
  for (const after of othersOf(gold, before)) {
    const text = spellColumn(gold, binding.context, after, binding.qualifier?.name ?? null);
    if (text === null) continue;
    const detail = `${nameIn(gold.world, before.column)} → ${nameIn(gold.world, after.column)}`;
    yield { edit: gold.text.replace(site.node.span, text), detail, equivalent: proofOf(gold, site, before, after) };
  }
}

/** A column becomes another of its table and type. */
export const column: NeighborRule = {
  kind: 'column',
  *changes(gold: Gold): Iterable<QueryChange> {
    for (const site of gold.sites.expressions) yield* swaps(gold, site);
  },
};
