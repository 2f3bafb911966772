import type { Gold, QueryChange } from '../change.js';
import { oneIsFree } from '../proofs/one-row.js';

/** Only the first row is asked for, or a page of them: that it is not the gold's shows on results that are longer. */
const LIMITS = [1, 10];

/** A LIMIT comes where rows have an order. */
export function* addLimit(gold: Gold): Iterable<QueryChange> {
  for (const select of gold.sites.selects) {
    const last = select.node.orderBy.at(-1);
    if (last === undefined || select.node.limit !== null) continue;
    const { end } = last.span;
    for (const limit of LIMITS) {
      yield {
        edit: gold.text.replace({ start: end, end }, ` LIMIT ${limit}`),
        detail: `LIMIT ${limit} added`,
        equivalent: oneIsFree(gold, select),
      };
    }
  }
}
