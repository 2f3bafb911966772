import { countsDuplicates, isAggregate } from '../../../sql/aggregates.js';
import type { Gold, QueryChange } from '../change.js';
import { distinctIsFree, distinctIsIdle, valuesAreDistinct } from '../proofs/duplicate-free.js';
import type { ExpressionSite } from '../query-sites.js';

function* ofSelects(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    // Where DISTINCT has nothing to do, whatever the tables hold, it is no mistake.
    if (core.node.quantifier !== null || distinctIsIdle(gold, core) !== null) continue;
    const word = gold.text.at(gold.text.placeFrom(core.node.span.start));
    const edit = gold.text.replace({ start: word.end, end: word.end }, 'DISTINCT');
    yield { edit, detail: 'SELECT → SELECT DISTINCT', equivalent: distinctIsFree(gold, core) };
  }
}

function* ofCall(gold: Gold, { node, core }: ExpressionSite): Iterable<QueryChange> {
  if (!isAggregate(node) || node.distinct || node.args.length !== 1) return;
  const [name, [arg]] = [node.name.name.toLowerCase(), node.args];
  if (arg === undefined || !countsDuplicates(name)) return;
  const edit = gold.text.replace({ start: arg.span.start, end: arg.span.start }, 'DISTINCT ');
  const equivalent = core === null ? null : valuesAreDistinct(gold, core, arg);
  yield { edit, detail: `${name}(…) → ${name}(DISTINCT …)`, equivalent };
}

/** DISTINCT comes, to a SELECT or to an aggregate that duplicates count for. */
export function* addDistinct(gold: Gold): Iterable<QueryChange> {
  yield* ofSelects(gold);
  for (const site of gold.sites.expressions) yield* ofCall(gold, site);
}
