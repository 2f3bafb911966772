import { isAggregated, valuesOf as partsOf, valuesWithin } from '../clauses/clause-parts.js';
import type { Clause, ClauseQuery, ClauseValue } from '../clauses/clause.js';

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

/** The values that a clause is made of, each followed by those within it; nested queries are not entered. */
export const valuesOf = rememberedOf((clause): readonly ClauseValue[] => partsOf(clause).flatMap(valuesWithin));

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

/** Whether a clause has an aggregate. */
export const isAggregate = rememberedOf(isAggregated);

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
