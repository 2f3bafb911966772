import type {
  CommonTable,
  CompoundOperator,
  CompoundTerm,
  Expression,
  Limit,
  List,
  NamedWindow,
  ResultColumn,
  Select,
  SelectCore,
  Source,
  Values,
  With,
} from './ast.js';
import type { SqlDialect } from './dialect.js';
import { isSelectStart, parseExpression } from './expression-parser.js';
import { parseSource } from './source-parser.js';
import { TokenCursor } from './token-cursor.js';
import { parseOrderingTerms, parseWindow } from './windows.js';

/**
 * Parses one query in a dialect, SQLite's if none is given, with or without a closing semicolon.
 * Every node of the tree carries its span in `sql`.
 * @throws SqlRewriteError with offset, line:column and a snippet where the text is not a single SELECT, VALUES or WITH
 * query
 */
export function parseSelect(sql: string, dialect?: SqlDialect): Select {
  const cursor = new TokenCursor(sql, selectAt, dialect);
  const select = selectAt(cursor);
  while (cursor.acceptOperator(';'));
  if (cursor.peek().kind !== 'end') throw cursor.fault('expected the end of the query');
  return select;
}

function selectAt(cursor: TokenCursor): Select {
  const { start } = cursor.peek();
  if (!isSelectStart(cursor)) throw cursor.fault('expected SELECT');
  const withClause = cursor.isWord('WITH') ? parseWith(cursor) : null;
  const terms = [parseTerm(cursor, null)];
  for (let operator = acceptCompound(cursor); operator !== null; operator = acceptCompound(cursor)) {
    terms.push(parseTerm(cursor, operator));
  }
  const orderBy = cursor.acceptWords('ORDER', 'BY') ? parseOrderingTerms(cursor, parseExpression) : [];
  const limit = cursor.allows('fetch-first') ? parseFetch(cursor) : parseLimit(cursor);
  refuseTail(cursor);
  return { kind: 'select', with: withClause, terms, orderBy, limit, span: cursor.spanFrom(start) };
}

const TAILS = ['FOR', 'INTO', 'LOCK', 'PROCEDURE'];

function refuseTail(cursor: TokenCursor): void {
  const tail = cursor.dialect.name === 'sqlite' ? undefined : TAILS.find((word) => cursor.isWord(word));
  if (tail !== undefined) throw cursor.unsupported(`${tail} after a query`);
}

function parseWith(cursor: TokenCursor): With {
  const { start } = cursor.next();
  const recursive = cursor.acceptWord('RECURSIVE');
  const tables = cursor.list(() => parseCommonTable(cursor));
  return { kind: 'with', recursive, tables, span: cursor.spanFrom(start) };
}

function parseCommonTable(cursor: TokenCursor): CommonTable {
  const name = cursor.expectName('a name');
  let columns: CommonTable['columns'] = null;
  if (cursor.acceptOperator('(')) {
    columns = cursor.list(() => cursor.expectName('a column name'));
    cursor.expectOperator(')');
  }
  cursor.expectWord('AS');
  if (cursor.allows('materialized') && !cursor.acceptWord('MATERIALIZED')) cursor.acceptWords('NOT', 'MATERIALIZED');
  cursor.expectOperator('(');
  const select = cursor.nested(() => selectAt(cursor));
  cursor.expectOperator(')');
  return { kind: 'common-table', name, columns, select, span: cursor.spanFrom(name.span.start) };
}

function acceptCompound(cursor: TokenCursor): CompoundOperator | null {
  if (cursor.acceptWord('UNION')) {
    if (cursor.acceptWord('ALL')) return 'UNION ALL';
    if (cursor.allows('parenthesized-selects')) cursor.acceptWord('DISTINCT');
    return 'UNION';
  }
  const operator = (['INTERSECT', 'EXCEPT'] as const).find((word) => cursor.acceptWord(word));
  if (operator === undefined) return null;
  // For the names of a query, ALL makes no difference here.
  if (cursor.allows('parenthesized-selects')) cursor.acceptWord('ALL');
  return operator;
}

function parseTerm(cursor: TokenCursor, operator: CompoundOperator | null): CompoundTerm {
  const { start } = cursor.peek();
  const body = parseBody(cursor);
  return { kind: 'term', operator, body, span: cursor.spanFrom(start) };
}

function parseBody(cursor: TokenCursor): CompoundTerm['body'] {
  if (cursor.isWord('VALUES')) return parseValues(cursor);
  if (!cursor.allows('parenthesized-selects') || !cursor.acceptOperator('(')) return parseCore(cursor);
  const select = cursor.nested(() => selectAt(cursor));
  cursor.expectOperator(')');
  return select;
}

function parseValues(cursor: TokenCursor): Values {
  const { start } = cursor.next();
  const rows = cursor.list((): List => {
    if (cursor.allows('values-rows')) cursor.expectWord('ROW');
    const open = cursor.expectOperator('(');
    const items = cursor.list(() => parseExpression(cursor));
    cursor.expectOperator(')');
    return { kind: 'list', items, span: cursor.spanFrom(open.start) };
  });
  return { kind: 'values', rows, span: cursor.spanFrom(start) };
}

function parseCore(cursor: TokenCursor): SelectCore {
  const { start } = cursor.expectWord('SELECT');
  const { quantifier, distinctOn } = parseQuantifier(cursor);
  const columns = cursor.list(() => parseResultColumn(cursor));
  if (cursor.dialect.name !== 'sqlite' && cursor.isWord('INTO')) throw cursor.unsupported('SELECT INTO');
  const from = cursor.acceptWord('FROM') ? parseFrom(cursor) : null;
  const where = cursor.acceptWord('WHERE') ? parseExpression(cursor) : null;
  const groupBy = cursor.acceptWords('GROUP', 'BY') ? parseGroupBy(cursor) : [];
  const having = cursor.acceptWord('HAVING') ? parseExpression(cursor) : null;
  const windows = cursor.acceptWord('WINDOW') ? cursor.list(() => parseNamedWindow(cursor)) : [];
  const span = cursor.spanFrom(start);
  return { kind: 'core', quantifier, distinctOn, columns, from, where, groupBy, having, windows, span };
}

// https://dev.mysql.com/doc/refman/8.4/en/select.html
const SELECT_MODIFIERS = [
  'HIGH_PRIORITY',
  'STRAIGHT_JOIN',
  'SQL_SMALL_RESULT',
  'SQL_BIG_RESULT',
  'SQL_BUFFER_RESULT',
  'SQL_NO_CACHE',
  'SQL_CACHE',
  'SQL_CALC_FOUND_ROWS',
];

function parseQuantifier(cursor: TokenCursor): Pick<SelectCore, 'quantifier' | 'distinctOn'> {
  acceptModifiers(cursor);
  const distinctRow = cursor.allows('select-modifiers') && cursor.acceptWord('DISTINCTROW');
  const distinct = distinctRow || cursor.acceptWord('DISTINCT');
  const quantifier = distinct ? 'DISTINCT' : cursor.acceptWord('ALL') ? 'ALL' : null;
  acceptModifiers(cursor);
  if (!distinct || !cursor.allows('distinct-on') || !cursor.acceptWord('ON')) return { quantifier, distinctOn: [] };
  cursor.expectOperator('(');
  const distinctOn = cursor.list(() => parseExpression(cursor));
  cursor.expectOperator(')');
  return { quantifier, distinctOn };
}

function acceptModifiers(cursor: TokenCursor): void {
  while (cursor.allows('select-modifiers') && SELECT_MODIFIERS.some((word) => cursor.acceptWord(word)));
}

function parseFrom(cursor: TokenCursor): Source | null {
  return cursor.allows('dual') && cursor.acceptWord('DUAL') ? null : parseSource(cursor);
}

function parseGroupBy(cursor: TokenCursor): Expression[] {
  if (cursor.dialect.name === 'postgresql' && !cursor.acceptWord('DISTINCT')) cursor.acceptWord('ALL');
  const terms = cursor.list(() => parseGroupingTerm(cursor));
  if (cursor.allows('rollup-suffix')) cursor.acceptWords('WITH', 'ROLLUP');
  return terms;
}

function parseGroupingTerm(cursor: TokenCursor): Expression {
  const { start } = cursor.peek();
  if (cursor.allows('grouping-sets') && cursor.acceptWords('GROUPING', 'SETS')) {
    const open = cursor.expectOperator('(');
    const items = cursor.list(() => parseGroupingTerm(cursor));
    cursor.expectOperator(')');
    return { kind: 'list', items, span: { start: Math.min(start, open.start), end: cursor.spanFrom(start).end } };
  }
  const term = parseExpression(cursor);
  if (cursor.allows('group-direction') && !cursor.acceptWord('ASC')) cursor.acceptWord('DESC');
  return term;
}

function parseResultColumn(cursor: TokenCursor): ResultColumn {
  const { start } = cursor.peek();
  if (cursor.acceptOperator('*')) return { kind: 'star', table: null, span: cursor.spanFrom(start) };
  if (cursor.isName() && cursor.isOperator('.', 1) && cursor.isOperator('*', 2)) {
    const table = cursor.expectName('a table name');
    cursor.next();
    cursor.next();
    return { kind: 'star', table, span: cursor.spanFrom(start) };
  }
  const expression = parseExpression(cursor);
  const after = cursor.acceptWord('AS');
  const alias = after || cursor.isImplicitAlias(true) ? cursor.expectResultAlias(after) : null;
  return { kind: 'result', expression, alias, span: cursor.spanFrom(start) };
}

function parseNamedWindow(cursor: TokenCursor): NamedWindow {
  const name = cursor.expectName('a window name');
  cursor.expectWord('AS');
  const definition = parseWindow(cursor, parseExpression);
  return { kind: 'named-window', name, definition, span: cursor.spanFrom(name.span.start) };
}

function parseLimit(cursor: TokenCursor): Limit | null {
  const { start } = cursor.peek();
  if (!cursor.acceptWord('LIMIT')) return null;
  const first = parseExpression(cursor);
  if (cursor.acceptWord('OFFSET')) {
    return { kind: 'limit', count: first, offset: parseExpression(cursor), span: cursor.spanFrom(start) };
  }
  // `LIMIT a, b` skips a rows and returns b.
  const second = cursor.allows('limit-comma') && cursor.acceptOperator(',') ? parseExpression(cursor) : null;
  const count = second ?? first;
  return { kind: 'limit', count, offset: second === null ? null : first, span: cursor.spanFrom(start) };
}

/** LIMIT, OFFSET and FETCH FIRST of PostgreSQL, in any order. */
function parseFetch(cursor: TokenCursor): Limit | null {
  const { start } = cursor.peek();
  let [count, offset, found]: [Expression | null, Expression | null, boolean] = [null, null, false];
  for (; ; found = true) {
    if (cursor.acceptWord('LIMIT')) count = cursor.acceptWord('ALL') ? null : parseExpression(cursor);
    else if (cursor.acceptWord('OFFSET')) {
      offset = parseExpression(cursor);
      if (!cursor.acceptWord('ROWS')) cursor.acceptWord('ROW');
    } else if (cursor.isWord('FETCH')) count = parseFetchCount(cursor);
    else return found ? { kind: 'limit', count, offset, span: cursor.spanFrom(start) } : null;
  }
}

function parseFetchCount(cursor: TokenCursor): Expression | null {
  cursor.next();
  if (!cursor.acceptWord('FIRST')) cursor.expectWord('NEXT');
  const implied = cursor.isWord('ROW') || cursor.isWord('ROWS');
  const count = implied ? null : parseExpression(cursor);
  if (!cursor.acceptWord('ROWS')) cursor.expectWord('ROW');
  if (!cursor.acceptWords('WITH', 'TIES')) cursor.expectWord('ONLY');
  return count;
}
