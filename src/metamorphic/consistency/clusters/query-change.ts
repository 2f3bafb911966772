import { conditionsOf, isSubquery } from '../../../evaluate/exact/spider-parts.js';
import { countCommon } from '../../../evaluate/exact/components.js';
import type { FormedQuery } from '../../../evaluate/exact/form-comparison.js';
import type { SpiderSql } from '../../../sql/spider-sql.js';
import type { FormedPair } from '../judge/exact-consistency.js';

/** What queries are made of. */
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

const DIRECTIONS = ['lost', 'added', 'changed'] as const;

/** A part of queries that differs, and how. */
type PartChange = `${Part} ${(typeof DIRECTIONS)[number]}`;

const OTHER_CHANGES = [
  /** Only literals, where they are compared. */
  'values changed',
  /** The seed was answered with SQL, the mutant not; and the other way round. */
  'SQL lost',
  'SQL added',
  /** One of them has no structure: another dialect's SQL, names that its schema lacks. */
  'unreadable',
  /** The same query by its structure, with another result. */
  'result changed',
] as const;

export const CHANGES = [
  ...PARTS.flatMap((part) => DIRECTIONS.map((direction): PartChange => `${part} ${direction}`)),
  ...OTHER_CHANGES,
] as const;
export type QueryChange = PartChange | (typeof OTHER_CHANGES)[number];

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

const listOf = (json: string): readonly string[] =>
  json === '' ? [] : (JSON.parse(json) as unknown[]).map((one) => JSON.stringify(one));

function subqueriesOf({ where, having, from }: SpiderSql): readonly string[] {
  const values = [where, having].flatMap(conditionsOf).flatMap(([, , , first, second]) => [first, second]);
  const derived = from.table_units.filter(([kind]) => kind === 'sql');
  return [...values.filter(isSubquery), ...derived].map((query) => JSON.stringify(query));
}

/** What a query has of each part, as keys. */
function partsOf({ structure, form }: FormedQuery): Readonly<Record<Part, readonly string[]>> {
  const { sql } = structure;
  const conditions = conditionsOf(sql.where);
  return {
    tables: form.tables,
    joins: listOf(form.joins),
    columns: form.selectUnits,
    aggregates: sql.select[1].filter(([aggregate]) => aggregate > 0).map(([aggregate]) => String(aggregate)),
    DISTINCT: sql.select[0] ? ['DISTINCT'] : [],
    conditions: form.whereUnits,
    operators: conditions.map(([negated, operator]) => `${negated} ${operator}`),
    'AND/OR': sql.where.filter((part) => part === 'or').map(() => 'or'),
    'GROUP BY': form.groupBy,
    HAVING: sql.having.length === 0 ? [] : [form.having],
    'ORDER BY': sql.orderBy.length === 0 ? [] : [JSON.stringify([sql.orderBy, structure.orderTerms])],
    LIMIT: sql.limit === null ? [] : ['LIMIT'],
    subqueries: subqueriesOf(sql),
    'set operation': listOf(form.halves),
  };
}

function directionOf(before: readonly string[], after: readonly string[]): (typeof DIRECTIONS)[number] | null {
  const common = countCommon(before, after);
  const [lost, added] = [before.length - common, after.length - common];
  if (lost === 0 && added === 0) return null;
  if (added === 0) return 'lost';
  return lost === 0 ? 'added' : 'changed';
}

function changedParts({ before, after }: FormedPair): readonly PartChange[] {
  const [first, second] = [partsOf(before), partsOf(after)];
  const changes = PARTS.flatMap((part): PartChange[] => {
    const direction = directionOf(first[part], second[part]);
    return direction === null ? [] : [`${part} ${direction}`];
  });
  // Another condition has its own operator.
  const hasConditions = changes.some((change) => change.startsWith('conditions'));
  return hasConditions ? changes.filter((change) => !change.startsWith('operators')) : changes;
}

/**
 * What changed from one prediction to another, as a signature: equal for failures of one kind. `formed` is null where one
 * of them has no structure.
 */
export function changesBetween(
  before: string | null,
  after: string | null,
  formed: FormedPair | null,
): readonly QueryChange[] {
  if (after === null) return ['SQL lost'];
  if (before === null) return ['SQL added'];
  if (formed === null) return ['unreadable'];
  if (formed.before.form.whole === formed.after.form.whole) return ['result changed'];
  const changes = changedParts(formed);
  return changes.length > 0 ? changes : ['values changed'];
}

/** The kind of error by what changed: that of its parts where they have one, a complex query where they have several. */
export function errorTypeOf(changes: readonly QueryChange[]): ErrorType {
  const types = new Set(
    PARTS.filter((part) => changes.some((change) => change.startsWith(`${part} `))).map((part) => TYPE_OF[part]),
  );
  if (types.size > 1) types.delete('others');
  const [only = 'others', ...more] = types;
  return more.length === 0 ? only : 'complex query';
}
