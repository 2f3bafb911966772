import type { Gold, NeighborRule, QueryChange } from '../change.js';
import { limitIsFree } from '../proofs/single-row.js';

/** LIMIT goes, with its OFFSET. */
export const dropLimit: NeighborRule = {
  kind: 'drop-limit',
  *changes(gold: Gold): Iterable<QueryChange> {
    for (const select of gold.sites.selects) {
      const { limit } = select.node;
      if (limit === null) continue;
      const detail = gold.sql.slice(limit.span.start, limit.span.end);
      yield { edit: gold.text.cut(limit.span), detail, equivalent: limitIsFree(select, limit) };
    }
  },
};
