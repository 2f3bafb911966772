import { describe, expect, it } from 'vitest';
import { aggregates, aggregatesIn, bareColumns, countsDuplicates, isAggregateName } from '../../src/sql/aggregates.js';
import type { Expression } from '../../src/sql/ast.js';
import { conjunctsOf, expressionsWithin, nodesOf, operandsOf } from '../../src/sql/ast-walk.js';
import { comparisonOf, isComparison, mirroredOperator, plainOperator } from '../../src/sql/operators.js';
import { parseSelect } from '../../src/sql/parser.js';

function whereOf(condition: string): Expression {
  const [body] = parseSelect(`SELECT a FROM t WHERE ${condition}`).terms.map((term) => term.body);
  if (body?.kind !== 'core' || body.where === null) throw new Error('no WHERE');
  return body.where;
}

function textsOf(condition: string, find: (expression: Expression) => readonly Expression[]): readonly string[] {
  const sql = `SELECT a FROM t WHERE ${condition}`;
  return find(whereOf(condition)).map(({ span }) => sql.slice(span.start, span.end));
}

describe('conjunctsOf', () => {
  it('splits at AND however it is nested, and leaves OR together', () => {
    expect(textsOf('a = 1 AND ((b = 2) AND (c = 3 OR d = 4))', conjunctsOf)).toEqual([
      'a = 1',
      'b = 2',
      'c = 3 OR d = 4',
    ]);
    expect(conjunctsOf(null)).toEqual([]);
    expect(textsOf('a = 1 OR (b = 2 OR c = 3)', (one) => operandsOf(one, 'OR'))).toEqual(['a = 1', 'b = 2', 'c = 3']);
  });
});

describe('expressionsWithin', () => {
  it('gives outer expressions first and leaves subqueries alone', () => {
    expect(textsOf('a + b = (SELECT c FROM t)', expressionsWithin)).toEqual([
      'a + b = (SELECT c FROM t)',
      'a + b',
      'a',
      'b',
      '(SELECT c FROM t)',
    ]);
  });

  it('does not enter what is closed', () => {
    const isCall = ({ kind }: Expression): boolean => kind === 'function';
    expect(textsOf('max(a) > b', (one) => expressionsWithin(one, isCall))).toEqual(['max(a) > b', 'max(a)', 'b']);
  });
});

describe('nodesOf', () => {
  it('enters subqueries', () => {
    const columns = nodesOf(whereOf('a = (SELECT c FROM t)')).filter(({ kind }) => kind === 'column');
    expect(columns).toHaveLength(2);
  });
});

describe('aggregates', () => {
  it('knows those of SQLite and PostgreSQL, and takes max of several values for none', () => {
    expect(['COUNT', 'total', 'group_concat', 'string_agg', 'abs'].map((name) => isAggregateName(name, 1))).toEqual([
      ...[true, true, true, true],
      false,
    ]);
    expect(isAggregateName('max', 2)).toBe(false);
    expect(isAggregateName('string_agg', 2)).toBe(true);
  });

  it('finds the outermost ones and the columns that none takes', () => {
    expect(textsOf('sum(a) / b > max(c, d)', aggregatesIn)).toEqual(['sum(a)']);
    expect(textsOf('sum(a) / b > max(c, d)', bareColumns)).toEqual(['b', 'c', 'd']);
    expect(aggregates(whereOf('a > (SELECT max(b) FROM t)'))).toBe(false);
  });

  it('tells which of them count duplicates', () => {
    expect(['SUM', 'string_agg', 'min', 'abs'].map(countsDuplicates)).toEqual([true, true, false, false]);
  });
});

describe('operators', () => {
  it('have one spelling and a mirror', () => {
    expect(['==', '<>', '<='].map(plainOperator)).toEqual(['=', '!=', '<=']);
    expect(['<', '>=', '=', '<>'].map(mirroredOperator)).toEqual(['>', '<=', '=', '<>']);
    expect(['<>', 'IS', '>>'].map(isComparison)).toEqual([true, false, false]);
    expect(['<>', 'IS'].map(comparisonOf)).toEqual(['!=', null]);
  });
});
