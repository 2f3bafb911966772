import { meaningfulTokens, type Token } from '../../sql/tokenizer.js';

/** A gold query with its neighbors that no database distinguishes. */
interface JudgedGold {
  readonly sql: string;
  readonly left: readonly { readonly sql: string }[];
  readonly isIndeterminate: boolean;
  readonly hasRows: boolean;
}

const CONDITION_CLAUSES = new Set(['where', 'on', 'having']);
const CLAUSES = new Set([...CONDITION_CLAUSES, 'select', 'from', 'join', 'group', 'order', 'limit']);

const meaningful = (sql: string): readonly Token[] => meaningfulTokens(sql);

/** Checks whether the first token in which a neighbor differs from its gold is part of WHERE, ON or HAVING there. */
function changesCondition(gold: string, neighbor: string): boolean {
  const [before, after] = [meaningful(gold), meaningful(neighbor)];
  const outer: string[] = [];
  let clause = '';
  for (const [i, { text }] of before.entries()) {
    const word = text.toLowerCase();
    if (CLAUSES.has(word)) clause = word;
    if (word !== after[i]?.text.toLowerCase()) return CONDITION_CLAUSES.has(clause);
    if (word === '(') outer.push(clause);
    if (word === ')') clause = outer.pop() ?? '';
  }
  return false;
}

/**
 * Checks whether a gold query can be judged reliably (test-suite accuracy A.2): it finds rows, in some sequence that
 * does not decide, and no neighbor is left that changes a condition. The paper's two causes of unreliable golds, too
 * many conditions and counts that no database reaches, both leave such a neighbor; it looked at them by hand.
 */
export function isReliable({ sql, left, isIndeterminate, hasRows }: JudgedGold): boolean {
  return hasRows && !isIndeterminate && left.every((neighbor) => !changesCondition(sql, neighbor.sql));
}
