import type { SqlRewriteError } from '../errors.js';
import type { Identifier, Select } from './ast.js';
import { SQLITE, type Construct, type SqlDialect } from './dialect.js';
import { sqlFault } from './sql-fault.js';
import { meaningfulTokens, type Span, type Token, unquote } from './tokenizer.js';

/** Deepest expression: SQLite's own limit (SQLITE_MAX_EXPR_DEPTH). */
export const MAX_DEPTH = 1000;

/** Reads the meaningful tokens of a SQL text from left to right, for the parsers. */
export class TokenCursor {
  readonly sql: string;
  readonly dialect: SqlDialect;
  /** Parses a subquery; given by the statement parser so that the expression parser needs no import of it. */
  readonly parseSelect: (cursor: TokenCursor) => Select;
  readonly #tokens: readonly Token[];
  /** The tokens that are bare words, in upper case; an empty text for others. */
  readonly #words: readonly string[];
  readonly #end: Token;
  #index = 0;
  #depth = 0;

  constructor(sql: string, parseSelect: (cursor: TokenCursor) => Select, dialect: SqlDialect = SQLITE) {
    this.sql = sql;
    this.dialect = dialect;
    this.parseSelect = parseSelect;
    this.#tokens = meaningfulTokens(sql, dialect);
    this.#words = this.#tokens.map(({ kind, text }) => (kind === 'word' ? text.toUpperCase() : ''));
    this.#end = { kind: 'end', text: '', quote: 'bare', start: sql.length, end: sql.length };
  }

  /** The token `ahead` places after the next one, without reading it. */
  peek(ahead = 0): Token {
    return this.#tokens[this.#index + ahead] ?? this.#end;
  }

  next(): Token {
    const token = this.peek();
    this.#index++;
    return token;
  }

  /** Span from the start of a token to the end of the last token read. */
  spanFrom(start: number): Span {
    return { start, end: this.#tokens[this.#index - 1]?.end ?? start };
  }

  /** Checks whether the next token is this keyword (upper case). */
  isWord(word: string, ahead = 0): boolean {
    return this.#words[this.#index + ahead] === word;
  }

  /** The next token in upper case where it is a bare word, else an empty text. */
  word(ahead = 0): string {
    return this.#words[this.#index + ahead] ?? '';
  }

  isOperator(operator: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'operator' && token.text === operator;
  }

  acceptWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.#index++;
    return true;
  }

  /** Reads a run of keywords when all of them come next. */
  acceptWords(...words: readonly string[]): boolean {
    for (let i = 0; i < words.length; i++) if (this.#words[this.#index + i] !== words[i]) return false;
    this.#index += words.length;
    return true;
  }

  acceptOperator(operator: string): boolean {
    if (!this.isOperator(operator)) return false;
    this.#index++;
    return true;
  }

  expectWord(word: string): Token {
    if (!this.isWord(word)) throw this.fault(`expected ${word}`);
    return this.next();
  }

  expectOperator(operator: string): Token {
    if (!this.isOperator(operator)) throw this.fault(`expected ${operator}`);
    return this.next();
  }

  /** Checks whether the dialect has a construct. */
  allows(construct: Construct): boolean {
    return this.dialect.grammar.constructs.has(construct);
  }

  /**
   * Checks whether a token can be a name: a word that is not reserved, a quoted identifier, or (as SQLite allows) a
   * string.
   */
  isName(ahead = 0): boolean {
    const token = this.peek(ahead);
    if (token.kind === 'quoted') return true;
    if (token.kind === 'string') return this.dialect.lexis.stringNames === 'anywhere';
    return token.kind === 'word' && !this.dialect.reserved.has(this.#words[this.#index + ahead] ?? '');
  }

  /**
   * Checks whether the next token can be an alias without AS; one of a result column may be a string in more dialects.
   */
  isImplicitAlias(ofResult = false): boolean {
    const token = this.peek();
    if (ofResult && this.#isStringAlias()) return true;
    return (
      this.isName() && !(token.kind === 'word' && this.dialect.notImplicitAlias.has(this.#words[this.#index] ?? ''))
    );
  }

  /** Reads the alias of a result column. */
  expectResultAlias(afterAs: boolean): Identifier {
    const anyWord = afterAs && this.allows('any-word-after-as') && this.peek().kind === 'word';
    if (anyWord || this.#isStringAlias()) return this.#identifier();
    return this.expectName('an alias');
  }

  #isStringAlias(): boolean {
    const { kind, text } = this.peek();
    // What a backslash refers to in a name is not worth to be guessed.
    return kind === 'string' && this.dialect.lexis.stringNames === 'result-alias' && /^['"][^\\]*$/.test(text);
  }

  expectName(what: string): Identifier {
    if (!this.isName()) throw this.fault(`expected ${what}`);
    return this.#identifier();
  }

  /** Reads a name after a dot, where some dialects take reserved words. */
  expectNameAfterDot(what: string): Identifier {
    if (this.peek().kind === 'word' && this.allows('any-word-after-dot')) return this.#identifier();
    return this.expectName(what);
  }

  #identifier(): Identifier {
    const token = this.next();
    const { start, end } = token;
    const text = unquote(token);
    const name = token.quote === 'bare' ? this.dialect.bareName(text) : text;
    return { kind: 'identifier', name, quote: token.quote, span: { start, end } };
  }

  /** Items separated by commas. */
  list<T>(item: () => T): T[] {
    const items = [item()];
    while (this.acceptOperator(',')) items.push(item());
    return items;
  }

  /** Runs a parser one level deeper. @throws SqlRewriteError below SQLite's own depth of 1000 */
  nested<T>(parse: () => T): T {
    this.descend();
    const result = parse();
    this.ascend();
    return result;
  }

  /** Goes one level deeper. @throws SqlRewriteError below SQLite's own depth of 1000 */
  descend(): void {
    if (++this.#depth > MAX_DEPTH) throw this.fault('the query is nested too deeply');
  }

  ascend(): void {
    this.#depth--;
  }

  /** An error at the next token, of a construct that is known and refused. */
  unsupported(construct: string): SqlRewriteError {
    const fix = 'Write the query without it, or leave it out.';
    return sqlFault(this.sql, this.peek().start, `${construct} is not supported`, fix);
  }

  /** An error at the next token. */
  fault(expected: string): SqlRewriteError {
    const { text, start } = this.peek();
    const found = text === '' ? 'the end of the query' : JSON.stringify(text);
    return sqlFault(
      this.sql,
      start,
      `${expected}, found ${found}`,
      `Correct the SQL text; it is read as ${this.dialect.title}.`,
    );
  }
}
