import type { Case, ColumnNode, Expression, In, List, Literal, TableSource } from './ast.js';
import { parseCall } from './call-parser.js';
import { PRECEDENCE } from './sql-dialect.js';
import { MAX_DEPTH, type TokenCursor } from './token-cursor.js';
import { unquote } from './tokenizer.js';
import { parseCastType, parseTypeName } from './type-parser.js';

const PUNCTUATION = new Set([',', '.', ';', '(', ')', '[', ']', ':', ':=', '::']);

/** Words that follow an expression, and are no part of one in any dialect. */
const ENDS: ReadonlySet<string> = new Set([
  'FROM',
  'WHERE',
  'GROUP',
  'ORDER',
  'HAVING',
  'LIMIT',
  'JOIN',
  'AS',
  'ASC',
  'DESC',
]);

/** Words that a query starts with. */
export const SELECT_STARTS: ReadonlySet<string> = new Set(['SELECT', 'VALUES', 'WITH']);

/** Parses one expression at the cursor, with the dialect's precedence. @throws SqlRewriteError with the position */
export function parseExpression(cursor: TokenCursor, minimum: number = PRECEDENCE.or): Expression {
  return parseFrom(cursor, minimum);
}

function parseFrom(cursor: TokenCursor, minimum: number): Expression {
  // No callbacks here: the call stack must hold the whole depth.
  cursor.descend();
  let left = parsePrefix(cursor);
  for (let depth = 0; ; depth++) {
    const longer = parseInfix(cursor, left, minimum);
    if (longer === null) break;
    if (depth > MAX_DEPTH) throw cursor.fault('the expression has too many terms');
    left = longer;
  }
  cursor.ascend();
  return left;
}

function parseInfix(cursor: TokenCursor, left: Expression, minimum: number): Expression | null {
  const token = cursor.peek();
  if (token.kind === 'operator') return parseOperator(cursor, left, minimum);
  if (token.kind !== 'word') return null;
  const word = cursor.word();
  if (word === 'COLLATE') return parseCollate(cursor, left);
  if (word === 'OR') return minimum <= PRECEDENCE.or ? binary(cursor, left, 'OR', PRECEDENCE.or) : null;
  if (word === 'AND') return minimum <= PRECEDENCE.and ? binary(cursor, left, 'AND', PRECEDENCE.and) : null;
  // No operator is one of these words, which end most expressions.
  if (ENDS.has(word)) return null;
  const precedence = cursor.dialect.grammar.wordOperators.get(word);
  if (precedence !== undefined) return minimum <= precedence ? binary(cursor, left, word, precedence) : null;
  return minimum <= PRECEDENCE.equality ? parseTest(cursor, left) : null;
}

function precedenceOf(cursor: TokenCursor, operator: string): number | null {
  const { operators, otherOperators } = cursor.dialect.grammar;
  return operators.get(operator) ?? (PUNCTUATION.has(operator) ? null : otherOperators);
}

function parseOperator(cursor: TokenCursor, left: Expression, minimum: number): Expression | null {
  const operator = cursor.peek().text;
  const precedence = precedenceOf(cursor, operator);
  return precedence === null || precedence < minimum ? null : binary(cursor, left, operator, precedence);
}

function binary(cursor: TokenCursor, left: Expression, operator: string, precedence: number): Expression {
  cursor.next();
  const right = parseFrom(cursor, precedence + 1);
  return { kind: 'binary', operator, left, right, span: cursor.spanFrom(left.span.start) };
}

function parseCollate(cursor: TokenCursor, operand: Expression): Expression {
  cursor.next();
  const collation = cursor.expectName('a collation');
  return { kind: 'collate', operand, collation, span: cursor.spanFrom(operand.span.start) };
}

function parseTest(cursor: TokenCursor, left: Expression): Expression | null {
  if (cursor.isWord('IS')) return parseIs(cursor, left);
  const suffixed = cursor.allows('null-suffixes') ? parseNullSuffix(cursor, left) : null;
  if (suffixed !== null) return suffixed;
  const ahead = cursor.isWord('NOT') ? 1 : 0;
  const negated = ahead === 1;
  if (cursor.isWord('BETWEEN', ahead)) return parseBetween(cursor, left, negated);
  if (cursor.isWord('IN', ahead)) return parseIn(cursor, left, negated);
  const patterns = cursor.dialect.grammar.patternWords;
  const like = patterns.find((words) => words.every((word, i) => cursor.isWord(word, ahead + i)));
  return like === undefined ? null : parseLike(cursor, left, negated, like);
}

function parseNullSuffix(cursor: TokenCursor, left: Expression): Expression | null {
  if (cursor.acceptWord('ISNULL')) return nullTest(cursor, left, false);
  const negated = cursor.acceptWord('NOTNULL') || cursor.acceptWords('NOT', 'NULL');
  return negated ? nullTest(cursor, left, true) : null;
}

function nullTest(cursor: TokenCursor, operand: Expression, negated: boolean): Expression {
  return { kind: 'null-test', negated, operand, span: cursor.spanFrom(operand.span.start) };
}

function parseIs(cursor: TokenCursor, left: Expression): Expression {
  cursor.next();
  const not = cursor.acceptWord('NOT') ? ' NOT' : '';
  const distinct = cursor.acceptWords('DISTINCT', 'FROM') ? ' DISTINCT FROM' : '';
  const right = parseUnknown(cursor) ?? parseFrom(cursor, PRECEDENCE.comparison);
  return { kind: 'binary', operator: `IS${not}${distinct}`, left, right, span: cursor.spanFrom(left.span.start) };
}

/** `IS UNKNOWN`, which SQLite would read as a column. */
function parseUnknown(cursor: TokenCursor): Literal | null {
  if (cursor.dialect.name === 'sqlite' || !cursor.isWord('UNKNOWN')) return null;
  const { start, text } = cursor.next();
  return { kind: 'literal', type: 'null', value: text, span: cursor.spanFrom(start) };
}

function parseBetween(cursor: TokenCursor, operand: Expression, negated: boolean): Expression {
  if (negated) cursor.next();
  cursor.next();
  if (cursor.allows('symmetric-between') && !cursor.acceptWord('SYMMETRIC')) cursor.acceptWord('ASYMMETRIC');
  const low = parseFrom(cursor, PRECEDENCE.not);
  cursor.expectWord('AND');
  const high = parseFrom(cursor, PRECEDENCE.comparison);
  return { kind: 'between', negated, operand, low, high, span: cursor.spanFrom(operand.span.start) };
}

function parseLike(cursor: TokenCursor, left: Expression, negated: boolean, words: readonly string[]): Expression {
  if (negated) cursor.next();
  cursor.acceptWords(...words);
  const operator = words.join(' ');
  const right = parseFrom(cursor, PRECEDENCE.comparison);
  const escape = cursor.acceptWord('ESCAPE') ? parseFrom(cursor, PRECEDENCE.bits) : null;
  return { kind: 'like', operator, negated, left, right, escape, span: cursor.spanFrom(left.span.start) };
}

function parseIn(cursor: TokenCursor, operand: Expression, negated: boolean): In {
  if (negated) cursor.next();
  cursor.next();
  const source = parseInSource(cursor);
  return { kind: 'in', negated, operand, source, span: cursor.spanFrom(operand.span.start) };
}

function parseInSource(cursor: TokenCursor): In['source'] {
  if (!cursor.isOperator('(') && cursor.allows('in-table')) return parseTableName(cursor);
  const { start } = cursor.expectOperator('(');
  if (isSelectStart(cursor)) return closeSubquery(cursor, start);
  const items = cursor.allows('empty-in') && cursor.isOperator(')') ? [] : cursor.list(() => parseExpression(cursor));
  cursor.expectOperator(')');
  return { kind: 'list', items, span: cursor.spanFrom(start) };
}

/** Parses `[schema.]table` or `table(arguments)`, without an alias. */
export function parseTableName(cursor: TokenCursor): TableSource {
  const first = cursor.expectName('a table name');
  const second = cursor.acceptOperator('.') ? cursor.expectNameAfterDot('a table name') : null;
  const args = cursor.isOperator('(') ? parseArguments(cursor) : null;
  const span = cursor.spanFrom(first.span.start);
  const schema = second === null ? null : first;
  return { kind: 'table', schema, name: second ?? first, args, alias: null, columns: null, span };
}

function parseArguments(cursor: TokenCursor): Expression[] {
  cursor.expectOperator('(');
  const args = cursor.isOperator(')') ? [] : cursor.list(() => parseExpression(cursor));
  cursor.expectOperator(')');
  return args;
}

/** Checks whether a query starts at the cursor; where the dialect allows it, also in further parentheses. */
export function isSelectStart(cursor: TokenCursor): boolean {
  let ahead = 0;
  if (cursor.allows('parenthesized-selects')) while (cursor.isOperator('(', ahead)) ahead++;
  return SELECT_STARTS.has(cursor.word(ahead)) && !isCall(cursor, ahead);
}

/** MySQL's function VALUES() is no query. */
function isCall(cursor: TokenCursor, ahead: number): boolean {
  return cursor.allows('values-rows') && cursor.isWord('VALUES', ahead) && cursor.isOperator('(', ahead + 1);
}

function closeSubquery(cursor: TokenCursor, start: number): Extract<Expression, { kind: 'subquery' }> {
  const select = cursor.nested(() => cursor.parseSelect(cursor));
  cursor.expectOperator(')');
  return { kind: 'subquery', select, span: cursor.spanFrom(start) };
}

function parsePrefix(cursor: TokenCursor): Expression {
  const { kind, text, start } = cursor.peek();
  if (kind === 'operator' && text !== '(') return parseSign(cursor);
  if (cursor.acceptWord('NOT')) {
    const operand = parseFrom(cursor, PRECEDENCE.not);
    return { kind: 'unary', operator: 'NOT', operand, span: cursor.spanFrom(start) };
  }
  let operand = parsePrimary(cursor);
  for (;;) {
    const longer = parsePostfix(cursor, operand);
    if (longer === null) return operand;
    operand = longer;
  }
}

function parsePrimary(cursor: TokenCursor): Expression {
  const { kind } = cursor.peek();
  if (cursor.isOperator('(')) return parseParenthesized(cursor);
  if (kind === 'string' && cursor.isName() && cursor.isOperator('.', 1)) return parseNames(cursor);
  if (kind === 'number' || kind === 'string' || kind === 'blob' || kind === 'parameter') return parseLiteral(cursor);
  return parseWord(cursor);
}

function parseSign(cursor: TokenCursor): Expression {
  const { text, start } = cursor.peek();
  if (!cursor.dialect.grammar.prefixes.has(text)) throw cursor.fault('expected an expression');
  cursor.next();
  const operand = cursor.nested(() => parsePrefix(cursor));
  return { kind: 'unary', operator: text, operand, span: cursor.spanFrom(start) };
}

/** `operand::type`, `operand[…]` and `operand AT TIME ZONE zone`. */
function parsePostfix(cursor: TokenCursor, operand: Expression): Expression | null {
  const { start } = operand.span;
  if (cursor.allows('double-colon-cast') && cursor.acceptOperator('::')) {
    const type = parseTypeName(cursor);
    return { kind: 'cast', operand, type, span: cursor.spanFrom(start) };
  }
  if (cursor.allows('arrays') && cursor.isOperator('[')) {
    const indexes = parseSubscript(cursor);
    return { kind: 'subscript', operand, indexes, span: cursor.spanFrom(start) };
  }
  if (!cursor.allows('time-zone') || !cursor.acceptWords('AT', 'TIME', 'ZONE')) return null;
  const right = parseFrom(cursor, PRECEDENCE.product);
  return { kind: 'binary', operator: 'AT TIME ZONE', left: operand, right, span: cursor.spanFrom(start) };
}

function parseSubscript(cursor: TokenCursor): Expression[] {
  cursor.expectOperator('[');
  const bound = (end: string): Expression[] => (cursor.isOperator(end) ? [] : [parseExpression(cursor)]);
  const indexes = cursor.isOperator(':') ? [] : bound(']');
  if (cursor.acceptOperator(':')) indexes.push(...bound(']'));
  cursor.expectOperator(']');
  return indexes;
}

function parseParenthesized(cursor: TokenCursor): Expression {
  const { start } = cursor.next();
  if (isSelectStart(cursor)) return closeSubquery(cursor, start);
  const empty = cursor.allows('grouping-sets') && cursor.isOperator(')');
  const items = empty ? [] : cursor.list(() => parseExpression(cursor));
  cursor.expectOperator(')');
  return { kind: 'list', items, span: cursor.spanFrom(start) } satisfies List;
}

function parseLiteral(cursor: TokenCursor): Literal {
  const token = cursor.next();
  if (token.kind === 'string') joinStrings(cursor, token.end);
  const span = cursor.spanFrom(token.start);
  if (token.kind === 'string') return { kind: 'literal', type: 'string', value: unquote(token), span };
  const type = token.kind === 'number' || token.kind === 'blob' ? token.kind : 'parameter';
  return { kind: 'literal', type, value: token.text, span };
}

/** Reads the strings that are one with the one before: all in MySQL, those on a new line in PostgreSQL. */
function joinStrings(cursor: TokenCursor, end: number): void {
  const rule = cursor.dialect.lexis.joinedStrings;
  let last = end;
  while (rule !== 'never' && cursor.peek().kind === 'string') {
    if (rule === 'across-lines' && !cursor.sql.slice(last, cursor.peek().start).includes('\n')) return;
    last = cursor.next().end;
  }
}

function parseWord(cursor: TokenCursor): Expression {
  const { kind, text, start } = cursor.peek();
  const word = kind === 'word' ? text.toUpperCase() : '';
  const { constants, callable } = cursor.dialect.grammar;
  const called = cursor.isOperator('(', 1);
  if (word === 'CASE') return parseCase(cursor);
  if (word === 'CAST' && called) return parseCast(cursor);
  if (word === 'EXISTS' && (called || !cursor.isName())) return parseExists(cursor);
  if (constants.has(word)) return parseConstant(cursor);
  const special = parseSpecialWord(cursor, word);
  if (special !== null) return special;
  const isCall = called && (cursor.isName() || callable.has(word));
  if (isCall) return parseCall(cursor, parseExpression);
  if (!cursor.isName()) throw cursor.fault('expected an expression');
  if (cursor.isOperator('.', 1) && cursor.isOperator('(', 3)) {
    cursor.next();
    cursor.next();
    const call = parseCall(cursor, parseExpression);
    return { ...call, span: cursor.spanFrom(start) };
  }
  return parseNames(cursor);
}

function parseConstant(cursor: TokenCursor): Literal {
  const { text, start } = cursor.next();
  // A precision: CURRENT_TIMESTAMP(3); MySQL also takes empty parentheses.
  if (cursor.dialect.name !== 'sqlite' && cursor.acceptOperator('(')) {
    if (cursor.peek().kind === 'number') cursor.next();
    cursor.expectOperator(')');
  }
  const word = text.toUpperCase();
  const type = word === 'NULL' ? 'null' : word === 'TRUE' || word === 'FALSE' ? 'boolean' : 'time';
  return { kind: 'literal', type, value: text, span: cursor.spanFrom(start) };
}

/** Parses what starts with a word that is neither a name nor a function: INTERVAL, ANY, ARRAY, BINARY, `date '…'`. */
function parseSpecialWord(cursor: TokenCursor, word: string): Expression | null {
  const { start, kind } = cursor.peek();
  const unary = (operator: string, operand: Expression): Expression => {
    return { kind: 'unary', operator, operand, span: cursor.spanFrom(start) };
  };
  if (cursor.allows('quantified') && ['ANY', 'ALL', 'SOME'].includes(word) && cursor.isOperator('(', 1)) {
    cursor.next();
    return unary(word, parseParenthesized(cursor));
  }
  if (cursor.allows('arrays') && word === 'ARRAY') return parseArray(cursor);
  if (cursor.dialect.grammar.prefixWords.has(word)) {
    cursor.next();
    return unary(word, parsePrefix(cursor));
  }
  if (cursor.allows('interval-units') && word === 'INTERVAL') return parseInterval(cursor);
  if (kind === 'word' && isTypedString(cursor, word)) return parseTypedString(cursor);
  return null;
}

function parseArray(cursor: TokenCursor): Expression {
  const { start } = cursor.next();
  if (!cursor.isOperator('(')) return parseArrayItems(cursor, start);
  const query = parseParenthesized(cursor);
  return { kind: 'array', items: [query], span: cursor.spanFrom(start) };
}

function parseArrayItems(cursor: TokenCursor, start: number): Expression {
  cursor.expectOperator('[');
  const item = (): Expression =>
    cursor.isOperator('[') ? parseArrayItems(cursor, cursor.peek().start) : parseExpression(cursor);
  const items = cursor.isOperator(']') ? [] : cursor.list(item);
  cursor.expectOperator(']');
  return { kind: 'array', items, span: cursor.spanFrom(start) };
}

/** MySQL's `INTERVAL expression unit`, or its function INTERVAL(n, …). */
function parseInterval(cursor: TokenCursor): Expression {
  const { start } = cursor.next();
  const operand = parseExpression(cursor);
  const called = operand.kind === 'list' && operand.items.length > 1;
  if (!called && cursor.next().kind !== 'word') throw cursor.fault('expected a unit of time before this');
  return { kind: 'unary', operator: 'INTERVAL', operand, span: cursor.spanFrom(start) };
}

const MYSQL_TYPED = new Set(['DATE', 'TIME', 'TIMESTAMP']);
const INTERVAL_FIELDS = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'];

function isTypedString(cursor: TokenCursor, word: string): boolean {
  const isString = (ahead: number): boolean => cursor.peek(ahead).kind === 'string';
  if (cursor.dialect.name === 'mysql') return MYSQL_TYPED.has(word) && isString(1);
  if (!cursor.allows('typed-strings') || !cursor.isName()) return false;
  const zoned = (word === 'TIME' || word === 'TIMESTAMP') && cursor.isWord('TIME', 2) && isString(4);
  return isString(1) || zoned || (word === 'DOUBLE' && cursor.isWord('PRECISION', 1) && isString(2));
}

function parseTypedString(cursor: TokenCursor): Literal {
  const { start, text } = cursor.next();
  while (cursor.peek().kind !== 'string') cursor.next();
  const { value } = parseLiteral(cursor);
  if (text.toUpperCase() === 'INTERVAL') parseIntervalFields(cursor);
  return { kind: 'literal', type: 'string', value, span: cursor.spanFrom(start) };
}

function parseIntervalFields(cursor: TokenCursor): void {
  const field = (): boolean => INTERVAL_FIELDS.some((word) => cursor.acceptWord(word));
  if (field() && cursor.acceptWord('TO') && !field()) throw cursor.fault('expected a field of the interval');
}

function parseNames(cursor: TokenCursor): ColumnNode {
  const names = [cursor.expectName('a column name')];
  while (names.length < 3 && cursor.acceptOperator('.')) names.push(cursor.expectNameAfterDot('a column name'));
  const span = cursor.spanFrom(names[0]?.span.start ?? 0);
  const [column, table = null, schema = null] = names.reverse();
  if (column === undefined) throw cursor.fault('expected a column name');
  return { kind: 'column', schema, table, column, span };
}

function parseExists(cursor: TokenCursor): Expression {
  const { start } = cursor.next();
  cursor.expectOperator('(');
  const { select } = closeSubquery(cursor, start);
  return { kind: 'exists', select, span: cursor.spanFrom(start) };
}

function parseCase(cursor: TokenCursor): Case {
  const { start } = cursor.next();
  const operand = cursor.isWord('WHEN') ? null : parseExpression(cursor);
  const branches: { when: Expression; then: Expression }[] = [];
  do {
    cursor.expectWord('WHEN');
    const when = parseExpression(cursor);
    cursor.expectWord('THEN');
    branches.push({ when, then: parseExpression(cursor) });
  } while (cursor.isWord('WHEN'));
  const otherwise = cursor.acceptWord('ELSE') ? parseExpression(cursor) : null;
  cursor.expectWord('END');
  return { kind: 'case', operand, branches, otherwise, span: cursor.spanFrom(start) };
}

function parseCast(cursor: TokenCursor): Expression {
  const { start } = cursor.next();
  cursor.expectOperator('(');
  const operand = parseExpression(cursor);
  cursor.expectWord('AS');
  const type = parseCastType(cursor);
  cursor.expectOperator(')');
  return { kind: 'cast', operand, type, span: cursor.spanFrom(start) };
}
