import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../src/errors.js';
import type { Expression, Select } from '../../src/sql/ast.js';
import { parseSelect } from '../../src/sql/parser.js';
import { TOWN_QUERIES } from './town-queries.js';

/** An expression with every operator in parentheses. */
function shape(expression: Expression): string {
  switch (expression.kind) {
    case 'binary':
      return `(${shape(expression.left)} ${expression.operator} ${shape(expression.right)})`;
    case 'unary':
      return `(${expression.operator} ${shape(expression.operand)})`;
    case 'like':
      return `(${shape(expression.left)} ${expression.negated ? 'NOT ' : ''}${expression.operator} ${shape(expression.right)})`;
    case 'between':
      return `(${shape(expression.operand)} BETWEEN ${shape(expression.low)} AND ${shape(expression.high)})`;
    case 'in':
      return `(${shape(expression.operand)} IN …)`;
    case 'null-test':
      return `(${shape(expression.operand)} ${expression.negated ? 'NOTNULL' : 'ISNULL'})`;
    case 'collate':
      return `(${shape(expression.operand)} COLLATE ${expression.collation.name})`;
    case 'list':
      return expression.items.map(shape).join(', ');
    case 'column':
      return expression.column.name;
    case 'literal':
      return expression.value;
    default:
      return expression.kind;
  }
}

function only(select: Select): Extract<Select['terms'][number]['body'], { kind: 'core' }> {
  const body = select.terms[0]?.body;
  if (body?.kind !== 'core') throw new Error('not a SELECT');
  return body;
}

function expressionOf(sql: string): Expression {
  const [column] = only(parseSelect(`SELECT ${sql}`)).columns;
  if (column?.kind !== 'result') throw new Error('not an expression');
  return column.expression;
}

describe('precedence, as SQLite has it', () => {
  it.each([
    ['a OR b AND c', '(a OR (b AND c))'],
    ['NOT a = b AND c', '((NOT (a = b)) AND c)'],
    ['a = b < c', '(a = (b < c))'],
    ['a < b & c', '(a < (b & c))'],
    ['a & b + c', '(a & (b + c))'],
    ['a - b - c * d', '((a - b) - (c * d))'],
    ['a * b || c', '(a * (b || c))'],
    ['- a || b', '((- a) || b)'],
    ['a || b COLLATE nocase', '(a || (b COLLATE nocase))'],
    ['a = b IS NOT NULL', '((a = b) IS NOT NULL)'],
    ['a IS NOT DISTINCT FROM b', '(a IS NOT DISTINCT FROM b)'],
    ['a BETWEEN b + 1 AND c AND d', '((a BETWEEN (b + 1) AND c) AND d)'],
    ['a NOT LIKE b || c OR d', '((a NOT LIKE (b || c)) OR d)'],
    ['a NOT NULL AND b ISNULL', '((a NOTNULL) AND (b ISNULL))'],
    ['a IN (1) = b', '((a IN …) = b)'],
    ['a = NOT b', '(a = (NOT b))'],
    ['(a OR b) AND c', '((a OR b) AND c)'],
    ['a << 1 | 2', '((a << 1) | 2)'],
    ["a -> 'b' ->> 'c'", '((a -> b) ->> c)'],
  ])('%s', (sql, expected) => {
    expect(shape(expressionOf(sql))).toBe(expected);
  });
});

describe('clauses', () => {
  it('reads result columns with and without AS', () => {
    const { columns, quantifier } = only(parseSelect('SELECT DISTINCT *, t.*, a b, c AS "d e", f \'g\' FROM t'));
    expect(quantifier).toBe('DISTINCT');
    expect(
      columns.map((column) => (column.kind === 'star' ? `${column.table?.name ?? ''}*` : column.alias?.name)),
    ).toEqual(['*', 't*', 'b', 'd e', 'g']);
  });

  it.each([
    ['a, b', 'comma'],
    ['a JOIN b', 'inner'],
    ['a INNER JOIN b', 'inner'],
    ['a CROSS JOIN b', 'cross'],
    ['a LEFT JOIN b', 'left'],
    ['a LEFT OUTER JOIN b', 'left'],
    ['a RIGHT JOIN b', 'right'],
    ['a FULL OUTER JOIN b', 'full'],
    ['a NATURAL LEFT JOIN b', 'left'],
  ])('reads %s', (from, type) => {
    expect(only(parseSelect(`SELECT 1 FROM ${from}`)).from).toMatchObject({ kind: 'join', type });
  });

  it('reads both forms of LIMIT', () => {
    const limit = (sql: string): unknown => parseSelect(`SELECT 1 ${sql}`).limit;
    const [count, offset] = [{ value: '2' }, { value: '5' }];
    expect(limit('LIMIT 2 OFFSET 5')).toMatchObject({ count, offset });
    expect(limit('LIMIT 5, 2')).toMatchObject({ count, offset });
  });

  it('reads compounds from left to right', () => {
    const { terms } = parseSelect('SELECT 1 UNION ALL SELECT 2 INTERSECT VALUES (3) EXCEPT SELECT 4;');
    expect(terms.map((term) => term.operator)).toEqual([null, 'UNION ALL', 'INTERSECT', 'EXCEPT']);
  });
});

function checkSpans(node: unknown, sql: string, outer: { start: number; end: number }): void {
  if (Array.isArray(node)) return node.forEach((item) => checkSpans(item, sql, outer));
  if (typeof node !== 'object' || node === null) return;
  let span = outer;
  if ('kind' in node && 'span' in node) {
    span = node.span as { start: number; end: number };
    expect(span.start).toBeGreaterThanOrEqual(outer.start);
    expect(span.end).toBeLessThanOrEqual(outer.end);
    expect(sql.slice(span.start, span.end)).toMatch(/^\S([\s\S]*\S)?$/);
  }
  for (const [key, value] of Object.entries(node))
    if (key !== 'span' && key !== 'natural') checkSpans(value, sql, span);
}

describe('spans', () => {
  it.each(TOWN_QUERIES)('nest and start and end at tokens: %s', (sql) => {
    checkSpans(parseSelect(sql), sql, { start: 0, end: sql.length });
  });
});

describe('refusals', () => {
  it.each([
    ['', /expected SELECT, found the end of the query at offset 0/],
    ['DELETE FROM t', /expected SELECT, found "DELETE"/],
    ['SELECT a FROM', /expected a table name, found the end of the query at offset 13 \(1:14\)/],
    ['SELECT a,\nFROM t', /expected an expression, found "FROM" at offset 10 \(2:1\), near: SELECT a, »FROM t/],
    ['SELECT a FROM t WHERE', /expected an expression/],
    ['SELECT a FROM t GROUP a', /found "a"|expected/],
    ['SELECT (a FROM t', /expected \), found "FROM"/],
    ['SELECT a FROM t; SELECT b', /expected the end of the query, found "SELECT"/],
    ['SELECT a FROM t ORDER BY a UNION SELECT 1', /expected the end of the query, found "UNION"/],
    ['SELECT a FROM b LEFT RIGHT JOIN c', /unknown join/],
    ['SELECT a FROM b NATURAL NATURAL JOIN c', /unknown join/],
    ['SELECT CASE a END', /expected WHEN/],
    [`SELECT ${'('.repeat(2000)}1${')'.repeat(2000)}`, /nested too deeply/],
    [`SELECT 1${' + 1'.repeat(5000)}`, /too many terms/],
  ])('%.60s', (sql, message) => {
    expect(() => parseSelect(sql)).toThrow(SqlRewriteError);
    expect(() => parseSelect(sql)).toThrow(message);
  });
});
