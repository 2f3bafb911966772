import type { Gold, QueryChange } from '../change.js';

/** The operators that an operator is taken for. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['/'],
};

/** An arithmetic operator becomes its inverse, or goes with one of its operands; so does one operand of ||. */
export function* arithmetic(gold: Gold): Iterable<QueryChange> {
  for (const { node, clause } of gold.sites.expressions) {
    if (node.kind !== 'binary' || clause === 'window' || clause === 'limit') continue;
    const { operator, left, right, span } = node;
    const others = OTHERS[operator];
    if (others === undefined && operator !== '||') continue;
    for (const other of others ?? []) {
      const edit = gold.text.replace(gold.text.between(left.span, right.span), other);
      yield { edit, detail: `${operator} → ${other}`, equivalent: null };
    }
    for (const kept of [left, right]) {
      const text = gold.text.textOf(kept.span);
      yield { edit: gold.text.replace(span, text), detail: `${gold.text.textOf(span)} → ${text}`, equivalent: null };
    }
  }
}
