import type { Gold, NeighborRule, QueryChange } from '../change.js';
import { oneIsFree } from '../proofs/one-row.js';

/** LIMIT 1 comes where rows have an order: only the first is asked for. */
export const addLimit: NeighborRule = {
  kind: 'add-limit',
  *changes(gold: Gold): Iterable<QueryChange> {
    for (const select of gold.sites.selects) {
      const last = select.node.orderBy.at(-1);
      if (last === undefined || select.node.limit !== null) continue;
      const { end } = last.span;
      yield {
        edit: gold.text.replace({ start: end, end }, ' LIMIT 1'),
        detail: 'LIMIT 1 added',
        equivalent: oneIsFree(gold, select),
      };
    }
  },
};
