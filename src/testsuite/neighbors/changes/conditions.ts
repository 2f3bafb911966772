import { cutItem, type Gold, type QueryChange } from '../change.js';
import type { Between, Case, FunctionCall } from '../../../sql/ast.js';
import { isAlwaysTrue } from '../proofs/integer-test.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';
import { isImplied } from '../proofs/joined-columns.js';
import { bareExpression } from '../../../sql/ast-walk.js';
import { columnOf, isDeclaredPresent, isNeverNull } from '../proofs/conditions.js';

/** AND becomes OR, and back; conditions of joins stay, as their operators do. */
export function* connective(gold: Gold): Iterable<QueryChange> {
  for (const { node, clause } of gold.sites.expressions) {
    if (node.kind !== 'binary' || clause === 'from') continue;
    const other = node.operator === 'AND' ? 'OR' : node.operator === 'OR' ? 'AND' : null;
    if (other === null) continue;
    const edit = gold.text.replace(gold.text.between(node.left.span, node.right.span), other);
    yield { edit, detail: `${node.operator} → ${other}`, equivalent: null };
  }
}

/** Why the lower bound asks for nothing, or null. */
function lowIsFree(gold: Gold, site: ExpressionSite, { operand, low, negated, span }: Between): string | null {
  const test = { kind: 'binary', operator: '>=', left: operand, right: low, span } as const;
  return negated ? null : isAlwaysTrue(gold, { ...site, node: test });
}

function* bounds(gold: Gold, site: ExpressionSite, node: Between): Iterable<QueryChange> {
  const { operand, low, high, negated, span } = node;
  const [least, most] = negated ? ['<', '>'] : ['>=', '<='];
  const lower = gold.text.textOf(low.span);
  const after = { start: gold.text.at(gold.text.placeFrom(operand.span.end)).start, end: span.end };
  yield { edit: gold.text.replace(after, `${least} ${lower}`), detail: `BETWEEN → ${least}`, equivalent: null };
  const before = gold.text.between(operand.span, high.span);
  yield { edit: gold.text.replace(before, most), detail: `BETWEEN → ${most}`, equivalent: lowIsFree(gold, site, node) };
}

/** One bound of BETWEEN goes. */
export function* dropBound(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) if (site.node.kind === 'between') yield* bounds(gold, site, site.node);
}

/** One branch of a set operation goes, with the operator before it, or after the first. */
export function* dropBranch(gold: Gold): Iterable<QueryChange> {
  for (const { node } of gold.sites.selects) {
    for (const [i, { span }] of node.terms.entries()) {
      const [before, after] = [node.terms[i - 1], node.terms[i + 1]];
      if (before === undefined && after === undefined) continue;
      const start = before === undefined ? span.start : gold.text.at(gold.text.placeFrom(before.span.end)).start;
      const end = before === undefined && after !== undefined ? after.span.start : span.end;
      yield { edit: gold.text.cut({ start, end }), detail: gold.text.textOf({ start, end }).trim(), equivalent: null };
    }
  }
}

function* whole(gold: Gold): Iterable<QueryChange> {
  for (const { node } of gold.sites.cores) {
    if (node.where === null) continue;
    const edit = gold.text.cut(gold.text.withWords(1, node.where.span));
    yield { edit, detail: `WHERE ${gold.text.textOf(node.where.span)}`, equivalent: null };
  }
}

/** One side of AND or OR; a longer chain of the same operator is taken apart where its own sides are. */
function* oneOf(gold: Gold, site: ExpressionSite): Iterable<QueryChange> {
  const { node } = site;
  if (node.kind !== 'binary' || (node.operator !== 'AND' && node.operator !== 'OR')) return;
  const { left, right, operator } = node;
  const sides = [
    [left, { start: left.span.start, end: right.span.start }],
    [right, gold.text.withWords(1, right.span)],
  ] as const;
  for (const [side, span] of sides) {
    if (side.kind === 'binary' && side.operator === operator) continue;
    const condition = { ...site, node: side, parent: site };
    const equivalent = operator === 'AND' ? (isAlwaysTrue(gold, condition) ?? isImplied(gold, condition)) : null;
    yield { edit: gold.text.cut(span), detail: `${operator} ${gold.text.textOf(side.span)}`, equivalent };
  }
}

/** One condition goes: the only one of WHERE, or one side of AND or OR; those of ON stay, as their operators do. */
export function* dropCondition(gold: Gold): Iterable<QueryChange> {
  yield* whole(gold);
  for (const site of gold.sites.expressions) if (site.clause !== 'from') yield* oneOf(gold, site);
}

function* ofCase(gold: Gold, { branches, otherwise }: Case): Iterable<QueryChange> {
  for (const { when, then } of branches.length > 1 ? branches : []) {
    const span = gold.text.withWords(1, { start: when.span.start, end: then.span.end });
    yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent: null };
  }
  if (otherwise === null) return;
  const span = gold.text.withWords(1, otherwise.span);
  yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent: null };
}

/** An item of the list of an IN goes, where there are others; so does a branch of CASE, or its ELSE. */
export function* dropListed(gold: Gold): Iterable<QueryChange> {
  for (const { node } of gold.sites.expressions) {
    if (node.kind === 'case') yield* ofCase(gold, node);
    if (node.kind !== 'in' || node.source.kind !== 'list' || node.source.items.length < 2) continue;
    const { items } = node.source;
    for (const item of items) {
      yield { edit: cutItem(gold, items, item), detail: `IN ${gold.text.textOf(item.span)}`, equivalent: null };
    }
  }
}

const PRESENT = 'the column is never NULL';

/** A mean over all rows, as sum(x) / count(*) gives it: missing values count as 0. */
function* filled(gold: Gold, core: CoreSite, { name, args }: FunctionCall): Iterable<QueryChange> {
  const [arg] = args;
  if (name.name.toLowerCase() !== 'avg' || arg === undefined) return;
  const target = columnOf(gold, core, arg);
  if (target === null) return;
  const after = `coalesce(${gold.text.textOf(arg.span)}, 0)`;
  const equivalent = isNeverNull(gold, core, target) ? PRESENT : null;
  yield { edit: gold.text.replace(arg.span, after), detail: 'avg with NULL as 0', equivalent };
}

/** An inequality that also holds where there is no value. */
function* distinctFrom(gold: Gold, core: CoreSite, { node, clause }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'binary' || (node.operator !== '!=' && node.operator !== '<>') || clause === 'from') return;
  const target = columnOf(gold, core, bareExpression(node.left));
  if (target === null) return;
  const edit = gold.text.replace(gold.text.between(node.left.span, node.right.span), 'IS NOT');
  const equivalent = isDeclaredPresent(gold, core, target) ? PRESENT : null;
  yield { edit, detail: `${node.operator} → IS NOT`, equivalent };
}

/** Missing values are taken for others. */
export function* nullHandling(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) {
    if (site.core === null) continue;
    if (site.node.kind === 'function') yield* filled(gold, site.core, site.node);
    yield* distinctFrom(gold, site.core, site);
  }
}
