import type { Span } from '../../../sql/tokenizer.js';
import { cutItem, type Gold, type QueryChange } from '../change.js';
import type { CoreSite, SelectSite } from '../query-sites.js';
import type { CompoundOperator } from '../../../sql/ast.js';
import { aggregates, selectsAggregate } from '../../../sql/aggregates.js';
import { groupsAreFree, termIsFree } from '../proofs/joined-columns.js';
import { isAlwaysTrue } from '../proofs/integer-test.js';

/** Without GROUP BY, SQLite refuses to order by an aggregate where none is selected. */
function needsGroups({ node, select }: CoreSite): boolean {
  return !selectsAggregate(node) && select.node.orderBy.some(({ expression }) => aggregates(expression));
}

/** GROUP BY goes, with the HAVING that asks for it, or one of its terms. */
export function* dropGroupBy(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    const { groupBy, having } = core.node;
    const [first, last] = [groupBy[0], groupBy.at(-1)];
    if (first === undefined || last === undefined) continue;
    const span = gold.text.withWords(2, { start: first.span.start, end: (having ?? last).span.end });
    const detail = gold.text.textOf(span);
    if (!needsGroups(core)) yield { edit: gold.text.cut(span), detail, equivalent: groupsAreFree(gold, core) };
    if (groupBy.length === 1) continue;
    for (const term of groupBy) {
      const detail = `GROUP BY ${gold.text.textOf(term.span)}`;
      yield { edit: cutItem(gold, groupBy, term), detail, equivalent: termIsFree(gold, core, term) };
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
    yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent };
  }
}

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

const OPERATORS: readonly CompoundOperator[] = ['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT'];

/** Why UNION and UNION ALL are the same, or null. */
function duplicatesAreFree({ node, use }: SelectSite, position: number): string | null {
  const isTest = (use === 'in' || use === 'exists') && node.limit === null;
  if (isTest) return 'a test for membership counts no duplicates';
  const isDistinct = node.terms.slice(position + 1).some(({ operator }) => operator !== 'UNION ALL');
  return isDistinct ? 'a later set operation removes duplicates' : null;
}

/** The operators that may be between a select's terms: a table that is made of itself grows by UNION only. */
function operatorsOf({ sites }: Gold, { node }: SelectSite): readonly CompoundOperator[] {
  const isRecursive = sites.selects.some(({ node: { with: clause } }) => {
    return clause?.recursive === true && clause.tables.some(({ select }) => select === node);
  });
  return isRecursive ? ['UNION', 'UNION ALL'] : OPERATORS;
}

/** A set operation becomes another. */
export function* setOperator(gold: Gold): Iterable<QueryChange> {
  for (const select of gold.sites.selects) {
    for (const [i, { operator, span }] of select.node.terms.entries()) {
      const before = select.node.terms[i - 1];
      if (operator === null || before === undefined) continue;
      for (const other of operatorsOf(gold, select)) {
        if (other === operator) continue;
        const edit = gold.text.replace(gold.text.between(before.span, span), other);
        const isUnion = operator.startsWith('UNION') && other.startsWith('UNION');
        const equivalent = isUnion ? duplicatesAreFree(select, i) : null;
        yield { edit, detail: `${operator} → ${other}`, equivalent };
      }
    }
  }
}
