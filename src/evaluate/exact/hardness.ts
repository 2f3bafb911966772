import type { SpiderSql } from '../../sql/spider-sql.js';
import { allConditions, conditionsOf, countOr, isCondition, isSubquery, LIKE } from './spider-parts.js';

/** How hard a query is, by Spider's criteria (Yu et al. 2018, §4, as its published script counts them). */
export const HARDNESS_LEVELS = ['easy', 'medium', 'hard', 'extra'] as const;
export type Hardness = (typeof HARDNESS_LEVELS)[number];

/** The level of a query whose hardness can't be told, where rows are to add up. */
export const UNKNOWN_HARDNESS = 'unknown';
/** Why a query has none, for people. */
export const UNKNOWN_HARDNESS_NOTE =
  'Unknown: gold queries that Spider’s published evaluator can’t read, as they have what its SQL lacks, such as IS NULL, CASE or a window function, or are at fault.';

/** WHERE, GROUP BY, ORDER BY, LIMIT, joins, OR and LIKE. */
function countClauses(sql: SpiderSql): number {
  const clauses = [sql.where.length > 0, sql.groupBy.length > 0, sql.orderBy.length > 0, sql.limit !== null];
  const joins = Math.max(0, sql.from.table_units.length - 1);
  const likes = allConditions(sql).filter(([, operator]) => operator === LIKE).length;
  return clauses.filter(Boolean).length + joins + countOr(sql) + likes;
}

/** Subqueries of conditions, and the other half of UNION, INTERSECT or EXCEPT. */
function countNested(sql: SpiderSql): number {
  const values = allConditions(sql).flatMap(([, , , first, second]) => [first, second]);
  const halves = [sql.intersect, sql.except, sql.union].filter((half) => half !== null);
  return values.filter(isSubquery).length + halves.length;
}

/** The script's count: a condition counts when it is negated, and each AND or OR of HAVING counts, too. */
function countAggregates(sql: SpiderSql): number {
  const [, orderUnits = []] = sql.orderBy;
  const counted = [
    ...sql.select[1].map(([aggregate]) => aggregate !== 0),
    ...conditionsOf(sql.where).map(([negated]) => negated),
    ...sql.groupBy.map(([aggregate]) => aggregate !== 0),
    ...orderUnits.flatMap(([, left, right]) => [left[0] !== 0, right !== null && right[0] !== 0]),
    ...sql.having.map((part) => !isCondition(part) || part[0]),
  ];
  return counted.filter(Boolean).length;
}

function countOthers(sql: SpiderSql): number {
  const others = [countAggregates(sql) > 1, sql.select[1].length > 1, sql.where.length > 1, sql.groupBy.length > 1];
  return others.filter(Boolean).length;
}

/** The hardness of a query by its structure. */
export function hardnessOf(sql: SpiderSql): Hardness {
  const [clauses, nested, others] = [countClauses(sql), countNested(sql), countOthers(sql)];
  if (nested === 0) {
    if (clauses <= 1 && others === 0) return 'easy';
    if ((clauses <= 1 && others <= 2) || (clauses <= 2 && others < 2)) return 'medium';
    if ((clauses <= 2 && others > 2) || (clauses === 3 && others <= 2)) return 'hard';
  }
  return nested === 1 && clauses <= 1 && others === 0 ? 'hard' : 'extra';
}

/** Something of each level of hardness. */
export function ofLevels<T>(of: (level: Hardness) => T): Readonly<Record<Hardness, T>> {
  return Object.fromEntries(HARDNESS_LEVELS.map((level) => [level, of(level)])) as Record<Hardness, T>;
}

/** By the hardness of the gold; `unknown` where that can't be told. */
export type ByHardness<T> = Readonly<Record<Hardness, T>> & { readonly unknown?: T };
