import { allValuesOf, rememberedOf } from '../clauses/clause-parts.js';
import type { Clause, ClauseQuery } from '../clauses/clause.js';

/** A table of a query by its index and the number of its use: "2.0". */
export type TableUse = `${number}.${number}`;

/** The tables that a clause mentions, outside nested queries. */
export const tableUsesOf = rememberedOf((clause: Clause): readonly TableUse[] => {
  if (clause.kind === 'related') return [`${clause.table}.${clause.copy}`];
  const uses = allValuesOf(clause).flatMap((value): TableUse[] => {
    if (value.kind === 'column') return [`${value.table}.${value.copy}`];
    return value.kind === 'star' && value.table !== null ? [`${value.table}.0`] : [];
  });
  return [...new Set(uses)];
});

/** The tables that clauses mention, each once; of an element's they are asked for pair after pair. */
export const usesIn = rememberedOf(
  (clauses: readonly Clause[]): ReadonlySet<TableUse> => new Set(clauses.flatMap(tableUsesOf)),
);

/** Indexes of the tables that a clause is about, in its order: for a term of a compound those of its query. */
export const tablesOf: (clause: Clause) => readonly number[] = rememberedOf((clause: Clause): readonly number[] => {
  if (clause.kind === 'set') return [...new Set(clause.query.clauses.flatMap(tablesOf))];
  return [...new Set(tableUsesOf(clause).map((use) => Number.parseInt(use, 10)))];
});

/** The queries nested in a clause, one level down. */
export const nestedQueriesOf = rememberedOf((clause: Clause): readonly ClauseQuery[] => {
  if (clause.kind === 'set') return [clause.query];
  return allValuesOf(clause).flatMap((value) => (value.kind === 'query' ? [value.query] : []));
});

/** A clause as a key for comparison; of a condition without its connective. */
export const clauseKey = rememberedOf((clause: Clause): string => {
  const bare = clause.kind === 'condition' ? { ...clause, connective: null } : clause;
  return JSON.stringify(bare).toLowerCase();
});
