import { isAggregateName } from '../../sql/aggregates.js';
import type { Clause, ClauseColumn, ClauseComparison, ClauseCondition, ClauseStar, ClauseValue } from './clause.js';

/** Checks whether a call is an aggregate. */
export function isAggregate(value: ClauseValue): boolean {
  return value.kind === 'call' && isAggregateName(value.name, value.args.length);
}

/** The values directly in a value; those of a nested query are its own. */
function childrenOf(value: ClauseValue): readonly ClauseValue[] {
  switch (value.kind) {
    case 'call':
      return value.args;
    case 'arithmetic':
      return [value.left, value.right];
    case 'cast':
      return [value.operand];
    case 'case': {
      const inner = value.branches.flatMap(({ when, then }) => [...when.flatMap(valuesOfCondition), then]);
      return value.otherwise === null ? inner : [...inner, value.otherwise];
    }
    default:
      return [];
  }
}

/** A value and all values in it, without those of nested queries. */
export function valuesWithin(value: ClauseValue): readonly ClauseValue[] {
  return [value, ...childrenOf(value).flatMap(valuesWithin)];
}

/** The comparisons of a condition, those in parentheses too. */
export function comparisonsOf({ test }: ClauseCondition): readonly ClauseComparison[] {
  return test.kind === 'any' ? test.conditions.flatMap(comparisonsOf) : [test];
}

function valuesOfCondition(condition: ClauseCondition): readonly ClauseValue[] {
  return comparisonsOf(condition).flatMap(({ left, right }) => (left === null ? right : [left, ...right]));
}

/** The values that a clause is made of; those of a term of a compound are its own. */
export function valuesOf(clause: Clause): readonly ClauseValue[] {
  switch (clause.kind) {
    case 'select':
    case 'group':
    case 'order':
      return [clause.value];
    case 'condition':
      return valuesOfCondition(clause);
    case 'via':
      return [clause.from, clause.to];
    default:
      return [];
  }
}

/** Remembers what was found of an object: the same is asked of the same clauses again and again. */
export function rememberedOf<K extends object, T>(find: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly fact: T }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before.fact;
    const fact = find(key);
    known.set(key, { fact });
    return fact;
  };
}

/** The values that a clause is made of, each followed by those within it; nested queries are not entered. */
export const allValuesOf = rememberedOf((clause: Clause): readonly ClauseValue[] =>
  valuesOf(clause).flatMap(valuesWithin),
);

/** True if a clause has an aggregate of the query's own groups. */
export const isAggregated = rememberedOf((clause: Clause) => allValuesOf(clause).some(isAggregate));

/** The columns of a clause, in order, without those of nested queries. */
export const columnsOf = rememberedOf((clause: Clause): readonly ClauseColumn[] =>
  allValuesOf(clause).filter((value) => value.kind === 'column'),
);

/** The stars of a clause: those selected and those counted. */
export const starsOf = rememberedOf((clause: Clause): readonly ClauseStar[] =>
  allValuesOf(clause).filter((value) => value.kind === 'star'),
);
