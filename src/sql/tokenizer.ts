import type { QuoteStyle } from './dialect.js';
import { sqlFault } from './sql-fault.js';

/** A half-open range [start, end) of UTF-16 offsets in the SQL text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `word` is a bare word (keyword or identifier), `quoted` an identifier in `"…"`, `[…]` or backticks. */
export type TokenKind =
  'word' | 'quoted' | 'string' | 'number' | 'blob' | 'parameter' | 'operator' | 'space' | 'comment' | 'end';

export interface Token extends Span {
  readonly kind: TokenKind;
  /** The source text, quotes included. */
  readonly text: string;
  readonly quote: QuoteStyle;
}

const PATTERNS: readonly (readonly [TokenKind, string])[] = [
  ['space', '[ \\t\\n\\f\\r\\uFEFF]+'],
  ['comment', '--[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)'],
  ['blob', "[xX]'[^']*'"],
  ['string', "'(?:[^']|'')*'"],
  ['quoted', '"(?:[^"]|"")*"|\\[[^\\]]*\\]|`(?:[^`]|``)*`'],
  ['number', '0[xX][0-9A-Fa-f]+|(?:[0-9][0-9_]*(?:\\.[0-9_]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?'],
  ['parameter', '\\?[0-9]*|[:@#$][A-Za-z0-9_$:\\u0080-\\uFFFF]+'],
  ['word', '[A-Za-z_\\u0080-\\uFFFF][A-Za-z0-9_$\\u0080-\\uFFFF]*'],
  ['operator', '->>|->|\\|\\||<<|>>|<=|>=|<>|!=|==|[-+*/%&|~<>=.,;()]'],
];
const TOKEN = new RegExp(PATTERNS.map(([, pattern]) => `(${pattern})`).join('|'), 'y');

const QUOTES: Readonly<Record<string, QuoteStyle>> = { '"': 'double', '[': 'bracket', '`': 'backtick', "'": 'single' };
const BLOB = /^[xX]'(?:[0-9A-Fa-f]{2})*'$/;
const WORD_CHARACTER = /[A-Za-z0-9_$\u0080-\uFFFF]/;

function kindOf(match: RegExpExecArray): TokenKind {
  const index = PATTERNS.findIndex((_, i) => match[i + 1] !== undefined);
  return PATTERNS[index]?.[0] ?? 'end';
}

function checkToken(sql: string, token: Token): void {
  const fix = 'Correct the SQL text.';
  if (token.kind === 'blob' && !BLOB.test(token.text)) throw sqlFault(sql, token.start, 'malformed blob literal', fix);
  if (token.kind === 'number' && WORD_CHARACTER.test(sql[token.end] ?? '')) {
    throw sqlFault(sql, token.start, 'malformed number', fix);
  }
}

function readToken(sql: string, start: number): Token {
  TOKEN.lastIndex = start;
  const match = TOKEN.exec(sql);
  if (match === null) {
    const character = sql[start] ?? '';
    const reason =
      character in QUOTES ? `unterminated ${character}` : `unexpected character ${JSON.stringify(character)}`;
    throw sqlFault(sql, start, reason, 'Correct the SQL text.');
  }
  const text = match[0];
  const kind = kindOf(match);
  const quote = kind === 'quoted' || kind === 'string' ? (QUOTES[text[0] ?? ''] ?? 'bare') : 'bare';
  const token: Token = { kind, text, quote, start, end: start + text.length };
  checkToken(sql, token);
  return token;
}

/**
 * Every token of a SQL text in order, spaces and comments included: the texts joined are the input.
 * @throws SqlRewriteError on an unterminated quote, a malformed number or blob, or a character that SQL does not know
 */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < sql.length;) {
    const token = readToken(sql, start);
    tokens.push(token);
    start = token.end;
  }
  return tokens;
}

/** Whether a token carries no meaning: white space or a comment. */
export function isTrivia(token: Token): boolean {
  return token.kind === 'space' || token.kind === 'comment';
}

const DOUBLED: Readonly<Record<string, RegExp>> = { double: /""/g, backtick: /``/g, single: /''/g };

/** What a word, quoted identifier or string stands for: quotes taken off, doubled quotes halved. */
export function unquote(token: Pick<Token, 'text' | 'quote'>): string {
  if (token.quote === 'bare') return token.text;
  const inner = token.text.slice(1, -1);
  const doubled = DOUBLED[token.quote];
  return doubled === undefined ? inner : inner.replace(doubled, token.text.charAt(0));
}
