import type { DerivedSource, GroupSource, Identifier, Join, JoinType, Source, TableSource } from './ast.js';
import { isSelectStart, parseExpression, parseTableName } from './expression-parser.js';
import type { TokenCursor } from './token-cursor.js';
import type { Span } from './tokenizer.js';

interface JoinOperator {
  readonly type: JoinType;
  readonly natural: Span | null;
}

const JOIN_WORDS = ['NATURAL', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'OUTER'];

/** Parses what follows FROM: tables, subqueries and joins, left to right. @throws SqlRewriteError with the position */
export function parseSource(cursor: TokenCursor): Source {
  let left = parseItem(cursor);
  for (let operator = acceptJoin(cursor); operator !== null; operator = acceptJoin(cursor)) {
    left = parseJoin(cursor, left, operator);
  }
  return left;
}

function parseJoin(cursor: TokenCursor, left: Source, { type, natural }: JoinOperator): Join {
  const right = parseItem(cursor);
  const constraint = parseConstraint(cursor);
  return { kind: 'join', type, natural, left, right, constraint, span: cursor.spanFrom(left.span.start) };
}

function acceptJoin(cursor: TokenCursor): JoinOperator | null {
  if (cursor.acceptOperator(',')) return { type: 'comma', natural: null };
  const words: string[] = [];
  let natural: Span | null = null;
  while (JOIN_WORDS.some((word) => cursor.isWord(word))) {
    const { text, start, end } = cursor.next();
    if (text.toUpperCase() === 'NATURAL' && natural === null) natural = { start, end };
    else words.push(text.toUpperCase());
  }
  if (words.length === 0 && natural === null && !cursor.isWord('JOIN')) return null;
  cursor.expectWord('JOIN');
  return { type: joinType(words, cursor), natural };
}

function joinType(words: readonly string[], cursor: TokenCursor): JoinType {
  const [first = 'INNER', second] = words;
  const outer = first === 'LEFT' || first === 'RIGHT' || first === 'FULL';
  const known = ['INNER', 'CROSS', 'LEFT', 'RIGHT', 'FULL'].includes(first);
  if (words.length > 2 || !known || (second !== undefined && !(outer && second === 'OUTER'))) {
    throw cursor.fault(`unknown join: ${words.join(' ')} JOIN`);
  }
  return first.toLowerCase() as JoinType;
}

function parseConstraint(cursor: TokenCursor): Join['constraint'] {
  const { start } = cursor.peek();
  if (cursor.acceptWord('ON')) {
    const condition = parseExpression(cursor);
    return { kind: 'on', condition, span: cursor.spanFrom(start) };
  }
  if (!cursor.acceptWord('USING')) return null;
  cursor.expectOperator('(');
  const columns = cursor.list(() => cursor.expectName('a column name'));
  cursor.expectOperator(')');
  return { kind: 'using', columns, span: cursor.spanFrom(start) };
}

function parseItem(cursor: TokenCursor): Source {
  return cursor.isOperator('(') ? parseInParentheses(cursor) : parseTable(cursor);
}

function parseInParentheses(cursor: TokenCursor): DerivedSource | GroupSource {
  const { start } = cursor.next();
  if (isSelectStart(cursor)) {
    const select = cursor.nested(() => cursor.parseSelect(cursor));
    cursor.expectOperator(')');
    const alias = parseAlias(cursor);
    return { kind: 'derived', select, alias, span: cursor.spanFrom(start) };
  }
  const source = cursor.nested(() => parseSource(cursor));
  cursor.expectOperator(')');
  const alias = parseAlias(cursor);
  return { kind: 'group', source, alias, span: cursor.spanFrom(start) };
}

function parseTable(cursor: TokenCursor): TableSource {
  const table = parseTableName(cursor);
  const alias = parseAlias(cursor);
  if (cursor.acceptWords('INDEXED', 'BY')) cursor.expectName('an index');
  else cursor.acceptWords('NOT', 'INDEXED');
  return { ...table, alias, span: cursor.spanFrom(table.span.start) };
}

function parseAlias(cursor: TokenCursor): Identifier | null {
  if (cursor.acceptWord('AS')) return cursor.expectName('an alias');
  if (cursor.isWord('WINDOW') && cursor.isName(1) && cursor.isWord('AS', 2)) return null;
  return cursor.isImplicitAlias() ? cursor.expectName('an alias') : null;
}
