import { SqlRewriteError } from '../errors.js';
import { isTrivia, type Token, tokenize } from '../sql/tokenizer.js';

/** Checks whether DISTINCT comes after SELECT, or first in a call: `IS DISTINCT FROM` is an operator. */
function isDropped(token: Token, before: Token | undefined): boolean {
  if (token.kind !== 'word' || token.text.toUpperCase() !== 'DISTINCT') return false;
  return before?.text === '(' || (before?.kind === 'word' && before.text.toUpperCase() === 'SELECT');
}

/**
 * The query without DISTINCT, in SELECT and in calls such as count(), subqueries included, as the published test-suite
 * evaluator compares by default; the query as it is where it has no tokens of SQL.
 */
export function dropDistinct(sql: string): string {
  if (!/distinct/i.test(sql)) return sql;
  try {
    const tokens = tokenize(sql);
    let before: Token | undefined;
    let isAfter = false;
    const kept = tokens.filter((token) => {
      const isGone = isDropped(token, before) || (isAfter && token.kind === 'space');
      isAfter = isGone && token.kind !== 'space';
      if (!isTrivia(token)) before = token;
      return !isGone;
    });
    return kept.map(({ text }) => text).join('');
  } catch (error) {
    if (error instanceof SqlRewriteError) return sql;
    throw error;
  }
}
