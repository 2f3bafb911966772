import type { Gold, QueryChange } from '../change.js';
import { joinsOf, type JoinSite } from '../join-sites.js';
import { leftIsInner, namesEarlier } from '../proofs/join-free.js';

function* turned(gold: Gold, site: JoinSite): Iterable<QueryChange> {
  const { type, left, right, constraint, natural } = site.node;
  if (constraint?.kind !== 'on' || natural !== null) return;
  const words = gold.text.between(left.span, right.span);
  const [before, after] = type === 'left' ? ['LEFT JOIN', 'JOIN'] : ['JOIN', 'LEFT JOIN'];
  if (type !== 'left' && (type !== 'inner' || !namesEarlier(site, gold))) return;
  yield { edit: gold.text.replace(words, after), detail: `${before} → ${after}`, equivalent: leftIsInner(gold, site) };
}

/** A join with a condition becomes a left join, and back. */
export function* joinType(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.cores.flatMap(joinsOf)) yield* turned(gold, site);
}
