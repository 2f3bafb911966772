import { type ColumnRef, columnKey } from '../../schema/schema.js';
import type { Clause, ClauseComparison, ClauseQuery, ClauseValue } from '../clauses/clause.js';
import { columnsOf, comparisonsOf, valuesOf, valuesWithin } from '../clauses/clause-parts.js';

/** A constant that a condition compares with, one of a CASE too. */
export interface Constant {
  /** Without the `%` of LIKE. */
  readonly value: string;
  /** The column compared with it; null if that is no column's value. */
  readonly column: ColumnRef | null;
}

/** The content of conditions, limits and nested queries of clauses, which words have to say, too. */
export interface ClauseContent {
  readonly constants: readonly Constant[];
  readonly comparisons: readonly ClauseComparison[];
  /** Literals of what is selected, grouped and put in order: "per 100 people". */
  readonly others: readonly string[];
  /** Counts of rows to take, and places to begin at, from 1. */
  readonly limits: readonly number[];
  /** True if rows are put in order, or one number is taken of several: the first, the most. */
  readonly hasOrder: boolean;
  /** True if the first rows, a minimum or a maximum are taken. */
  readonly hasExtreme: boolean;
  /** True if an EXCEPT, a NOT or a NULL is in them. */
  readonly denies: boolean;
  readonly columns: readonly ColumnRef[];
  /** Columns that must not be NULL, and that are neither selected nor ordered by. */
  readonly present: readonly ColumnRef[];
}

const EXTREMES = new Set(['min', 'max']);
const isExtreme = (value: ClauseValue): boolean => value.kind === 'call' && EXTREMES.has(value.name);

/** Clauses with those of the queries nested in them and of the terms of their compound. */
function allClauses(clauses: readonly Clause[]): readonly Clause[] {
  return clauses.flatMap((clause) => {
    const nested = valuesOf(clause)
      .flatMap(valuesWithin)
      .flatMap((value): readonly ClauseQuery[] => (value.kind === 'query' ? [value.query] : []));
    const terms = clause.kind === 'set' ? [clause.query] : [];
    return [clause, ...[...nested, ...terms].flatMap(({ clauses: inner }) => allClauses(inner))];
  });
}

function columnIn(value: ClauseValue | null): ColumnRef | null {
  const columns = value === null ? [] : valuesWithin(value).filter((part) => part.kind === 'column');
  return columns[0] ?? null;
}

function literalsIn(values: readonly ClauseValue[]): readonly string[] {
  return values
    .flatMap(valuesWithin)
    .flatMap((value) => (value.kind === 'literal' && value.type !== 'null' ? [value.value] : []));
}

function constantsOf({ left, right }: ClauseComparison): readonly Constant[] {
  const column = columnIn(left);
  const isDifference = left?.kind === 'arithmetic';
  const values = literalsIn(right).filter((value) => !isDifference || Number(value) !== 0);
  return values.map((value) => ({ value: value.replaceAll('%', ' ').trim(), column }));
}

/** A column that has to be there, which words say by naming it. */
const isPresence = ({ negated, operator }: ClauseComparison): boolean => negated && operator === 'is';
const isDenial = (comparison: ClauseComparison): boolean =>
  !isPresence(comparison) && (comparison.negated || ['!=', 'is'].includes(comparison.operator));

/** Gathers what clauses say. */
export function contentOf(given: readonly Clause[]): ClauseContent {
  const clauses = allClauses(given);
  const conditions = clauses.filter((clause) => clause.kind === 'condition');
  const comparisons = conditions.flatMap(comparisonsOf);
  const limits = clauses.filter((clause) => clause.kind === 'limit');
  const rest = clauses.filter(({ kind }) => kind !== 'condition');
  const cases = rest
    .flatMap(valuesOf)
    .flatMap(valuesWithin)
    .flatMap((value) => (value.kind === 'case' ? value.branches.flatMap(({ when }) => when) : []));
  return {
    constants: [...comparisons, ...cases.flatMap(comparisonsOf)].flatMap(constantsOf),
    comparisons,
    others: literalsIn(rest.flatMap(valuesOf)),
    limits: limits.flatMap(({ count, offset }) => [count, offset + 1]),
    hasOrder: clauses.some(({ kind }) => kind === 'order'),
    hasExtreme: limits.length > 0 || clauses.flatMap(valuesOf).flatMap(valuesWithin).some(isExtreme),
    denies:
      comparisons.some(isDenial) ||
      conditions.some(({ test }) => test.kind === 'any' && test.negated) ||
      clauses.some((clause) => clause.kind === 'set' && clause.operator === 'except'),
    columns: clauses.flatMap(columnsOf),
    present: comparisons.filter(isPresence).flatMap(({ left }) => {
      const column = columnIn(left);
      const isShown = rest.some((clause) =>
        columnsOf(clause).some((one) => columnKey(one) === columnKey(column ?? one)),
      );
      return column === null || isShown ? [] : [column];
    }),
  };
}
