import type { Gold, QueryChange } from '../change.js';
import { joinsOf } from '../join-sites.js';
import { conditionIsFree } from '../proofs/join-free.js';

/** The condition of a join goes: each row meets each. */
export function* dropOn(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.cores.flatMap(joinsOf)) {
    const { constraint } = site.node;
    if (constraint?.kind !== 'on') continue;
    const { span } = constraint;
    yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent: conditionIsFree(gold, site) };
  }
}
