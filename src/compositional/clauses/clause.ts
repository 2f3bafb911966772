// The clause form of a query: what a question can say of it, and nothing else.
//
// A query is a flat list of clauses; a clause's index in the list is its name. FROM and JOIN … ON are not written: the
// tables are those of the columns that the clauses mention, joined by the shortest way over the database's join keys.
// What that way doesn't give is a clause of its own: `related` for a table that must be joined although no column of it
// is mentioned ("singers who have a song"), `via` for a key other than the one that would be taken ("the winner of the
// match"). Grouping follows from aggregates next to plain columns; `group` clauses say by what, where a query says it.
// WHERE and HAVING are one list of conditions: a condition on an aggregate is of HAVING. Where a query has both, AND
// is between them. AND binds tighter than OR; OR in parentheses is one condition with `any`.
// A term of INTERSECT, UNION or EXCEPT is one clause with a query of its own, which has no `select` clauses where it
// selects the same as the query that it belongs to: "except those with a concert in 2014". Nested queries are values.
//
// The idea is NatSQL's (Gan et al. 2021, used by Spider-SS §2.3); the form is ours, on the tree of src/sql. As text:
//   SELECT T1.name FROM stadium AS T1 JOIN concert AS T2 ON … WHERE T2.year = 2014 GROUP BY T1.id HAVING count(*) > 1
//   ⇒ select stadium.name · concert.year = 2014 · and count(concert.*) > 1 · group by stadium.id
import type { PlainComparison } from '../../sql/operators.js';
import type { ColumnRef } from '../../schema/schema.js';

/** A column; `copy` counts the uses of its table in FROM from 0: 1 is the second of a table joined with itself. */
export interface ClauseColumn extends ColumnRef {
  readonly kind: 'column';
  readonly copy: number;
}

/** `*`, or the rows of one table: what `count(*)` counts. Null is all tables of the query. */
export interface ClauseStar {
  readonly kind: 'star';
  readonly table: number | null;
}

/** A literal as it is written in SQL: `2014`, `'USA'`, `NULL`. */
export interface ClauseLiteral {
  readonly kind: 'literal';
  readonly type: 'number' | 'string' | 'null' | 'other';
  /** A string's content; of others the source text. */
  readonly value: string;
}

/** An aggregate or another function; `name` in lower case. */
interface ClauseCall {
  readonly kind: 'call';
  readonly name: string;
  readonly distinct: boolean;
  readonly args: readonly ClauseValue[];
}

/** `left operator right`: `+`, `-`, `*`, `/`, `||`, … */
interface ClauseArithmetic {
  readonly kind: 'arithmetic';
  readonly operator: string;
  readonly left: ClauseValue;
  readonly right: ClauseValue;
}

/** A nested query used as a value, or as the list of IN. */
interface ClauseNested {
  readonly kind: 'query';
  readonly query: ClauseQuery;
}

/** CAST: `type` is its source text. */
interface ClauseCast {
  readonly kind: 'cast';
  readonly operand: ClauseValue;
  readonly type: string;
}

/** CASE, and IIF as it is short for. */
export interface ClauseCase {
  readonly kind: 'case';
  readonly branches: readonly { readonly when: readonly ClauseCondition[]; readonly then: ClauseValue }[];
  readonly otherwise: ClauseValue | null;
}

export type ClauseValue =
  ClauseColumn | ClauseStar | ClauseLiteral | ClauseCall | ClauseArithmetic | ClauseNested | ClauseCast | ClauseCase;

/** How a comparison compares; `<>` is `!=`, `==` is `=`. `is` has NULL on its right. */
export type ComparisonOperator = PlainComparison | 'like' | 'in' | 'between' | 'is' | 'exists';

/** `left [NOT] operator right`. */
export interface ClauseComparison {
  readonly kind: 'comparison';
  /** Null for EXISTS alone. */
  readonly left: ClauseValue | null;
  readonly negated: boolean;
  readonly operator: ComparisonOperator;
  /** Two for BETWEEN, any number for a list of IN, else one. */
  readonly right: readonly ClauseValue[];
}

/** Conditions in parentheses, where their OR would else bind less than the AND around. */
interface ClauseAny {
  readonly kind: 'any';
  readonly negated: boolean;
  readonly conditions: readonly ClauseCondition[];
}

/** A condition with the connective that joins it to the condition before; null for the first. */
export interface ClauseCondition {
  readonly kind: 'condition';
  readonly connective: 'and' | 'or' | null;
  readonly test: ClauseComparison | ClauseAny;
}

/** One item of SELECT; `SELECT DISTINCT` is `distinct` of the query. */
interface SelectClause {
  readonly kind: 'select';
  readonly value: ClauseValue;
}

/** A table that is joined although no clause mentions a column of it. */
export interface RelatedClause {
  readonly kind: 'related';
  readonly table: number;
  readonly copy: number;
}

/** A key that joins two tables, where another would be taken or none is known. */
export interface ViaClause {
  readonly kind: 'via';
  readonly from: ClauseColumn;
  readonly to: ClauseColumn;
}

/**
 * One key of GROUP BY. NULL alone: all rows are one group, although plain columns are selected next to an aggregate.
 */
export interface GroupClause {
  readonly kind: 'group';
  readonly value: ClauseValue;
}

/** One term of ORDER BY. */
interface OrderClause {
  readonly kind: 'order';
  readonly value: ClauseValue;
  readonly direction: 'asc' | 'desc';
}

/** LIMIT of the rows as they are ordered, or of any. */
interface LimitClause {
  readonly kind: 'limit';
  readonly count: number;
  readonly offset: number;
}

/** A term of a compound; the query's clauses without `select` select what the query around selects. */
export interface SetClause {
  readonly kind: 'set';
  readonly operator: 'union' | 'union all' | 'intersect' | 'except';
  readonly query: ClauseQuery;
}

export type Clause =
  SelectClause | RelatedClause | ViaClause | ClauseCondition | GroupClause | OrderClause | LimitClause | SetClause;

/**
 * A query in clauses. `clausesOf` gives them in this order: select, related, via, condition, group, set, order, limit;
 * `sqlOf` takes any order of kinds, and each kind in its order. ORDER BY and LIMIT are of the whole compound.
 */
export interface ClauseQuery {
  /** SELECT DISTINCT. */
  readonly distinct: boolean;
  readonly clauses: readonly Clause[];
}

/** Clauses of a kind, in their order. */
export function clausesOfKind<K extends Clause['kind']>(
  { clauses }: ClauseQuery,
  kind: K,
): readonly Extract<Clause, { readonly kind: K }>[] {
  return clauses.filter((clause): clause is Extract<Clause, { readonly kind: K }> => clause.kind === kind);
}

/** Checks whether one of several clauses is of a kind. */
export function hasKind(clauses: readonly Clause[], kind: Clause['kind']): boolean {
  return clauses.some((clause) => clause.kind === kind);
}
