import { SqlRewriteError } from '../../errors.js';
import { meaningfulTokens, type Token } from '../tokenizer.js';
import type { PublishedMode, ResultMode } from './result-modes.js';

/** For each token the number of parentheses it is in; a parenthesis itself counts as outside of its pair. */
function depthsOf(tokens: readonly Token[]): number[] {
  let depth = 0;
  return tokens.map(({ text }) => {
    if (text === ')') depth -= 1;
    const own = depth;
    if (text === '(') depth += 1;
    return own;
  });
}

/** The tokens of a query without parentheses around the whole of it. */
function unwrap(tokens: readonly Token[]): readonly Token[] {
  const depths = depthsOf(tokens);
  const isWrapped =
    tokens[0]?.text === '(' && tokens.at(-1)?.text === ')' && depths.slice(1, -1).every((depth) => depth > 0);
  return isWrapped ? unwrap(tokens.slice(1, -1)) : tokens;
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'word' && token.text.toUpperCase() === word;

/**
 * Checks whether the order of a query's rows is the query's own: whether its outermost SELECT, or the whole compound,
 * has an ORDER BY. One in a subquery, a common table, a window or an aggregate orders no rows of the result. Decided by
 * the tokens, so that it can also be told of SQL that is not SQLite's.
 * @throws SqlRewriteError where the text does not consist of SQL tokens
 */
export function ordersResult(sql: string): boolean {
  const tokens = meaningfulTokens(sql).filter((token) => token.text !== ';');
  const query = unwrap(tokens);
  const depths = depthsOf(query);
  return query.some((token, i) => depths[i] === 0 && isWord(token, 'ORDER') && isWord(query[i + 1], 'BY'));
}

/**
 * Checks whether the sequence of rows counts: the gold orders them itself. What can't be cut in tokens orders nothing.
 */
export function isOrderMeant(gold: string): boolean {
  if (!/\border\b/i.test(gold)) return false;
  try {
    return ordersResult(gold);
  } catch (error) {
    if (error instanceof SqlRewriteError) return false;
    throw error;
  }
}

/**
 * Checks whether the sequence of rows counts when results are compared with the gold's in a mode that heeds it; for the
 * published test-suite evaluator it does where the gold has `order by` anywhere, in a subquery or a string, too.
 */
export function isOrderMeantIn(mode: ResultMode | PublishedMode, gold: string): boolean {
  return mode === 'test-suite' ? gold.toLowerCase().includes('order by') : isOrderMeant(gold);
}
