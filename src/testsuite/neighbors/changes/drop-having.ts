import type { Gold, QueryChange } from '../change.js';
import { isAlwaysTrue } from '../proofs/integer-test.js';

/** HAVING goes. */
export function* dropHaving(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    const { having } = core.node;
    if (having === null) continue;
    const span = gold.text.withWords(1, having.span);
    const equivalent = isAlwaysTrue(gold, { node: having, parent: null, clause: 'having', core });
    yield { edit: gold.text.cut(span), detail: gold.sql.slice(span.start, span.end), equivalent };
  }
}
