import type { Gold, QueryChange } from '../change.js';

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
