import type {
  CommonTable,
  CompoundOperator,
  CompoundTerm,
  Limit,
  List,
  NamedWindow,
  ResultColumn,
  Select,
  SelectCore,
  Values,
  With,
} from './ast.js';
import type { SqlDialect } from './dialect.js';
import { isSelectStart, parseExpression } from './expression-parser.js';
import { parseSource } from './source-parser.js';
import { TokenCursor } from './token-cursor.js';
import { parseOrderingTerms, parseWindow } from './window-parser.js';

/**
 * Parses one query in SQLite's dialect, with or without a closing semicolon.
 * Every node of the tree carries its span in `sql`.
 * @throws SqlRewriteError with offset, line:column and a snippet where the text is not a single SELECT, VALUES or WITH query
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
  const limit = cursor.isWord('LIMIT') ? parseLimit(cursor) : null;
  return { kind: 'select', with: withClause, terms, orderBy, limit, span: cursor.spanFrom(start) };
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
  if (!cursor.acceptWord('MATERIALIZED')) cursor.acceptWords('NOT', 'MATERIALIZED');
  cursor.expectOperator('(');
  const select = cursor.nested(() => selectAt(cursor));
  cursor.expectOperator(')');
  return { kind: 'common-table', name, columns, select, span: cursor.spanFrom(name.span.start) };
}

function acceptCompound(cursor: TokenCursor): CompoundOperator | null {
  if (cursor.acceptWord('UNION')) return cursor.acceptWord('ALL') ? 'UNION ALL' : 'UNION';
  if (cursor.acceptWord('INTERSECT')) return 'INTERSECT';
  return cursor.acceptWord('EXCEPT') ? 'EXCEPT' : null;
}

function parseTerm(cursor: TokenCursor, operator: CompoundOperator | null): CompoundTerm {
  const { start } = cursor.peek();
  const body = cursor.isWord('VALUES') ? parseValues(cursor) : parseCore(cursor);
  return { kind: 'term', operator, body, span: cursor.spanFrom(start) };
}

function parseValues(cursor: TokenCursor): Values {
  const { start } = cursor.next();
  const rows = cursor.list((): List => {
    const open = cursor.expectOperator('(');
    const items = cursor.list(() => parseExpression(cursor));
    cursor.expectOperator(')');
    return { kind: 'list', items, span: cursor.spanFrom(open.start) };
  });
  return { kind: 'values', rows, span: cursor.spanFrom(start) };
}

function parseCore(cursor: TokenCursor): SelectCore {
  const { start } = cursor.expectWord('SELECT');
  const quantifier = cursor.acceptWord('DISTINCT') ? 'DISTINCT' : cursor.acceptWord('ALL') ? 'ALL' : null;
  const columns = cursor.list(() => parseResultColumn(cursor));
  const from = cursor.acceptWord('FROM') ? parseSource(cursor) : null;
  const where = cursor.acceptWord('WHERE') ? parseExpression(cursor) : null;
  const groupBy = cursor.acceptWords('GROUP', 'BY') ? cursor.list(() => parseExpression(cursor)) : [];
  const having = cursor.acceptWord('HAVING') ? parseExpression(cursor) : null;
  const windows = cursor.acceptWord('WINDOW') ? cursor.list(() => parseNamedWindow(cursor)) : [];
  const span = cursor.spanFrom(start);
  return { kind: 'core', quantifier, columns, from, where, groupBy, having, windows, span };
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
  const named = cursor.acceptWord('AS') || cursor.isImplicitAlias();
  const alias = named ? cursor.expectName('an alias') : null;
  return { kind: 'result', expression, alias, span: cursor.spanFrom(start) };
}

function parseNamedWindow(cursor: TokenCursor): NamedWindow {
  const name = cursor.expectName('a window name');
  cursor.expectWord('AS');
  const definition = parseWindow(cursor, parseExpression);
  return { kind: 'named-window', name, definition, span: cursor.spanFrom(name.span.start) };
}

function parseLimit(cursor: TokenCursor): Limit {
  const { start } = cursor.next();
  const first = parseExpression(cursor);
  if (cursor.acceptWord('OFFSET')) {
    return { kind: 'limit', count: first, offset: parseExpression(cursor), span: cursor.spanFrom(start) };
  }
  // `LIMIT a, b` skips a rows and returns b.
  const second = cursor.acceptOperator(',') ? parseExpression(cursor) : null;
  const count = second ?? first;
  return { kind: 'limit', count, offset: second === null ? null : first, span: cursor.spanFrom(start) };
}
