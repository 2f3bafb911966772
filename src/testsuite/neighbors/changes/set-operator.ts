import type { CompoundOperator } from '../../../sql/ast.js';
import type { Gold, QueryChange } from '../change.js';
import type { SelectSite } from '../query-sites.js';

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
