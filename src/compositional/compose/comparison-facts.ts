import type { Clause, ClauseColumn, ClauseComparison, ClauseValue } from '../clauses/clause.js';
import { comparisonsOf, isAggregated, valuesWithin } from '../clauses/clause-parts.js';

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

function testsOf({ left, negated, operator, right }: ClauseComparison): readonly ColumnTest[] {
  const column = left === null ? null : valueColumn(left);
  const [value, second] = right;
  if (column === null || value === undefined) return [];
  const test = (said: string, literal: string | null): ColumnTest => ({
    column,
    literal: literal?.toLowerCase() ?? null,
    operator: negated && said === '=' ? '!=' : negated ? `not ${said}` : said,
  });
  const literals = right.flatMap((one) => (one.kind === 'literal' ? [one.value] : []));
  if (literals.length < right.length)
    return second === undefined && value.kind === 'query' ? [test(operator, null)] : [];
  if (operator === 'in') return [test('in', literals.join('\n'))];
  if (operator === 'between' && !negated) return [test('>=', literals[0] ?? ''), test('<=', literals[1] ?? '')];
  return second === undefined ? literals.map((literal) => test(operator, literal)) : [];
}

/** The tests of conditions that are all joined by AND; none where an OR is between them. */
export function requiredTests(clauses: readonly Clause[]): readonly ColumnTest[] {
  const conditions = clauses.filter((clause) => clause.kind === 'condition');
  if (conditions.some(({ connective }) => connective === 'or')) return [];
  return conditions.flatMap(({ test }) => (test.kind === 'comparison' ? testsOf(test) : []));
}

/** The one column that a comparison of rows is about, inside of a function too: `strftime('%Y', born)`. */
function comparedColumn({ left }: ClauseComparison): string | null {
  const columns =
    left === null ? [] : valuesWithin(left).flatMap((value) => (value.kind === 'column' ? [keyOf(value)] : []));
  return new Set(columns).size === 1 ? (columns[0] ?? null) : null;
}

/** The columns that conditions on rows compare, and those of them that they compare in functions or as one of several. */
function comparedColumns(clauses: readonly Clause[]): {
  readonly all: readonly string[];
  readonly unclear: ReadonlySet<string>;
} {
  const conditions = clauses.filter((clause) => clause.kind === 'condition' && !isAggregated(clause));
  const all = conditions
    .flatMap((clause) => (clause.kind === 'condition' ? comparisonsOf(clause) : []))
    .flatMap((one) => comparedColumn(one) ?? []);
  const plain = new Set(requiredTests(conditions).map(({ column }) => column));
  return { all, unclear: new Set(all.filter((column) => !plain.has(column))) };
}

/**
 * Checks whether two lists of conditions are on one column, of which one asks by a function or by several tests: "in
 * 2019 and on 2020-03-24", "after 2013 or before 2008 and before 2009".
 */
export function compareOneTwice(before: readonly Clause[], own: readonly Clause[]): boolean {
  const [a, b] = [comparedColumns(before), comparedColumns(own)];
  return a.all.some((column) => b.all.includes(column) && (a.unclear.has(column) || b.unclear.has(column)));
}

/** Checks whether clauses take what equals one value of a nested query: "the oldest". */
export function comparesWithExtreme(clauses: readonly Clause[]): boolean {
  return requiredTests(clauses).some(({ operator, literal }) => operator === '=' && literal === null);
}

const LOWER = new Set(['>', '>=']);
const UPPER = new Set(['<', '<=']);

/** Tests of one value, or of a list: nothing else can be asked of the column. */
const SETTLING = new Set(['=', 'in', 'is', 'not is']);

/** A literal as a number; null where it is text. */
const numberIn = ({ literal }: ColumnTest): number | null =>
  literal === null || literal.trim() === '' || Number.isNaN(Number(literal)) ? null : Number(literal);

/** Checks whether a range leaves a value out as it is: "above 5 and not 3". */
function leavesOut(range: ColumnTest, excluded: ColumnTest): boolean {
  const [bound, value] = [numberIn(range), numberIn(excluded)];
  if (bound === null || value === null) return false;
  return LOWER.has(range.operator) ? value < bound : UPPER.has(range.operator) && value > bound;
}

/**
 * Checks whether one of two tests of a column is for naught or none can hold: "above 30 and above 20", "is Ford and is
 * Volvo", "above 5 and 0".
 */
export function areAtOdds(a: ColumnTest, b: ColumnTest): boolean {
  if (a.column !== b.column) return false;
  if (a.literal === null || b.literal === null) return true;
  if (SETTLING.has(a.operator) || SETTLING.has(b.operator)) return true;
  if (LOWER.has(a.operator) && LOWER.has(b.operator)) return true;
  if (UPPER.has(a.operator) && UPPER.has(b.operator)) return true;
  if ((a.operator === '!=' && leavesOut(b, a)) || (b.operator === '!=' && leavesOut(a, b))) return true;
  const [low, high] = LOWER.has(a.operator) ? [a, b] : [b, a];
  if (!LOWER.has(low.operator) || !UPPER.has(high.operator)) return false;
  const [least, most] = [numberIn(low), numberIn(high)];
  return least === null || most === null ? (low.literal ?? '') >= (high.literal ?? '') : least >= most;
}

/**
 * Checks whether one of two tests always holds, or holds wherever the other does: "is English or not English", "over 3
 * or over 4".
 */
export function isAlwaysTrue(a: ColumnTest, b: ColumnTest): boolean {
  const operators = [a.operator, b.operator];
  if (a.column === b.column && [LOWER, UPPER].some((bounds) => operators.every((one) => bounds.has(one)))) return true;
  return a.column === b.column && operators.includes('!=') && (operators.includes('=') || a.literal !== b.literal);
}
