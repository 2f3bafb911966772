import type {
  Clause,
  ClauseColumn,
  ClauseComparison,
  ClauseCondition,
  ClauseQuery,
  ClauseValue,
} from '../clauses/clause.js';

const AGGREGATES = new Set(['count', 'sum', 'avg', 'min', 'max']);

/** The values directly within a value, nested queries left out. */
function partsOf(value: ClauseValue): readonly ClauseValue[] {
  switch (value.kind) {
    case 'call':
      return value.args;
    case 'arithmetic':
      return [value.left, value.right];
    case 'cast':
      return [value.operand];
    case 'case':
      return [
        ...value.branches.flatMap(({ when, then }) => [...when.flatMap(valuesOfCondition), then]),
        ...(value.otherwise === null ? [] : [value.otherwise]),
      ];
    default:
      return [];
  }
}

/** The comparisons of a condition, those in parentheses too. */
export function comparisonsOf({ test }: ClauseCondition): readonly ClauseComparison[] {
  return test.kind === 'any' ? test.conditions.flatMap(comparisonsOf) : [test];
}

function valuesOfCondition(condition: ClauseCondition): readonly ClauseValue[] {
  return comparisonsOf(condition).flatMap(({ left, right }) => (left === null ? right : [left, ...right]));
}

/** What a fact of a clause was found to be, by clause: rules ask the same of the same clauses pair after pair. */
function rememberedOf<T>(find: (clause: Clause) => T): (clause: Clause) => T {
  const known = new WeakMap<Clause, { readonly fact: T }>();
  return (clause) => {
    const before = known.get(clause);
    if (before !== undefined) return before.fact;
    const fact = find(clause);
    known.set(clause, { fact });
    return fact;
  };
}

/** The values that a clause is made of, outermost first, each followed by those within it; nested queries are not entered. */
export const valuesOf = rememberedOf((clause): readonly ClauseValue[] => {
  const within = (value: ClauseValue): readonly ClauseValue[] => [value, ...partsOf(value).flatMap(within)];
  switch (clause.kind) {
    case 'select':
    case 'group':
    case 'order':
      return within(clause.value);
    case 'condition':
      return valuesOfCondition(clause).flatMap(within);
    case 'via':
      return [clause.from, clause.to];
    default:
      return [];
  }
});

/** The columns that a clause mentions, outside nested queries. */
export function columnsOf(clause: Clause): readonly ClauseColumn[] {
  return valuesOf(clause).filter((value) => value.kind === 'column');
}

/** A table of a query by its index and the number of its use: "2.0". */
export type TableUse = `${number}.${number}`;

/** The tables that a clause mentions, outside nested queries. */
export const tableUsesOf = rememberedOf((clause): readonly TableUse[] => {
  if (clause.kind === 'related') return [`${clause.table}.${clause.copy}`];
  const uses = valuesOf(clause).flatMap((value): TableUse[] => {
    if (value.kind === 'column') return [`${value.table}.${value.copy}`];
    return value.kind === 'star' && value.table !== null ? [`${value.table}.0`] : [];
  });
  return [...new Set(uses)];
});

/** Indexes of the tables that a clause is about, in its order: for a term of a compound those of its query. */
export function tablesOf(clause: Clause): readonly number[] {
  if (clause.kind === 'set') return [...new Set(clause.query.clauses.flatMap(tablesOf))];
  return [...new Set(tableUsesOf(clause).map((use) => Number.parseInt(use, 10)))];
}

/** Whether a clause's value is an aggregate or has one in it. */
export const isAggregate = rememberedOf((clause): boolean => {
  return valuesOf(clause).some((value) => value.kind === 'call' && AGGREGATES.has(value.name));
});

/** The queries nested in a clause, one level down. */
export const nestedQueriesOf = rememberedOf((clause): readonly ClauseQuery[] => {
  if (clause.kind === 'set') return [clause.query];
  return valuesOf(clause).flatMap((value) => (value.kind === 'query' ? [value.query] : []));
});

/** A clause as a key for comparison; of a condition without its connective. */
export const clauseKey = rememberedOf((clause): string => {
  const bare = clause.kind === 'condition' ? { ...clause, connective: null } : clause;
  return JSON.stringify(bare).toLowerCase();
});
