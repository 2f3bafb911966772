import type { Clause, ClauseColumn, ClauseComparison, ClauseValue } from '../clauses/clause.js';

/** A comparison of a column with a literal, or with the result of a nested query, that must hold of every row. */
export interface ColumnTest {
  readonly column: string;
  readonly operator: string;
  /** In lower case; null of a nested query. */
  readonly literal: string | null;
}

const keyOf = ({ table, column, copy }: ClauseColumn): string => `${table}.${column}.${copy}`;

/** The column that a value is, or whose aggregate it is, as a key. */
export function valueColumn(value: ClauseValue): string | null {
  if (value.kind === 'column') return keyOf(value);
  if (value.kind !== 'call' || value.args.length !== 1) return null;
  const [arg] = value.args;
  return arg?.kind === 'column' ? `${value.name}(${keyOf(arg)})` : null;
}

function testOf({ left, negated, operator, right }: ClauseComparison): ColumnTest | null {
  const column = left === null ? null : valueColumn(left);
  const [value, second] = right;
  if (column === null || value === undefined || second !== undefined) return null;
  if (value.kind === 'query') return { column, operator: negated ? `not ${operator}` : operator, literal: null };
  if (value.kind !== 'literal') return null;
  const turned = negated && operator === '=' ? '!=' : negated ? `not ${operator}` : operator;
  return { column, operator: turned, literal: value.value.toLowerCase() };
}

/** The tests of conditions that are all joined by AND; none where an OR is between them. */
export function requiredTests(clauses: readonly Clause[]): readonly ColumnTest[] {
  const conditions = clauses.filter((clause) => clause.kind === 'condition');
  if (conditions.some(({ connective }) => connective === 'or')) return [];
  return conditions.flatMap(({ test }) => {
    const found = test.kind === 'comparison' ? testOf(test) : null;
    return found === null ? [] : [found];
  });
}

const LOWER = new Set(['>', '>=']);
const UPPER = new Set(['<', '<=']);

/** Whether one of two tests of a column is for naught or none can hold: "above 30 and above 20", "is Ford and is Volvo". */
export function areAtOdds(a: ColumnTest, b: ColumnTest): boolean {
  if (a.column !== b.column) return false;
  if (a.literal === null || b.literal === null) return true;
  if (a.operator === '=' || b.operator === '=') return true;
  if (LOWER.has(a.operator) && LOWER.has(b.operator)) return true;
  if (UPPER.has(a.operator) && UPPER.has(b.operator)) return true;
  const [low, high] = LOWER.has(a.operator) ? [a, b] : [b, a];
  if (!LOWER.has(low.operator) || !UPPER.has(high.operator)) return false;
  return Number(low.literal) >= Number(high.literal);
}

/** Whether one of two tests always holds: "is English or is not English". */
export function isAlwaysTrue(a: ColumnTest, b: ColumnTest): boolean {
  const operators = [a.operator, b.operator];
  return a.column === b.column && operators.includes('!=') && (operators.includes('=') || a.literal !== b.literal);
}
