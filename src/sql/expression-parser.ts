import type { Case, Cast, ColumnNode, Expression, FunctionCall, In, List, Literal, TableSource } from './ast.js';
import { MAX_DEPTH, type TokenCursor } from './token-cursor.js';
import { unquote } from './tokenizer.js';
import { parseOrderingTerms, parseOver } from './window-parser.js';

// SQLite's precedence, https://www.sqlite.org/lang_expr.html, loosest first.
const PRECEDENCE = {
  or: 1,
  and: 2,
  not: 3,
  equality: 4,
  comparison: 5,
  bits: 7,
  sum: 8,
  product: 9,
  concat: 10,
} as const;

const BINARY_OPERATORS: ReadonlyMap<string, number> = new Map([
  ...['=', '==', '<>', '!='].map((op) => [op, PRECEDENCE.equality] as const),
  ...['<', '<=', '>', '>='].map((op) => [op, PRECEDENCE.comparison] as const),
  ...['&', '|', '<<', '>>'].map((op) => [op, PRECEDENCE.bits] as const),
  ...['+', '-'].map((op) => [op, PRECEDENCE.sum] as const),
  ...['*', '/', '%'].map((op) => [op, PRECEDENCE.product] as const),
  ...['||', '->', '->>'].map((op) => [op, PRECEDENCE.concat] as const),
]);
const LIKE_WORDS = ['LIKE', 'GLOB', 'REGEXP', 'MATCH'] as const;
const TIME_WORDS = new Set(['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP']);

/** Parses one expression at the cursor, with SQLite's precedence. @throws SqlRewriteError with the position */
export function parseExpression(cursor: TokenCursor): Expression {
  return parseFrom(cursor, PRECEDENCE.or);
}

function parseFrom(cursor: TokenCursor, minimum: number): Expression {
  return cursor.nested(() => {
    let left = parsePrefix(cursor);
    for (let depth = 0; ; depth++) {
      const longer = parseInfix(cursor, left, minimum);
      if (longer === null) return left;
      if (depth > MAX_DEPTH) throw cursor.fault('the expression has too many terms');
      left = longer;
    }
  });
}

function parseInfix(cursor: TokenCursor, left: Expression, minimum: number): Expression | null {
  const token = cursor.peek();
  if (token.kind === 'operator') return parseOperator(cursor, left, minimum);
  if (token.kind !== 'word') return null;
  if (cursor.isWord('COLLATE')) return parseCollate(cursor, left);
  if (cursor.isWord('OR')) return minimum <= PRECEDENCE.or ? binary(cursor, left, 'OR', PRECEDENCE.or) : null;
  if (cursor.isWord('AND')) return minimum <= PRECEDENCE.and ? binary(cursor, left, 'AND', PRECEDENCE.and) : null;
  return minimum <= PRECEDENCE.equality ? parseTest(cursor, left) : null;
}

function parseOperator(cursor: TokenCursor, left: Expression, minimum: number): Expression | null {
  const operator = cursor.peek().text;
  const precedence = BINARY_OPERATORS.get(operator);
  return precedence === undefined || precedence < minimum ? null : binary(cursor, left, operator, precedence);
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
  if (cursor.acceptWord('ISNULL')) return nullTest(cursor, left, false);
  if (cursor.acceptWord('NOTNULL') || cursor.acceptWords('NOT', 'NULL')) return nullTest(cursor, left, true);
  const ahead = cursor.isWord('NOT') ? 1 : 0;
  const negated = ahead === 1;
  if (cursor.isWord('BETWEEN', ahead)) return parseBetween(cursor, left, negated);
  if (cursor.isWord('IN', ahead)) return parseIn(cursor, left, negated);
  const like = LIKE_WORDS.find((word) => cursor.isWord(word, ahead));
  return like === undefined ? null : parseLike(cursor, left, negated, like);
}

function nullTest(cursor: TokenCursor, operand: Expression, negated: boolean): Expression {
  return { kind: 'null-test', negated, operand, span: cursor.spanFrom(operand.span.start) };
}

function parseIs(cursor: TokenCursor, left: Expression): Expression {
  cursor.next();
  const not = cursor.acceptWord('NOT') ? ' NOT' : '';
  const distinct = cursor.acceptWords('DISTINCT', 'FROM') ? ' DISTINCT FROM' : '';
  const right = parseFrom(cursor, PRECEDENCE.comparison);
  return { kind: 'binary', operator: `IS${not}${distinct}`, left, right, span: cursor.spanFrom(left.span.start) };
}

function parseBetween(cursor: TokenCursor, operand: Expression, negated: boolean): Expression {
  if (negated) cursor.next();
  cursor.next();
  const low = parseFrom(cursor, PRECEDENCE.not);
  cursor.expectWord('AND');
  const high = parseFrom(cursor, PRECEDENCE.comparison);
  return { kind: 'between', negated, operand, low, high, span: cursor.spanFrom(operand.span.start) };
}

function parseLike(
  cursor: TokenCursor,
  left: Expression,
  negated: boolean,
  operator: (typeof LIKE_WORDS)[number],
): Expression {
  if (negated) cursor.next();
  cursor.next();
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
  if (!cursor.isOperator('(')) return parseTableName(cursor);
  const { start } = cursor.next();
  if (isSelectStart(cursor)) return closeSubquery(cursor, start);
  const items = cursor.isOperator(')') ? [] : cursor.list(() => parseExpression(cursor));
  cursor.expectOperator(')');
  return { kind: 'list', items, span: cursor.spanFrom(start) };
}

/** Parses `[schema.]table` or `table(arguments)`, without an alias. */
export function parseTableName(cursor: TokenCursor): TableSource {
  const first = cursor.expectName('a table name');
  const second = cursor.acceptOperator('.') ? cursor.expectName('a table name') : null;
  const args = cursor.isOperator('(') ? parseArguments(cursor) : null;
  const span = cursor.spanFrom(first.span.start);
  return { kind: 'table', schema: second === null ? null : first, name: second ?? first, args, alias: null, span };
}

function parseArguments(cursor: TokenCursor): Expression[] {
  cursor.expectOperator('(');
  const args = cursor.isOperator(')') ? [] : cursor.list(() => parseExpression(cursor));
  cursor.expectOperator(')');
  return args;
}

/** Whether a query starts at the cursor. */
export function isSelectStart(cursor: TokenCursor): boolean {
  return cursor.isWord('SELECT') || cursor.isWord('VALUES') || cursor.isWord('WITH');
}

function closeSubquery(cursor: TokenCursor, start: number): Extract<Expression, { kind: 'subquery' }> {
  const select = cursor.nested(() => cursor.parseSelect(cursor));
  cursor.expectOperator(')');
  return { kind: 'subquery', select, span: cursor.spanFrom(start) };
}

function parsePrefix(cursor: TokenCursor): Expression {
  const { kind, start } = cursor.peek();
  if (cursor.isOperator('(')) return parseParenthesized(cursor);
  if (kind === 'operator') return parseSign(cursor);
  if (kind === 'string' && cursor.isOperator('.', 1)) return parseNames(cursor);
  if (kind === 'number' || kind === 'string' || kind === 'blob' || kind === 'parameter') return parseLiteral(cursor);
  if (cursor.acceptWord('NOT')) {
    const operand = parseFrom(cursor, PRECEDENCE.not);
    return { kind: 'unary', operator: 'NOT', operand, span: cursor.spanFrom(start) };
  }
  return parseWord(cursor);
}

function parseSign(cursor: TokenCursor): Expression {
  const { text, start } = cursor.peek();
  if (text !== '-' && text !== '+' && text !== '~') throw cursor.fault('expected an expression');
  cursor.next();
  const operand = cursor.nested(() => parsePrefix(cursor));
  return { kind: 'unary', operator: text, operand, span: cursor.spanFrom(start) };
}

function parseParenthesized(cursor: TokenCursor): Expression {
  const { start } = cursor.next();
  if (isSelectStart(cursor)) return closeSubquery(cursor, start);
  const items = cursor.list(() => parseExpression(cursor));
  cursor.expectOperator(')');
  return { kind: 'list', items, span: cursor.spanFrom(start) } satisfies List;
}

function parseLiteral(cursor: TokenCursor): Literal {
  const token = cursor.next();
  const span = cursor.spanFrom(token.start);
  if (token.kind === 'string') return { kind: 'literal', type: 'string', value: unquote(token), span };
  const type = token.kind === 'number' || token.kind === 'blob' ? token.kind : 'parameter';
  return { kind: 'literal', type, value: token.text, span };
}

function parseWord(cursor: TokenCursor): Expression {
  const { kind, text, start } = cursor.peek();
  const word = kind === 'word' ? text.toUpperCase() : '';
  if (word === 'CASE') return parseCase(cursor);
  if (word === 'CAST' && cursor.isOperator('(', 1)) return parseCast(cursor);
  if (word === 'EXISTS') return parseExists(cursor);
  if (word === 'NULL' || TIME_WORDS.has(word)) {
    cursor.next();
    return { kind: 'literal', type: word === 'NULL' ? 'null' : 'time', value: text, span: cursor.spanFrom(start) };
  }
  if (!cursor.isName()) throw cursor.fault('expected an expression');
  return cursor.isOperator('(', 1) ? parseCall(cursor) : parseNames(cursor);
}

function parseNames(cursor: TokenCursor): ColumnNode {
  const names = [cursor.expectName('a column name')];
  while (names.length < 3 && cursor.acceptOperator('.')) names.push(cursor.expectName('a column name'));
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

function parseCast(cursor: TokenCursor): Cast {
  const { start } = cursor.next();
  cursor.expectOperator('(');
  const operand = parseExpression(cursor);
  cursor.expectWord('AS');
  const type = parseTypeName(cursor);
  cursor.expectOperator(')');
  return { kind: 'cast', operand, type, span: cursor.spanFrom(start) };
}

function parseTypeName(cursor: TokenCursor): string {
  const { start } = cursor.peek();
  while (cursor.isName()) cursor.next();
  if (cursor.acceptOperator('(')) {
    cursor.list(() => parseSignedNumber(cursor));
    cursor.expectOperator(')');
  }
  const { end } = cursor.spanFrom(start);
  return cursor.sql.slice(start, Math.max(start, end));
}

function parseSignedNumber(cursor: TokenCursor): void {
  if (!cursor.acceptOperator('-')) cursor.acceptOperator('+');
  if (cursor.peek().kind !== 'number') throw cursor.fault('expected a number');
  cursor.next();
}

function parseCall(cursor: TokenCursor): FunctionCall {
  const name = cursor.expectName('a function name');
  cursor.expectOperator('(');
  const star = cursor.acceptOperator('*');
  const distinct = !star && cursor.acceptWord('DISTINCT');
  if (!star && !distinct) cursor.acceptWord('ALL');
  const empty = star || (!distinct && cursor.isOperator(')'));
  const args = empty ? [] : cursor.list(() => parseExpression(cursor));
  const orderBy = cursor.acceptWords('ORDER', 'BY') ? parseOrderingTerms(cursor, parseExpression) : [];
  cursor.expectOperator(')');
  const filter = parseFilter(cursor);
  const over = parseOver(cursor, parseExpression);
  return {
    kind: 'function',
    name,
    distinct,
    star,
    args,
    orderBy,
    filter,
    over,
    span: cursor.spanFrom(name.span.start),
  };
}

function parseFilter(cursor: TokenCursor): Expression | null {
  if (!cursor.isWord('FILTER') || !cursor.isOperator('(', 1)) return null;
  cursor.next();
  cursor.expectOperator('(');
  cursor.expectWord('WHERE');
  const filter = parseExpression(cursor);
  cursor.expectOperator(')');
  return filter;
}
