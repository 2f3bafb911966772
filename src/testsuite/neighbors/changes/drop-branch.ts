import type { Gold, QueryChange } from '../change.js';

/** One branch of a set operation goes, with the operator before it, or after the first. */
export function* dropBranch(gold: Gold): Iterable<QueryChange> {
  for (const { node } of gold.sites.selects) {
    for (const [i, { span }] of node.terms.entries()) {
      const [before, after] = [node.terms[i - 1], node.terms[i + 1]];
      if (before === undefined && after === undefined) continue;
      const start = before === undefined ? span.start : gold.text.at(gold.text.placeFrom(before.span.end)).start;
      const end = before === undefined && after !== undefined ? after.span.start : span.end;
      yield { edit: gold.text.cut({ start, end }), detail: gold.sql.slice(start, end).trim(), equivalent: null };
    }
  }
}
