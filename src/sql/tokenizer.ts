import { memoizeObject } from '../schema/memoize.js';
import { SQLITE } from './dialect.js';
import type { QuoteStyle, SqlDialect, TokenKind } from './sql-dialect.js';
import { sqlFault } from './sql-fault.js';

/** A half-open range [start, end) of UTF-16 offsets in the SQL text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Token extends Span {
  readonly kind: TokenKind;
  /** The source text, quotes included. */
  readonly text: string;
  readonly quote: QuoteStyle;
}

const QUOTES: Readonly<Record<string, QuoteStyle>> = { '"': 'double', '[': 'bracket', '`': 'backtick', "'": 'single' };
const BLOB = /^[xX]'(?:[0-9A-Fa-f]{2})*'$/;
const FIX = 'Correct the SQL text.';

const [SPACE, TAB, LINE_FEED] = [0x20, 0x09, 0x0a];

/** Checks whether a UTF-16 code can be inside a word, in all dialects: A-Z, a-z, 0-9, _, $ and what is beyond ASCII. */
function isWordCode(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a || code >= 0x80;
  return code >= 0x41 ? code <= 0x5a || code === 0x5f : code === 0x24 || (code >= 0x30 && code <= 0x39);
}

/**
 * The word at `start`, where an ASCII letter begins it and what follows says that it is one, without a look at the
 * other patterns: behind `'`, `"` and `&` it may open a text. Null where the patterns have to say.
 */
function readPlainWord(sql: string, start: number): Token | null {
  const first = sql.charCodeAt(start) | 0x20;
  if (first < 0x61 || first > 0x7a) return null;
  let end = start + 1;
  while (end < sql.length && isWordCode(sql.charCodeAt(end))) end++;
  const next = sql[end];
  if (next === "'" || next === '"' || next === '&') return null;
  return { kind: 'word', text: sql.slice(start, end), quote: 'bare', start, end };
}

interface Scanner {
  readonly token: RegExp;
  /** The kind of token that each group of `token` refers to, with the group's number. */
  readonly kinds: readonly (readonly [group: number, kind: TokenKind])[];
  readonly refused: readonly { readonly pattern: RegExp; readonly reason: string }[];
}

const scannerOf = memoizeObject(({ lexis: { patterns, refused } }: SqlDialect): Scanner => {
  const token = new RegExp(patterns.map(([, pattern]) => `(${pattern})`).join('|'), 'y');
  let group = 1;
  const kinds = patterns.map(([kind, pattern]): readonly [number, TokenKind] => {
    const own = group;
    group += 1 + (pattern.match(/\(\?<\w/g)?.length ?? 0);
    return [own, kind];
  });
  return { token, kinds, refused: refused.map(([pattern, reason]) => ({ pattern: new RegExp(pattern, 'y'), reason })) };
});

function kindOf(match: RegExpExecArray, { kinds }: Scanner): TokenKind {
  for (const [group, kind] of kinds) if (match[group] !== undefined) return kind;
  return 'end';
}

function checkToken(sql: string, token: Token): void {
  if (token.kind === 'blob' && !BLOB.test(token.text)) throw sqlFault(sql, token.start, 'malformed blob literal', FIX);
  if (token.kind === 'number' && isWordCode(sql.charCodeAt(token.end))) {
    throw sqlFault(sql, token.start, 'malformed number', FIX);
  }
}

function unknownCharacter(sql: string, start: number): Error {
  const character = sql[start] ?? '';
  const reason =
    character in QUOTES ? `unterminated ${character}` : `unexpected character ${JSON.stringify(character)}`;
  return sqlFault(sql, start, reason, FIX);
}

/** End of a comment that may hold comments. */
function nestedCommentEnd(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let match = mark.exec(sql); match !== null; match = mark.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  throw sqlFault(sql, start, 'unterminated comment', FIX);
}

function checkRefused(sql: string, start: number, { refused }: Scanner): void {
  for (const { pattern, reason } of refused) {
    pattern.lastIndex = start;
    if (pattern.test(sql)) throw sqlFault(sql, start, `${reason} is not supported`, 'Write it otherwise.');
  }
}

function readToken(sql: string, start: number, dialect: SqlDialect, scanner: Scanner): Token {
  const word = readPlainWord(sql, start);
  if (word !== null) return word;
  checkRefused(sql, start, scanner);
  const { token: pattern } = scanner;
  pattern.lastIndex = start;
  const match = pattern.exec(sql);
  if (match === null) throw unknownCharacter(sql, start);
  const kind = kindOf(match, scanner);
  const nested = dialect.lexis.nestedComments && match[0] === '/*';
  const text = nested ? sql.slice(start, nestedCommentEnd(sql, start)) : match[0];
  const quote = kind === 'quoted' || kind === 'string' ? (QUOTES[text[0] ?? ''] ?? 'single') : 'bare';
  const token: Token = { kind, text, quote, start, end: start + text.length };
  checkToken(sql, token);
  return token;
}

/**
 * Every token of a SQL text in order, spaces and comments included: the texts joined are the input.
 * @throws SqlRewriteError on an unterminated quote, a malformed number or blob, or a character that the dialect lacks
 */
export function tokenize(sql: string, dialect: SqlDialect = SQLITE): Token[] {
  const tokens: Token[] = [];
  const scanner = scannerOf(dialect);
  for (let start = 0; start < sql.length;) {
    const token = readToken(sql, start, dialect, scanner);
    tokens.push(token);
    start = token.end;
  }
  return tokens;
}

/** Checks whether a token carries no meaning: white space or a comment. */
export function isTrivia(token: Token): boolean {
  return token.kind === 'space' || token.kind === 'comment';
}

/** The tokens of a SQL text that carry a meaning, in order. @throws SqlRewriteError as `tokenize` */
export function meaningfulTokens(sql: string, dialect: SqlDialect = SQLITE): Token[] {
  const tokens: Token[] = [];
  const scanner = scannerOf(dialect);
  for (let start = 0; start < sql.length;) {
    const code = sql.charCodeAt(start);
    if (code === SPACE || code === TAB || code === LINE_FEED) {
      start++;
      continue;
    }
    const token = readToken(sql, start, dialect, scanner);
    if (!isTrivia(token)) tokens.push(token);
    start = token.end;
  }
  return tokens;
}

const DOUBLED: Readonly<Record<string, RegExp>> = { double: /""/g, backtick: /``/g, single: /''/g };

/** Returns the name or text of a word, quoted identifier or string: quotes taken off, doubled quotes halved. */
export function unquote(token: Pick<Token, 'text' | 'quote'>): string {
  if (token.quote === 'bare') return token.text;
  const inner = token.text.slice(1, -1);
  const doubled = DOUBLED[token.quote];
  return doubled === undefined ? inner : inner.replace(doubled, token.text.charAt(0));
}
