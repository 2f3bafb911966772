import { isAggregateName } from '../../sql/aggregates.js';
import {
  type Clause,
  type ClauseColumn,
  type ClauseComparison,
  type ClauseCondition,
  type ClauseQuery,
  clausesOfKind,
  type ClauseStar,
  type ClauseValue,
} from './clause.js';
import { memoizeObject } from '../../schema/memoize.js';
import type { ColumnRef, Database } from '../../schema/schema.js';

type Change = (value: ClauseValue) => ClauseValue;

function mapValue(value: ClauseValue, change: Change): ClauseValue {
  const inner = (child: ClauseValue): ClauseValue => mapValue(child, change);
  switch (value.kind) {
    case 'call':
      return change({ ...value, args: value.args.map(inner) });
    case 'arithmetic':
      return change({ ...value, left: inner(value.left), right: inner(value.right) });
    case 'cast':
      return change({ ...value, operand: inner(value.operand) });
    case 'case':
      return change({
        ...value,
        branches: value.branches.map(({ when, then }) => ({
          when: when.map((condition) => mapCondition(condition, change)),
          then: inner(then),
        })),
        otherwise: value.otherwise === null ? null : inner(value.otherwise),
      });
    default:
      return change(value);
  }
}

function mapCondition(condition: ClauseCondition, change: Change): ClauseCondition {
  const { test } = condition;
  if (test.kind === 'any') {
    return { ...condition, test: { ...test, conditions: test.conditions.map((part) => mapCondition(part, change)) } };
  }
  const left = test.left === null ? null : mapValue(test.left, change);
  return { ...condition, test: { ...test, left, right: test.right.map((value) => mapValue(value, change)) } };
}

/** A clause with its values changed, inner ones first; nested queries are left as they are. */
export function mapValues(clause: Clause, change: Change): Clause {
  switch (clause.kind) {
    case 'select':
    case 'group':
    case 'order':
      return { ...clause, value: mapValue(clause.value, change) };
    case 'condition':
      return mapCondition(clause, change);
    default:
      return clause;
  }
}

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

/** The values that a clause is made of, each followed by those within it; nested queries are not entered. */
export const allValuesOf = memoizeObject((clause: Clause): readonly ClauseValue[] =>
  valuesOf(clause).flatMap(valuesWithin),
);

/** True if a clause has an aggregate of the query's own groups. */
export const isAggregated = memoizeObject((clause: Clause) => allValuesOf(clause).some(isAggregate));

/** The columns of a clause, in order, without those of nested queries. */
export const columnsOf = memoizeObject((clause: Clause): readonly ClauseColumn[] =>
  allValuesOf(clause).filter((value) => value.kind === 'column'),
);

/** The stars of a clause: those selected and those counted. */
export const starsOf = memoizeObject((clause: Clause): readonly ClauseStar[] =>
  allValuesOf(clause).filter((value) => value.kind === 'star'),
);

/** The keys that clauses group by: those that they say, else what is selected next to aggregates. */
export function groupKeys(query: ClauseQuery, database: Database): readonly ClauseValue[] {
  const said = clausesOfKind(query, 'group').map(({ value }) => value);
  if (said.length > 0) return said.filter((value) => value.kind !== 'literal' || value.type !== 'null');
  if (!query.clauses.some(isAggregated)) return [];
  return clausesOfKind(query, 'select')
    .map(({ value }) => value)
    .flatMap((value) => (value.kind === 'star' ? firstColumn(value.table, database) : [value]))
    .filter(
      (value) => !valuesWithin(value).some(isAggregate) && valuesWithin(value).some(({ kind }) => kind === 'column'),
    );
}

/** The key of a table whose rows are selected next to aggregates. */
function firstColumn(table: number | null, database: Database): readonly ClauseValue[] {
  if (table === null) return [];
  const ref = database.primaryKeys.find((key) => key.table === table) ?? { table, column: 0 };
  return [columnOf(ref)];
}

/** A column of a use of its table. */
export function columnOf({ table, column }: ColumnRef, copy = 0): ClauseColumn {
  return { kind: 'column', table, column, copy };
}

/** One use of a table in FROM; `copy` counts the uses of a table from 0. */
export interface TableUse {
  readonly table: number;
  readonly copy: number;
}

/** Key of a use, for maps. */
export function useKey({ table, copy }: TableUse): string {
  return `${table}#${copy}`;
}

/** The uses of tables that clauses mention, in order, each once. */
export const usesOf = memoizeObject((clauses: readonly Clause[]): readonly TableUse[] => {
  const uses = clauses.flatMap((clause): TableUse[] => [
    ...columnsOf(clause),
    ...starsOf(clause).flatMap(({ table }) => (table === null ? [] : [{ table, copy: 0 }])),
    ...(clause.kind === 'related' ? [clause] : []),
  ]);
  return [...new Map(uses.map((use) => [useKey(use), { table: use.table, copy: use.copy }])).values()];
});

/** Keys of the uses that clauses mention; of an element's they are asked for pair after pair. */
export const usesIn = memoizeObject(
  (clauses: readonly Clause[]): ReadonlySet<string> => new Set(usesOf(clauses).map(useKey)),
);

/** Indexes of the tables that a clause is about, in its order: for a term of a compound those of its query. */
export const tablesOf: (clause: Clause) => readonly number[] = memoizeObject((clause: Clause): readonly number[] => {
  if (clause.kind === 'set') return [...new Set(clause.query.clauses.flatMap(tablesOf))];
  return [...new Set(usesOf([clause]).map(({ table }) => table))];
});

/** The queries nested in a clause, one level down. */
export const nestedQueriesOf = memoizeObject((clause: Clause): readonly ClauseQuery[] => {
  if (clause.kind === 'set') return [clause.query];
  return allValuesOf(clause).flatMap((value) => (value.kind === 'query' ? [value.query] : []));
});

/** A clause as a key for comparison; of a condition without its connective. */
export const clauseKey = memoizeObject((clause: Clause): string => {
  const bare = clause.kind === 'condition' ? { ...clause, connective: null } : clause;
  return JSON.stringify(bare).toLowerCase();
});
