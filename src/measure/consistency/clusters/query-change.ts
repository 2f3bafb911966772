import { conditionsOf, isSubquery } from '../../../evaluate/exact/spider-parts.js';
import { countCommon } from '../../../evaluate/exact/components.js';
import type { FormedQuery } from '../../../evaluate/exact/form-comparison.js';
import type { ExpectedAnswer } from '../../../variants/relations/relation.js';
import type { SpiderSql } from '../../../sql/spider-sql.js';
import type { FormedPair } from '../../../evaluate/exact/same-query.js';

/** The parts of queries. */
const PARTS = [
  'tables',
  'joins',
  'columns',
  'aggregates',
  'DISTINCT',
  'conditions',
  'operators',
  'AND/OR',
  'GROUP BY',
  'HAVING',
  'ORDER BY',
  'LIMIT',
  'subqueries',
  'set operation',
] as const;
type Part = (typeof PARTS)[number];

const OTHER_CHANGES = [
  /** Only literals, where they are compared. */
  'values',
  /** The seed was answered with SQL, the mutant not; and the other way round. */
  'SQL lost',
  'SQL added',
  /** One of them has no structure: another dialect's SQL, names that its schema lacks. */
  'unreadable',
  /** The same query by its structure, with another result. */
  'result',
  /**
   * No change of the query tells these: a question that asks something else is answered wrong; one that nothing answers
   * is answered.
   */
  'wrong answer',
  'not refused',
] as const;

/** The differences possible between two predictions. */
export const CHANGES = [...PARTS, ...OTHER_CHANGES] as const;
export type QueryChange = (typeof CHANGES)[number];

/** The answer that was expected of mutants that failed by these changes. */
export function expectedBy(changes: readonly QueryChange[]): ExpectedAnswer {
  if (changes.includes('not refused')) return 'unanswerable';
  return changes.includes('wrong answer') ? 'other-query' : 'kept';
}

/** Kinds of errors in the words of MT-TEQL's Table 8. */
export const ERROR_TYPES = [
  'column prediction',
  'aggregate function',
  'operator',
  'table joining',
  'complex query',
  'others',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** Which kind a part's change is (MT-TEQL §5.3 says what each holds; where it is silent, the choice is ours). */
const TYPE_OF: Readonly<Record<Part, ErrorType>> = {
  tables: 'table joining',
  joins: 'table joining',
  columns: 'column prediction',
  aggregates: 'aggregate function',
  DISTINCT: 'others',
  conditions: 'column prediction',
  operators: 'operator',
  'AND/OR': 'operator',
  'GROUP BY': 'column prediction',
  HAVING: 'operator',
  'ORDER BY': 'column prediction',
  LIMIT: 'others',
  subqueries: 'complex query',
  'set operation': 'complex query',
};

function subqueriesOf({ where, having, from }: SpiderSql): readonly string[] {
  const values = [where, having].flatMap(conditionsOf).flatMap(([, , , first, second]) => [first, second]);
  const derived = from.table_units.filter(([kind]) => kind === 'sql');
  return [...values.filter(isSubquery), ...derived].map((query) => JSON.stringify(query));
}

/** Returns the keys of each part of a query. */
function partsOf({ structure: sql, form }: FormedQuery): Readonly<Record<Part, readonly string[]>> {
  const conditions = conditionsOf(sql.where);
  return {
    tables: form.tables,
    joins: form.joins,
    columns: form.selectUnits,
    aggregates: sql.select[1].filter(([aggregate]) => aggregate > 0).map(([aggregate]) => String(aggregate)),
    DISTINCT: sql.select[0] ? ['DISTINCT'] : [],
    conditions: form.whereUnits,
    operators: conditions.map(([negated, operator]) => `${negated} ${operator}`),
    'AND/OR': sql.where.filter((part) => part === 'or').map(() => 'or'),
    'GROUP BY': form.groupBy,
    HAVING: sql.having.length === 0 ? [] : [form.having],
    'ORDER BY': sql.orderBy.length === 0 ? [] : [JSON.stringify([sql.orderBy, form.directions])],
    LIMIT: sql.limit === null ? [] : ['LIMIT'],
    subqueries: subqueriesOf(sql),
    'set operation': form.halves,
  };
}

function isSameBag(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && countCommon(first, second) === first.length;
}

/** Changes that follow from another: other tables are joined otherwise, another condition has its own operator. */
const FOLLOWS: Readonly<Partial<Record<Part, Part>>> = { joins: 'tables', operators: 'conditions' };

function changedParts({ before, after }: FormedPair): readonly Part[] {
  const [first, second] = [partsOf(before), partsOf(after)];
  const changed = PARTS.filter((part) => !isSameBag(first[part], second[part]));
  return changed.filter((part) => !changed.some((other) => other === FOLLOWS[part]));
}

/**
 * Returns the changes from one prediction to another, as a signature: equal for failures of one kind. `formed` is null
 * if one of them has no structure.
 */
export function changesBetween(
  before: string | null,
  after: string | null,
  formed: FormedPair | null,
): readonly QueryChange[] {
  if (after === null) return ['SQL lost'];
  if (before === null) return ['SQL added'];
  if (formed === null) return ['unreadable'];
  if (formed.before.form.whole === formed.after.form.whole) return ['result'];
  const changes = changedParts(formed);
  return changes.length > 0 ? changes : ['values'];
}

/** Error types by precedence, to name a failure with changes of several kinds: if tables change, columns follow. */
const PRECEDENCE: readonly ErrorType[] = ['table joining', 'aggregate function', 'operator', 'column prediction'];
/** Kinds from which on a failure is of a complex query: "more than one error" (MT-TEQL §5.3). */
const SEVERAL = 3;

/** The kind of error by what changed. */
export function errorTypeOf(changes: readonly QueryChange[]): ErrorType {
  const types = new Set(PARTS.filter((part) => changes.includes(part)).map((part) => TYPE_OF[part]));
  types.delete('others');
  if (types.has('complex query') || types.size >= SEVERAL) return 'complex query';
  return PRECEDENCE.find((type) => types.has(type)) ?? 'others';
}
