import type { Gold } from '../change.js';
import type { SelectSite } from '../query-sites.js';
import { Determined } from './joined-columns.js';
import { oneRowSuffices } from './single-row.js';

/** Why a select without LIMIT is the same with LIMIT 1, or null. */
export function oneIsFree(gold: Gold, select: SelectSite): string | null {
  const [core] = select.cores;
  const isPlain = select.node.terms.length === 1 && core !== undefined && core.node.groupBy.length === 0;
  const isOne = isPlain && new Determined(gold, core, []).rows;
  return oneRowSuffices(gold, select) ?? (isOne ? 'the conditions let one row through' : null);
}
