import { isTrivia, meaningfulTokens, type Token, tokenize, unquote } from './tokenizer.js';

// The steps of the Penn Treebank tokenizer that Spider's authors ran over the SQL text (NLTK's TreebankWordTokenizer, which
// word_tokenize then was): quotes that open, punctuation, brackets, then quotes that close. Order matters: each step sees
// the spaces of those before. What word_tokenize is today (`evaluate/exact/spider-lexer.ts`) cuts BIRD's dev gold queries in
// another way in 129 of 1,534.
const TREEBANK: readonly (readonly [RegExp, string])[] = [
  [/^"/g, '``'],
  [/(``)/g, ' $1 '],
  [/([ ([{<])("|'{2})/g, '$1 `` '],
  [/([:,])([^\d])/g, ' $1 $2'],
  [/([:,])$/g, ' $1 '],
  [/\.\.\./g, ' ... '],
  [/[;@#$%&]/g, ' $& '],
  [/([^.])(\.)([\])}>"']*)\s*$/g, '$1 $2$3 '],
  [/[?!]/g, ' $& '],
  [/([^'])' /g, "$1 ' "],
  [/[\][(){}<>]/g, ' $& '],
  [/--/g, ' -- '],
  [/^|$/g, ' '],
  [/"/g, " '' "],
  [/(\S)('')/g, '$1 $2 '],
  [/([^' ])('[sS]|'[mM]|'[dD]|') /g, '$1 $2 '],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, '$1 $2 '],
];

// Where the Punkt sentence splitter in front of it cut a query: `"… Beetle!";`
const SENTENCE_END = /(?<=[!?])(?="\S)/;

function treebankTokens(text: string): string[] {
  return text.split(SENTENCE_END).flatMap((sentence) => {
    const spaced = TREEBANK.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), sentence);
    return spaced.split(/\s+/).filter((token) => token !== '');
  });
}

/** Checks whether a query was written by hand in lower case; Spider's files hold other tokens for those. */
function isLowerCase(sql: string): boolean {
  return sql === sql.toLowerCase();
}

function isString(token: Token): boolean {
  return token.kind === 'string' || (token.kind === 'quoted' && token.quote === 'double');
}

/** Tokens with `t.c` in one piece and strings in double quotes, as Spider's process_sql.py cuts a query. */
function processSqlTokens(sql: string): string[] {
  const tokens: string[] = [];
  let glued = false;
  for (const token of meaningfulTokens(sql)) {
    const text = isString(token) ? `"${unquote(token)}"` : token.text;
    const dot = token.text === '.';
    if ((glued || dot) && tokens.length > 0) tokens.push(`${tokens.pop() ?? ''}${text}`);
    else tokens.push(text);
    glued = dot;
  }
  return tokens;
}

/**
 * The tokens of a query as in the `query_toks` field of Spider's examples.
 * Queries in lower case are cut as by Spider's process_sql.py (strings whole, in double quotes), all others as by the
 * Penn Treebank tokenizer, which cuts strings at spaces and writes double quotes as two backticks and two apostrophes.
 * Equal to the field for all 1,034 examples of Spider's dev.json; abbreviations inside strings, which NLTK's sentence
 * splitter treats by a trained model, may differ elsewhere.
 * @throws SqlRewriteError where a query in lower case can't be tokenized
 */
export function toQueryTokens(sql: string): string[] {
  return isLowerCase(sql) ? processSqlTokens(sql) : treebankTokens(sql);
}

/**
 * The tokens of a query as in the `query_toks_no_value` field of Spider's examples: lower case, `t . c` in three
 * pieces, strings and numbers as `value`, comparisons of two characters in two pieces, without the closing semicolon.
 * Equal to the field for all 1,034 examples of Spider's dev.json.
 * @throws SqlRewriteError where the query can't be tokenized
 */
export function toQueryTokensNoValue(sql: string): string[] {
  return tokenize(sql).flatMap((token) => {
    if (isTrivia(token) || token.text === ';') return [];
    if (isString(token) || token.kind === 'number') return ['value'];
    if (/^(?:[!<>]=|<>)$/.test(token.text)) return [...token.text];
    return [token.text.toLowerCase()];
  });
}
