import type { Gold, QueryChange } from '../change.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import { isComparison, PLAIN_COMPARISONS, plainOperator } from '../../../sql/operators.js';
import { renderString } from '../../../sql/dialect.js';
import { constantSites } from '../constant-sites.js';
import { sameForExtremes } from '../proofs/extreme-test.js';
import { sameForIntegers } from '../proofs/integer-test.js';
import { inIsEqual } from '../proofs/single-row.js';
import type { ExpressionSite } from '../query-sites.js';

const NEGATIONS: Readonly<Record<string, string>> = { IS: 'IS NOT', 'IS NOT': 'IS' };

function* comparisons(gold: Gold, site: ExpressionSite): Iterable<QueryChange> {
  const { node } = site;
  if (node.kind !== 'binary') return;
  const operator = plainOperator(node.operator);
  const negation = NEGATIONS[operator];
  const others = isComparison(operator) ? PLAIN_COMPARISONS : negation === undefined ? [] : [negation];
  for (const other of others) {
    if (other === operator) continue;
    const edit = gold.text.replace(gold.text.between(node.left.span, node.right.span), other);
    const equivalent = sameForIntegers(gold, site, { node, value: other }) ?? sameForExtremes(gold, site, other);
    yield { edit, detail: `${node.operator} → ${other}`, equivalent };
  }
}

/** LIKE and IN become their negations and back, and LIKE a plain comparison. */
function* negations(gold: Gold, { node }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'like' && node.kind !== 'in' && node.kind !== 'between') return;
  const first = gold.text.at(gold.text.placeFrom((node.kind === 'like' ? node.left : node.operand).span.end));
  const word = node.kind === 'like' ? node.operator : node.kind.toUpperCase();
  const [before, after] = node.negated ? [`NOT ${word}`, word] : [word, `NOT ${word}`];
  const edit = node.negated ? gold.text.cut(first) : gold.text.replace(first, `NOT ${first.text}`);
  yield { edit, detail: `${before} → ${after}`, equivalent: null };
  if (node.kind !== 'like' || node.escape !== null) return;
  const span = gold.text.between(node.left.span, node.right.span);
  const equals = node.negated ? '!=' : '=';
  yield { edit: gold.text.replace(span, equals), detail: `${before} → ${equals}`, equivalent: null };
}

/** IN becomes a comparison with the first row of its subquery. */
function* singled(gold: Gold, { node }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'in' || node.source.kind !== 'subquery' || unparenthesized(node.operand).kind === 'list') return;
  const [before, after] = node.negated ? ['NOT IN', '!='] : ['IN', '='];
  const edit = gold.text.replace(gold.text.between(node.operand.span, node.source.span), after);
  yield { edit, detail: `${before} → ${after}`, equivalent: inIsEqual(gold, node.source) };
}

/** A comparison with a word asks for texts that hold it: = 'word' becomes LIKE '%word%'. */
function* patterned(gold: Gold): Iterable<QueryChange> {
  for (const { site, type, value } of constantSites(gold)) {
    const test = site.parent?.node;
    if (type !== 'string' || site.clause === 'from' || !/^[^%_]+$/.test(value)) continue;
    if (test?.kind !== 'binary' || !['=', '=='].includes(test.operator) || test.right !== site.node) continue;
    const pattern = renderString(`%${value}%`);
    const { start } = gold.text.between(test.left.span, test.right.span);
    const edit = gold.text.replace({ start, end: test.right.span.end }, `LIKE ${pattern}`);
    yield { edit, detail: `= ${renderString(value)} → LIKE ${pattern}`, equivalent: null };
  }
}

/** NOT before a condition goes. */
function* withoutNot(gold: Gold, { node }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'unary' || node.operator !== 'NOT') return;
  const edit = gold.text.cut({ start: node.span.start, end: node.operand.span.start });
  yield { edit, detail: 'NOT dropped', equivalent: null };
}

/**
 * A comparison becomes another. Those of ON stay: two tables joined by an inequality have about as many rows as both
 * multiplied, which on a large database never ends.
 */
export function* comparisonOperator(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) {
    if (site.clause === 'from') continue;
    yield* comparisons(gold, site);
    yield* negations(gold, site);
    yield* singled(gold, site);
    yield* withoutNot(gold, site);
  }
  yield* patterned(gold);
}
