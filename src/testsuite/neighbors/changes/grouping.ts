import { aggregates, selectsAggregate } from '../../../sql/aggregates.js';
import type { Gold, QueryChange } from '../change.js';
import { cutItem } from '../listed-items.js';
import { groupsAreFree, termIsFree } from '../proofs/one-row-groups.js';
import type { CoreSite } from '../query-sites.js';
import { isAlwaysTrue } from '../proofs/integer-test.js';

/** Without GROUP BY, SQLite refuses to order by an aggregate where none is selected. */
export function needsGroups({ node, select }: CoreSite): boolean {
  return !selectsAggregate(node) && select.node.orderBy.some(({ expression }) => aggregates(expression));
}

/** GROUP BY goes, with the HAVING that asks for it, or one of its terms. */
export function* dropGroupBy(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    const { groupBy, having } = core.node;
    const [first, last] = [groupBy[0], groupBy.at(-1)];
    if (first === undefined || last === undefined) continue;
    const span = gold.text.withWords(2, { start: first.span.start, end: (having ?? last).span.end });
    const detail = gold.sql.slice(span.start, span.end);
    if (!needsGroups(core)) yield { edit: gold.text.cut(span), detail, equivalent: groupsAreFree(gold, core) };
    if (groupBy.length === 1) continue;
    for (const term of groupBy) {
      const text = gold.sql.slice(term.span.start, term.span.end);
      yield {
        edit: cutItem(gold, groupBy, term),
        detail: `GROUP BY ${text}`,
        equivalent: termIsFree(gold, core, term),
      };
    }
  }
}

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
