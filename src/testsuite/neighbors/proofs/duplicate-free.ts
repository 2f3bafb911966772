import { columnKey } from '../../../schema/schema.js';
import { bareExpression } from '../../../sql/ast-walk.js';
import { sameTarget } from '../../../sql/name-context.js';
import { baseOf } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { CoreSite } from '../query-sites.js';
import { isNeverNull } from './no-nulls.js';
import { isSingleRow } from './single-row.js';

/** Whether a SELECT from one table selects a key of it, NULL excluded: NULL may be there twice. */
function selectsKey(gold: Gold, core: CoreSite): boolean {
  const [source, ...others] = core.bound.sources;
  if (source === undefined || others.length > 0 || core.node.groupBy.length > 0) return false;
  const selected = new Set<string>();
  for (const { found } of core.bound.outputs) {
    if (found?.target.kind !== 'column' || !isNeverNull(gold, core, found.target)) continue;
    const ref = baseOf(found.target.column);
    if (ref !== null) selected.add(columnKey(ref));
  }
  return gold.facts.keys.some((key) => key.every((ref) => selected.has(columnKey(ref))));
}

/** Whether a SELECT selects all that it groups by: then no two groups have the same row. */
function selectsGroups({ names }: Gold, { node, bound }: CoreSite): boolean {
  if (node.groupBy.length === 0) return false;
  return node.groupBy.every((term) => {
    const bare = bareExpression(term);
    const target = bare.kind === 'column' ? names.get(bare.column)?.found?.target : undefined;
    return (
      target !== undefined && bound.outputs.some(({ found }) => found !== null && sameTarget(found.target, target))
    );
  });
}

/** Why a SELECT is the same without DISTINCT, or null. */
export function distinctIsFree(gold: Gold, core: CoreSite): string | null {
  const { node: select, use } = core.select;
  if ((use === 'in' || use === 'exists') && select.limit === null) return 'a test for membership counts no duplicates';
  const operators = select.terms.slice(1).map(({ operator }) => operator);
  if (operators.length > 0 && !operators.includes('UNION ALL')) return 'the set operation removes duplicates';
  if (isSingleRow(core)) return 'an aggregate without GROUP BY has one row';
  if (selectsKey(gold, core)) return 'a key of the only table is selected';
  return selectsGroups(gold, core) ? 'all that is grouped by is selected' : null;
}
