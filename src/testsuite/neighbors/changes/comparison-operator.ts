import type { Expression } from '../../../sql/ast.js';
import type { Gold, NeighborRule, QueryChange } from '../change.js';
import { sameForIntegers } from '../proofs/integer-test.js';
import type { ExpressionSite } from '../query-sites.js';

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];
const SPELLINGS: Readonly<Record<string, string>> = { '==': '=', '<>': '!=' };
const NEGATIONS: Readonly<Record<string, string>> = { IS: 'IS NOT', 'IS NOT': 'IS' };

/** The span from the token after one expression to the token before another. */
function between(gold: Gold, left: Expression, right: Expression): { start: number; end: number } {
  const start = gold.text.at(gold.text.placeFrom(left.span.end)).start;
  return { start, end: gold.text.at(gold.text.placeFrom(right.span.start) - 1).end };
}

function* comparisons(gold: Gold, site: ExpressionSite): Iterable<QueryChange> {
  const { node } = site;
  if (node.kind !== 'binary') return;
  const operator = SPELLINGS[node.operator] ?? node.operator;
  const negation = NEGATIONS[operator];
  const others = COMPARISONS.includes(operator) ? COMPARISONS : negation === undefined ? [] : [negation];
  for (const other of others) {
    if (other === operator) continue;
    const edit = gold.text.replace(between(gold, node.left, node.right), other);
    const equivalent = sameForIntegers(gold, site, { node, value: other });
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
  const span = between(gold, node.left, node.right);
  const equals = node.negated ? '!=' : '=';
  yield { edit: gold.text.replace(span, equals), detail: `${before} → ${equals}`, equivalent: null };
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
export const comparisonOperator: NeighborRule = {
  kind: 'comparison-operator',
  *changes(gold: Gold): Iterable<QueryChange> {
    for (const site of gold.sites.expressions) {
      if (site.clause === 'from') continue;
      yield* comparisons(gold, site);
      yield* negations(gold, site);
      yield* withoutNot(gold, site);
    }
  },
};
