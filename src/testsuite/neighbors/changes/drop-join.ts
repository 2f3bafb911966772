import type { Gold, QueryChange } from '../change.js';
import { isNamedOutside, joinsOf, type JoinSite } from '../join-sites.js';
import { joinIsFree } from '../proofs/join-free.js';
import { fixesStar } from '../validity.js';

function* dropped(gold: Gold, site: JoinSite): Iterable<QueryChange> {
  const { node, left, right } = site;
  const span = { start: gold.text.between(node.left.span, node.right.span).start, end: node.span.end };
  const sides = [
    [right, gold.text.cut(span), span],
    [left, gold.text.replace(node.span, gold.text.textOf(node.right.span)), node.span],
  ] as const;
  for (const [source, edit, within] of sides) {
    if (source === null || isNamedOutside(gold, site, source, within)) continue;
    yield { edit, detail: gold.text.textOf(source.node.span), equivalent: joinIsFree(gold, site, source) };
  }
}

/** A joined table goes with the condition of its join, where no other part of the query names it. */
export function* dropJoin(gold: Gold): Iterable<QueryChange> {
  // NATURAL and USING name columns of all tables before them.
  if (gold.query.joins.length > 0) return;
  for (const core of gold.sites.cores.filter((each) => !fixesStar(each))) {
    for (const site of joinsOf(core)) yield* dropped(gold, site);
  }
}
