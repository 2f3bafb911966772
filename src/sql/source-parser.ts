import type { DerivedSource, GroupSource, Identifier, Join, JoinType, Source, TableSource } from './ast.js';
import { parseExpression, parseTableName, SELECT_STARTS } from './expression-parser.js';
import type { TokenCursor } from './token-cursor.js';
import type { Span } from './tokenizer.js';

interface JoinOperator {
  readonly type: JoinType;
  readonly natural: Span | null;
}

const JOIN_WORDS = new Set(['NATURAL', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'OUTER']);

/** A join whose ON or USING is still to come, after the joins that it takes as its right side. */
interface OpenJoin {
  readonly left: Source;
  readonly operator: JoinOperator;
}

/** Parses what follows FROM: tables, subqueries and joins, left to right. @throws SqlRewriteError with the position */
export function parseSource(cursor: TokenCursor): Source {
  // A comma binds like any join in SQLite, and less than them in standard SQL.
  if (cursor.dialect.scoping.on === 'clause') return parseFlatJoins(cursor);
  let left = parseNestedJoins(cursor);
  while (cursor.acceptOperator(',')) {
    const right = parseNestedJoins(cursor);
    left = joinOf({ left, operator: { type: 'comma', natural: null } }, right, null, cursor.spanFrom(left.span.start));
  }
  return left;
}

/** Joins of SQLite, each with its ON right behind its table. */
function parseFlatJoins(cursor: TokenCursor): Source {
  let left = parseItem(cursor);
  for (let operator = acceptJoin(cursor, true); operator !== null; operator = acceptJoin(cursor, true)) {
    const right = parseItem(cursor);
    const constraint = parseConstraint(cursor);
    left = joinOf({ left, operator }, right, constraint, cursor.spanFrom(left.span.start));
  }
  return left;
}

/** Joins of standard SQL, whose ON may come later: of `a JOIN b JOIN c ON x ON y`, x belongs to the last. */
function parseNestedJoins(cursor: TokenCursor): Source {
  const open: OpenJoin[] = [];
  let source = parseItem(cursor);
  for (;;) {
    const constraint = parseConstraint(cursor);
    if (constraint !== null) {
      const join = open.pop();
      if (join === undefined) {
        const isCross = source.kind === 'join' && source.type === 'cross' && source.constraint === null;
        throw cursor.fault(isCross ? 'CROSS JOIN with ON or USING' : 'ON or USING without a join of its own before it');
      }
      source = joinOf(join, grouped(source), constraint, cursor.spanFrom(join.left.span.start));
      continue;
    }
    const operator = acceptJoin(cursor, false);
    if (operator === null) return closeJoins(cursor, open, source);
    const join = { left: source, operator };
    source = parseItem(cursor);
    if (operator.natural !== null || (operator.type === 'cross' && cursor.dialect.scoping.onNeeded === 'always')) {
      source = joinOf(join, source, null, cursor.spanFrom(join.left.span.start));
    } else open.push(join);
  }
}

/** Joins written without parentheses as the right side of another. */
function grouped(source: Source): Source {
  return source.kind === 'join' ? { kind: 'group', source, alias: null, span: source.span } : source;
}

function joinOf({ left, operator }: OpenJoin, right: Source, constraint: Join['constraint'], span: Span): Join {
  return { kind: 'join', ...operator, left, right, constraint, span };
}

/** Ends joins that have no ON, where the dialect lets them. */
function closeJoins(cursor: TokenCursor, open: readonly OpenJoin[], source: Source): Source {
  return open.reduceRight((right, join) => {
    const { type } = join.operator;
    const isOuter = type !== 'inner' && type !== 'cross';
    const name = `${type === 'inner' ? '' : `${type.toUpperCase()} `}JOIN`;
    if (isOuter || cursor.dialect.scoping.onNeeded === 'always') throw cursor.fault(`${name} without ON or USING`);
    return joinFirst(join, right);
  }, source);
}

/** Joins without a condition, which bind from the left: `a JOIN b LEFT JOIN c ON x` joins a to b first. */
function joinFirst(join: OpenJoin, right: Source): Join {
  const span = { start: join.left.span.start, end: right.span.end };
  return right.kind === 'join'
    ? { ...right, left: joinFirst(join, right.left), span }
    : joinOf(join, right, null, span);
}

function acceptJoin(cursor: TokenCursor, commas: boolean): JoinOperator | null {
  if (commas && cursor.acceptOperator(',')) return { type: 'comma', natural: null };
  if (cursor.allows('straight-join') && cursor.acceptWord('STRAIGHT_JOIN')) return { type: 'inner', natural: null };
  if (cursor.acceptWord('JOIN')) return { type: 'inner', natural: null };
  if (!JOIN_WORDS.has(cursor.word())) return null;
  const words: string[] = [];
  let natural: Span | null = null;
  while (JOIN_WORDS.has(cursor.word()) && (cursor.allows('full-join') || !cursor.isWord('FULL'))) {
    const { text, start, end } = cursor.next();
    if (text.toUpperCase() === 'NATURAL' && natural === null) natural = { start, end };
    else words.push(text.toUpperCase());
  }
  if (words.length === 0 && natural === null) return null;
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
  if (cursor.dialect.name === 'postgresql' && cursor.isWord('AS')) throw cursor.unsupported('an alias of USING');
  return { kind: 'using', columns, span: cursor.spanFrom(start) };
}

function parseItem(cursor: TokenCursor): Source {
  const { start } = cursor.peek();
  if (cursor.dialect.name === 'postgresql') cursor.acceptWord('ONLY');
  if (cursor.allows('lateral') && cursor.isWord('LATERAL') && (cursor.isOperator('(', 1) || !cursor.isName())) {
    cursor.next();
    const source = parseItem(cursor);
    return source.kind === 'derived' ? { ...source, lateral: true, span: cursor.spanFrom(start) } : source;
  }
  return cursor.isOperator('(') ? parseInParentheses(cursor) : parseTable(cursor);
}

function parseInParentheses(cursor: TokenCursor): DerivedSource | GroupSource {
  const { start } = cursor.peek();
  if (isDerived(cursor)) {
    cursor.next();
    const select = cursor.nested(() => cursor.parseSelect(cursor));
    cursor.expectOperator(')');
    const alias = parseAlias(cursor);
    const columns = alias === null || !cursor.allows('derived-columns') ? null : parseColumnNames(cursor);
    return { kind: 'derived', select, lateral: false, alias, columns, span: cursor.spanFrom(start) };
  }
  cursor.next();
  const source = cursor.nested(() => parseSource(cursor));
  cursor.expectOperator(')');
  const alias = parseAlias(cursor);
  if (alias !== null && cursor.isOperator('(')) throw cursor.unsupported("a column list after a join's alias");
  return { kind: 'group', source, alias, span: cursor.spanFrom(start) };
}

/** Checks whether the parenthesis at the cursor holds a query, rather than a join that may start with one. */
function isDerived(cursor: TokenCursor): boolean {
  if (!cursor.isOperator('(', 1)) return SELECT_STARTS.has(cursor.word(1));
  if (!cursor.allows('parenthesized-selects')) return false;
  let [depth, ahead] = [1, 1];
  while (cursor.isOperator('(', ahead)) ahead++;
  if (!SELECT_STARTS.has(cursor.word(ahead))) return false;
  for (ahead = 1; ; ahead++) {
    if (cursor.peek(ahead).kind === 'end') return false;
    if (cursor.isOperator('(', ahead)) depth++;
    if (cursor.isOperator(')', ahead) && --depth === 1) break;
  }
  // `((SELECT …) UNION …)` and `((SELECT …))` are queries, `((SELECT …) AS a JOIN …)` is a join.
  const next = ['UNION', 'INTERSECT', 'EXCEPT', 'ORDER', 'LIMIT', 'OFFSET', 'FETCH'];
  return cursor.isOperator(')', ahead + 1) || next.some((word) => cursor.isWord(word, ahead + 1));
}

function parseColumnNames(cursor: TokenCursor): Identifier[] | null {
  if (!cursor.acceptOperator('(')) return null;
  const columns = cursor.list(() => cursor.expectName('a column name'));
  cursor.expectOperator(')');
  return columns;
}

function parseTable(cursor: TokenCursor): TableSource {
  const table = parseTableName(cursor);
  if (cursor.dialect.name === 'mysql' && cursor.isWord('PARTITION')) throw cursor.unsupported('PARTITION');
  if (cursor.dialect.name === 'postgresql' && cursor.acceptOperator('*')) cursor.peek();
  if (table.args !== null && cursor.isWord('WITH')) throw cursor.unsupported('WITH ORDINALITY');
  const alias = parseAlias(cursor);
  const listed = alias !== null && cursor.allows('derived-columns') && cursor.isOperator('(');
  if (listed && table.args === null) throw cursor.unsupported("a column list after a table's alias");
  const columns = listed ? parseColumnNames(cursor) : null;
  if (cursor.isWord('TABLESAMPLE') && cursor.dialect.name !== 'sqlite') throw cursor.unsupported('TABLESAMPLE');
  const namesIndex = cursor.allows('indexed-by') && acceptIndexedBy(cursor);
  if (cursor.allows('index-hints')) parseIndexHints(cursor);
  const span = cursor.spanFrom(table.span.start);
  return { ...table, alias, columns, ...(namesIndex ? { namesIndex } : {}), span };
}

/** Reads past what is said of indexes; true if one is named. */
function acceptIndexedBy(cursor: TokenCursor): boolean {
  const namesIndex = cursor.acceptWords('INDEXED', 'BY');
  if (namesIndex) cursor.expectName('an index');
  else cursor.acceptWords('NOT', 'INDEXED');
  return namesIndex;
}

const isIndexHint = (cursor: TokenCursor, ahead: number): boolean =>
  ['USE', 'FORCE', 'IGNORE'].some((word) => cursor.isWord(word, ahead));

/** Hints one after the other; a comma that none follows is the next table's. */
function parseIndexHints(cursor: TokenCursor): void {
  while (acceptIndexHint(cursor)) if (cursor.isOperator(',') && isIndexHint(cursor, 1)) cursor.next();
}

/** `USE INDEX FOR JOIN (a, b)`: names of indexes, which stay as they are. */
function acceptIndexHint(cursor: TokenCursor): boolean {
  if (!isIndexHint(cursor, 0)) return false;
  cursor.next();
  if (!cursor.acceptWord('INDEX')) cursor.expectWord('KEY');
  if (cursor.acceptWord('FOR') && !cursor.acceptWord('JOIN')) {
    if (!cursor.acceptWords('ORDER', 'BY') && !cursor.acceptWords('GROUP', 'BY')) throw cursor.fault('expected JOIN');
  }
  cursor.expectOperator('(');
  while (!cursor.isOperator(')')) {
    if (!cursor.acceptWord('PRIMARY')) cursor.expectName('an index');
    cursor.acceptOperator(',');
  }
  cursor.expectOperator(')');
  return true;
}

function parseAlias(cursor: TokenCursor): Identifier | null {
  if (cursor.acceptWord('AS')) return cursor.expectName('an alias');
  if (cursor.isWord('WINDOW') && cursor.isName(1) && cursor.isWord('AS', 2)) return null;
  return cursor.isImplicitAlias() ? cursor.expectName('an alias') : null;
}
