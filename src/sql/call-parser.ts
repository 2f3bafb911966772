import type { Expression, FunctionCall, Identifier, OrderingTerm } from './ast.js';
import { PRECEDENCE } from './sql-dialect.js';
import type { TokenCursor } from './token-cursor.js';
import { parseCastType } from './type-parser.js';
import { parseOrderingTerms, parseOver } from './windows.js';

/** Parses an expression whose operators bind at least as strongly as a precedence. */
type ParseExpression = (cursor: TokenCursor, minimum?: number) => Expression;

/** Words that part the arguments of some functions besides commas: SUBSTRING(a FROM b FOR c). Folded names. */
const SEPARATORS: Readonly<Record<string, readonly string[]>> = {
  trim: ['FROM'],
  substring: ['FROM', 'FOR', 'SIMILAR', 'ESCAPE'],
  substr: ['FROM', 'FOR'],
  overlay: ['PLACING', 'FROM', 'FOR'],
};
/** Functions whose first argument is a word of the language, no name. */
const WORD_FIRST = new Set(['timestampdiff', 'timestampadd', 'get_format']);
/** The first argument of SQLite's RAISE, a word of the language too. */
const RAISE_ACTIONS = ['IGNORE', 'ROLLBACK', 'ABORT', 'FAIL'];

/** A call's arguments and what follows them inside the parentheses. */
interface Arguments {
  readonly distinct: boolean;
  readonly star: boolean;
  readonly args: readonly Expression[];
  readonly orderBy: readonly OrderingTerm[];
}

const only = (...args: readonly Expression[]): Arguments => ({ distinct: false, star: false, args, orderBy: [] });

/** Parses a function call with its FILTER and OVER. @throws SqlRewriteError with the position */
export function parseCall(cursor: TokenCursor, parse: ParseExpression): FunctionCall {
  const name = callName(cursor);
  cursor.expectOperator('(');
  const plain = cursor.dialect.name === 'sqlite' || name.quote !== 'bare';
  const special = name.quote === 'bare' ? parseSpecial(cursor, parse, name) : null;
  const inside = special ?? parseArguments(cursor, parse);
  cursor.expectOperator(')');
  const against = plain ? [] : parseAgainst(cursor, parse, name);
  const within = plain ? [] : parseWithin(cursor, parse);
  const filter = parseFilter(cursor, parse);
  const over = parseOver(cursor, parse);
  const args = [...inside.args, ...against];
  const orderBy = [...inside.orderBy, ...within];
  return { ...inside, kind: 'function', name, args, orderBy, filter, over, span: cursor.spanFrom(name.span.start) };
}

function callName(cursor: TokenCursor): Identifier {
  if (cursor.isName()) return cursor.expectName('a function name');
  const { text, start, end } = cursor.next();
  return { kind: 'identifier', name: cursor.dialect.bareName(text), quote: 'bare', span: { start, end } };
}

function parseArguments(cursor: TokenCursor, parse: ParseExpression): Arguments {
  const star = cursor.acceptOperator('*');
  const distinct = !star && cursor.acceptWord('DISTINCT');
  if (!star && !distinct) cursor.acceptWord('ALL');
  const empty = star || (!distinct && cursor.isOperator(')'));
  const args = empty ? [] : cursor.list(() => parse(cursor));
  const orderBy = cursor.acceptWords('ORDER', 'BY') ? parseOrderingTerms(cursor, parse) : [];
  if (cursor.dialect.name === 'mysql' && cursor.acceptWord('SEPARATOR')) parse(cursor);
  return { distinct, star, args, orderBy };
}

function parseSpecial(cursor: TokenCursor, parse: ParseExpression, { name }: Identifier): Arguments | null {
  const function_ = name.toLowerCase();
  if (cursor.dialect.name === 'sqlite') return function_ === 'raise' ? parseRaise(cursor, parse) : null;
  if (function_ === 'extract') return parseExtract(cursor, parse);
  if (function_ === 'position') return parsePosition(cursor, parse);
  if (function_ === 'convert' && cursor.dialect.name === 'mysql') return parseConvert(cursor, parse);
  if (function_ === 'char' && cursor.dialect.name === 'mysql') return parseChar(cursor, parse);
  if (WORD_FIRST.has(function_) && cursor.dialect.name === 'mysql') return parseWordFirst(cursor, parse);
  const separators = SEPARATORS[function_];
  return separators === undefined ? null : parseSeparated(cursor, parse, separators);
}

/** RAISE(IGNORE) and RAISE(ABORT, message) */
function parseRaise(cursor: TokenCursor, parse: ParseExpression): Arguments | null {
  if (!RAISE_ACTIONS.some((action) => cursor.acceptWord(action))) return null;
  return cursor.acceptOperator(',') ? only(parse(cursor)) : only();
}

/** EXTRACT(field FROM x) */
function parseExtract(cursor: TokenCursor, parse: ParseExpression): Arguments | null {
  if (!cursor.isWord('FROM', 1)) return null;
  cursor.next();
  cursor.next();
  return only(parse(cursor));
}

/** POSITION(a IN b), where `a IN b` is no test. */
function parsePosition(cursor: TokenCursor, parse: ParseExpression): Arguments {
  const inside = parse(cursor, PRECEDENCE.bits);
  if (!cursor.acceptWord('IN')) cursor.expectOperator(',');
  return only(inside, parse(cursor));
}

/** CONVERT(x, type) and CONVERT(x USING charset) */
function parseConvert(cursor: TokenCursor, parse: ParseExpression): Arguments {
  const value = parse(cursor);
  if (cursor.acceptWord('USING')) cursor.next();
  else if (cursor.acceptOperator(',')) parseCastType(cursor);
  return only(value);
}

/** CHAR(n, … USING charset) */
function parseChar(cursor: TokenCursor, parse: ParseExpression): Arguments {
  const args = cursor.list(() => parse(cursor));
  if (cursor.acceptWord('USING')) cursor.next();
  return only(...args);
}

function parseWordFirst(cursor: TokenCursor, parse: ParseExpression): Arguments {
  cursor.next();
  cursor.expectOperator(',');
  return only(...cursor.list(() => parse(cursor)));
}

function parseSeparated(cursor: TokenCursor, parse: ParseExpression, separators: readonly string[]): Arguments {
  ['BOTH', 'LEADING', 'TRAILING'].some((word) => cursor.acceptWord(word));
  const separator = (): boolean => cursor.acceptOperator(',') || separators.some((word) => cursor.acceptWord(word));
  separator();
  const args = [parse(cursor)];
  while (separator()) args.push(parse(cursor));
  return only(...args);
}

/** MATCH(a, b) AGAINST (x IN BOOLEAN MODE) */
function parseAgainst(cursor: TokenCursor, parse: ParseExpression, { name }: Identifier): Expression[] {
  if (name.toLowerCase() !== 'match' || !cursor.acceptWord('AGAINST')) return [];
  cursor.expectOperator('(');
  const searched = parse(cursor, PRECEDENCE.bits);
  while (cursor.peek().kind === 'word') cursor.next();
  cursor.expectOperator(')');
  return [searched];
}

/** WITHIN GROUP (ORDER BY x) */
function parseWithin(cursor: TokenCursor, parse: ParseExpression): OrderingTerm[] {
  if (!cursor.acceptWords('WITHIN', 'GROUP')) return [];
  cursor.expectOperator('(');
  if (!cursor.acceptWords('ORDER', 'BY')) throw cursor.fault('expected ORDER BY');
  const terms = parseOrderingTerms(cursor, parse);
  cursor.expectOperator(')');
  return terms;
}

function parseFilter(cursor: TokenCursor, parse: ParseExpression): Expression | null {
  if (!cursor.isWord('FILTER') || !cursor.isOperator('(', 1)) return null;
  cursor.next();
  cursor.expectOperator('(');
  cursor.expectWord('WHERE');
  const filter = parse(cursor);
  cursor.expectOperator(')');
  return filter;
}
