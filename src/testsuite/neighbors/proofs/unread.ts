import { selectsAggregate } from '../../../sql/aggregates.js';
import type { CoreSite } from '../query-sites.js';

/** Why it makes no difference what a SELECT selects, or null: an EXISTS only asks whether there is a row. */
export function isUnread({ node, bound, select }: CoreSite): string | null {
  // Without GROUP BY, an aggregate has a row where nothing else has.
  const isFree = bound.exists && select.node.limit === null && !selectsAggregate(node);
  return isFree ? 'EXISTS does not read what it selects' : null;
}
