import type { Expression, Identifier, OrderingTerm, Select, SelectCore, WindowDefinition } from './ast.js';
import type { TokenCursor } from './token-cursor.js';
import { type TreeNode, visitNodes } from './ast-walk.js';

/** The names of windows that a clause uses, those of its subqueries aside. */
function usedWindows(clause: unknown): readonly Identifier[] {
  const used: Identifier[] = [];
  visitNodes(
    clause,
    [],
    (node: TreeNode & { over?: Identifier | WindowDefinition | null; base?: Identifier | null }, around) => {
      if (around.some(({ kind }) => kind === 'select')) return;
      if (node.kind === 'function' && node.over?.kind === 'identifier') used.push(node.over);
      if (node.kind === 'window' && node.base != null) used.push(node.base);
    },
  );
  return used;
}

/** The windows that a select names and no WINDOW clause of the same SELECT defines. */
export function undefinedWindows(select: Select, same: (a: string, b: string) => boolean): readonly Identifier[] {
  const bodies = select.terms.map(({ body }) => body);
  const cores = bodies.filter((body): body is SelectCore => body.kind === 'core');
  return cores.flatMap((core) => {
    const clauses = [
      core.columns,
      core.having,
      core.windows,
      cores.length === bodies.length && bodies.length === 1 ? select.orderBy : [],
    ];
    return usedWindows(clauses).filter(({ name }) => !core.windows.some((window) => same(window.name.name, name)));
  });
}

type ParseExpression = (cursor: TokenCursor) => Expression;

const NOT_BASE = ['PARTITION', 'ORDER', 'RANGE', 'ROWS', 'GROUPS'];

/** Parses `OVER name` or `OVER (…)` when it comes next, else returns null. @throws SqlRewriteError with the position */
export function parseOver(cursor: TokenCursor, expression: ParseExpression): WindowDefinition | Identifier | null {
  if (!cursor.isWord('OVER') || !(cursor.isOperator('(', 1) || cursor.isName(1))) return null;
  cursor.next();
  return cursor.isOperator('(') ? parseWindow(cursor, expression) : cursor.expectName('a window name');
}

/** Parses a window's definition in parentheses. @throws SqlRewriteError with the position */
export function parseWindow(cursor: TokenCursor, expression: ParseExpression): WindowDefinition {
  const { start } = cursor.expectOperator('(');
  const base = cursor.isName() && !NOT_BASE.some((word) => cursor.isWord(word)) ? cursor.expectName('a window') : null;
  const partitionBy = cursor.acceptWords('PARTITION', 'BY') ? cursor.list(() => expression(cursor)) : [];
  const orderBy = cursor.acceptWords('ORDER', 'BY') ? parseOrderingTerms(cursor, expression) : [];
  const bounds = parseFrame(cursor, expression);
  cursor.expectOperator(')');
  return { kind: 'window', base, partitionBy, orderBy, bounds, span: cursor.spanFrom(start) };
}

/** Parses the terms of an ORDER BY, after the words ORDER BY. @throws SqlRewriteError with the position */
export function parseOrderingTerms(cursor: TokenCursor, parse: ParseExpression): OrderingTerm[] {
  return cursor.list(() => {
    const expression = parse(cursor);
    const direction = cursor.acceptWord('ASC') ? 'ASC' : cursor.acceptWord('DESC') ? 'DESC' : null;
    const nulls = cursor.acceptWords('NULLS', 'FIRST') ? 'FIRST' : cursor.acceptWords('NULLS', 'LAST') ? 'LAST' : null;
    return { kind: 'ordering', expression, direction, nulls, span: cursor.spanFrom(expression.span.start) };
  });
}

function parseFrame(cursor: TokenCursor, expression: ParseExpression): Expression[] {
  if (!['RANGE', 'ROWS', 'GROUPS'].some((word) => cursor.acceptWord(word))) return [];
  const between = cursor.acceptWord('BETWEEN');
  const bounds = parseBound(cursor, expression);
  if (between) {
    cursor.expectWord('AND');
    bounds.push(...parseBound(cursor, expression));
  }
  parseExclude(cursor);
  return bounds;
}

function parseBound(cursor: TokenCursor, expression: ParseExpression): Expression[] {
  if (cursor.acceptWords('CURRENT', 'ROW')) return [];
  const bounds = cursor.acceptWord('UNBOUNDED') ? [] : [expression(cursor)];
  if (!cursor.acceptWord('PRECEDING')) cursor.expectWord('FOLLOWING');
  return bounds;
}

function parseExclude(cursor: TokenCursor): void {
  if (!cursor.acceptWord('EXCLUDE')) return;
  const endings = [['NO', 'OTHERS'], ['CURRENT', 'ROW'], ['GROUP'], ['TIES']];
  if (!endings.some((words) => cursor.acceptWords(...words))) throw cursor.fault('expected what to exclude');
}
