import type { Gold, NeighborRule, QueryChange } from '../change.js';
import { joinsOf } from '../join-sites.js';

/** The condition of a join goes: each row meets each. */
export const dropOn: NeighborRule = {
  kind: 'drop-on',
  *changes(gold: Gold): Iterable<QueryChange> {
    for (const { node } of gold.sites.cores.flatMap(joinsOf)) {
      if (node.constraint?.kind !== 'on') continue;
      const { span } = node.constraint;
      yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent: null };
    }
  },
};
