import type { ColumnRef } from '../../schema/schema.js';
import type { Clause, ClauseComparison, ClauseQuery, ClauseValue } from '../clauses/clause.js';
import { comparisonsOf, isAggregate, valuesOf, valuesWithin } from '../clauses/clause-parts.js';
import type { Cue } from './cues.js';

/** The traits of a clause that words of a question can express. */
export interface ClauseTraits {
  readonly columns: readonly ColumnRef[];
  /** Tables whose rows are meant: of `count(*)`, of what is related. */
  readonly tables: readonly number[];
  /** Constants that it compares with. */
  readonly values: readonly string[];
  readonly cues: readonly Cue[];
}

const AGGREGATE_CUES: Readonly<Record<string, readonly Cue[]>> = {
  count: ['count'],
  avg: ['average'],
  sum: ['sum'],
  total: ['sum'],
  max: ['most'],
  min: ['least'],
};

const OPERATOR_CUES: Readonly<Record<ClauseComparison['operator'], readonly Cue[]>> = {
  '=': [],
  '!=': ['not'],
  '<': ['less'],
  '>': ['more'],
  '<=': ['at-most', 'less'],
  '>=': ['at-least', 'more'],
  like: ['like'],
  in: [],
  between: ['between'],
  is: [],
  exists: [],
};

const SET_CUES: Readonly<Record<string, readonly Cue[]>> = {
  union: ['or'],
  'union all': ['or'],
  intersect: ['both'],
  except: ['except'],
};

interface Gathered {
  readonly columns: ColumnRef[];
  readonly tables: number[];
  readonly values: string[];
  readonly cues: Cue[];
}

function gatherQuery({ clauses }: ClauseQuery, into: Gathered): void {
  const isSaid = clauses.some(({ kind }) => kind === 'condition' || kind === 'order');
  for (const clause of clauses) {
    const aggregated = valuesOf(clause).some(isAggregate);
    if (clause.kind !== 'select' || aggregated || !isSaid) gatherClause(clause, into);
  }
}

function gatherValue(value: ClauseValue, into: Gathered): void {
  for (const part of valuesWithin(value)) {
    if (part.kind === 'column') into.columns.push(part);
    if (part.kind === 'star' && part.table !== null) into.tables.push(part.table);
    if (part.kind === 'literal' && part.type !== 'null') into.values.push(part.value);
    if (part.kind === 'query') gatherQuery(part.query, into);
    if (part.kind === 'call') into.cues.push(...(AGGREGATE_CUES[part.name] ?? []));
  }
}

function gatherClause(clause: Clause, into: Gathered): void {
  for (const value of valuesOf(clause)) gatherValue(value, into);
  switch (clause.kind) {
    case 'related':
      into.tables.push(clause.table);
      break;
    case 'condition':
      for (const { operator, negated } of comparisonsOf(clause)) {
        into.cues.push(...OPERATOR_CUES[operator], ...(negated ? (['not'] as const) : []));
      }
      break;
    case 'order':
      into.cues.push('order', ...(clause.direction === 'asc' ? (['ascending'] as const) : (['descending'] as const)));
      break;
    case 'group':
      into.cues.push('each');
      break;
    case 'set':
      gatherQuery(clause.query, into);
      into.cues.push(...(SET_CUES[clause.operator] ?? []));
      break;
    default:
  }
}

/** The traits of a clause of a query. */
export function traitsOf(clause: Clause, query: ClauseQuery): ClauseTraits {
  const into: Gathered = { columns: [], tables: [], values: [], cues: [] };
  gatherClause(clause, into);
  const isLimited = query.clauses.some(({ kind }) => kind === 'limit');
  if (clause.kind === 'order' && isLimited) into.cues.push(clause.direction === 'desc' ? 'most' : 'least');
  return { ...into, cues: [...new Set(into.cues)] };
}
