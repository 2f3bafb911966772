import { SqlRewriteError } from '../errors.js';
import { foldName } from '../sql/dialect.js';
import { isTrivia, type Token, tokenize, unquote } from '../sql/tokenizer.js';

function isCountStar(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.text === '(' && tokens[at - 2]?.text.toLowerCase() === 'count';
}

/**
 * Which of the columns added to a schema a query may read: those that it names, or `all` where it has a star or a
 * natural join, or can't be cut into tokens. Without any, it gives the same rows as on the original.
 */
export function addedNamesIn(sql: string, added: ReadonlySet<string>): ReadonlySet<string> | 'all' {
  let tokens: readonly Token[];
  try {
    tokens = tokenize(sql).filter((token) => !isTrivia(token));
  } catch (error) {
    if (error instanceof SqlRewriteError) return 'all';
    throw error;
  }
  const isWide = tokens.some(
    ({ text }, at) => (text === '*' && !isCountStar(tokens, at)) || text.toLowerCase() === 'natural',
  );
  if (isWide) return 'all';
  // A text in quotes may be a name, too.
  return new Set(tokens.map((token) => foldName(unquote(token))).filter((name) => added.has(name)));
}
