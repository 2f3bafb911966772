import type { Gold, QueryChange } from '../change.js';
import { distinctIsFree, valuesAreDistinct } from '../proofs/duplicate-free.js';
import type { ExpressionSite } from '../query-sites.js';

function* ofSelects(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    if (core.node.quantifier !== 'DISTINCT') continue;
    const word = gold.text.at(gold.text.placeFrom(core.node.span.start) + 1);
    yield { edit: gold.text.cut(word), detail: 'SELECT DISTINCT → SELECT', equivalent: distinctIsFree(gold, core) };
  }
}

function* ofCall(gold: Gold, { node, core }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'function' || !node.distinct) return;
  const name = node.name.name.toLowerCase();
  const word = gold.text.at(gold.text.placeFrom(node.name.span.end) + 1);
  const [arg] = node.args;
  const extreme = name === 'min' || name === 'max';
  const distinct = core === null || arg === undefined ? null : valuesAreDistinct(gold, core, arg);
  const equivalent = extreme ? `${name} is the same with and without duplicates` : distinct;
  yield { edit: gold.text.cut(word), detail: `${name}(DISTINCT …) → ${name}(…)`, equivalent };
}

/** DISTINCT goes, of a SELECT or of an aggregate. */
export function* dropDistinct(gold: Gold): Iterable<QueryChange> {
  yield* ofSelects(gold);
  for (const site of gold.sites.expressions) yield* ofCall(gold, site);
}
