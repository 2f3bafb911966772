import type { Span } from '../../../sql/tokenizer.js';
import type { Gold, QueryChange } from '../change.js';
import type { CoreSite } from '../query-sites.js';
import { needsGroups } from './drop-group-by.js';

type ClauseName = 'where' | 'group' | 'having' | 'order' | 'limit';

interface ClauseText {
  readonly name: ClauseName;
  readonly span: Span;
}

/** The clauses after FROM, in their order. */
function clausesOf(gold: Gold, { node, select }: CoreSite): ClauseText[] {
  const clauses: ClauseText[] = [];
  const add = (name: ClauseName, words: number, first: { span: Span } | null | undefined, last = first): void => {
    if (first == null || last == null) return;
    clauses.push({ name, span: gold.text.withWords(words, { start: first.span.start, end: last.span.end }) });
  };
  add('where', 1, node.where);
  add('group', 2, node.groupBy[0], node.groupBy.at(-1));
  add('having', 1, node.having);
  if (select.node.terms.length > 1) return clauses;
  const { orderBy, limit } = select.node;
  add('order', 2, orderBy[0], orderBy.at(-1));
  add('limit', 0, limit);
  return clauses;
}

function isValid(core: CoreSite, run: readonly ClauseText[]): boolean {
  const names = new Set(run.map(({ name }) => name));
  if (!names.has('group')) return true;
  const havingLeft = core.node.having !== null && !names.has('having');
  return !havingLeft && (names.has('order') || !needsGroups(core));
}

/** Neighboring clauses go together: ORDER BY and LIMIT, WHERE and GROUP BY, … */
export function* dropClauses(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    if (core.node.windows.length > 0) continue;
    const clauses = clausesOf(gold, core);
    for (let from = 0; from < clauses.length; from++) {
      for (let to = from + 2; to <= clauses.length; to++) {
        const run = clauses.slice(from, to);
        if (!isValid(core, run)) continue;
        const span = {
          start: Math.min(...run.map((clause) => clause.span.start)),
          end: Math.max(...run.map((clause) => clause.span.end)),
        };
        yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent: null };
      }
    }
  }
}
