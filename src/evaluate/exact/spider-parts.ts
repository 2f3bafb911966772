import type { SpiderCondition, SpiderConditions, SpiderSql, SpiderValue } from '../../sql/spider-sql.js';

/** Ids of comparisons in a `SpiderCondition`. */
const IN = 8;
export const LIKE = 9;

export function isCondition(part: SpiderConditions[number]): part is SpiderCondition {
  return typeof part !== 'string';
}

/** The conditions of a list: what is at even places. */
export function conditionsOf(list: SpiderConditions): SpiderCondition[] {
  return list.filter((_, i) => i % 2 === 0).filter(isCondition);
}

/** The words between the conditions, as keys: what is at odd places, a condition where a word is missing. */
export function connectorsOf(list: SpiderConditions): string[] {
  return list.filter((_, i) => i % 2 === 1).map((part) => (isCondition(part) ? JSON.stringify(part) : part));
}

export function isSubquery(value: SpiderValue | null): value is SpiderSql {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The conditions of ON, WHERE and HAVING. */
export function allConditions({ from, where, having }: SpiderSql): SpiderCondition[] {
  return [from.conds, where, having].flatMap(conditionsOf);
}

/** Checks whether OR is in ON, WHERE or HAVING, and how often. */
export function countOr({ from, where, having }: SpiderSql): number {
  return [from.conds, where, having].flatMap(connectorsOf).filter((word) => word === 'or').length;
}

/** The words that count as keywords of a query, each once. */
export function keywordsOf(sql: SpiderSql): string[] {
  const conditions = allConditions(sql);
  const [direction] = sql.orderBy;
  const present: readonly (readonly [string, boolean])[] = [
    ['where', sql.where.length > 0],
    ['group', sql.groupBy.length > 0],
    ['having', sql.having.length > 0],
    [direction ?? 'asc', direction !== undefined],
    ['order', direction !== undefined],
    ['limit', sql.limit !== null],
    ['except', sql.except !== null],
    ['union', sql.union !== null],
    ['intersect', sql.intersect !== null],
    ['or', countOr(sql) > 0],
    ['not', conditions.some(([negated]) => negated)],
    ['in', conditions.some(([, operator]) => operator === IN)],
    ['like', conditions.some(([, operator]) => operator === LIKE)],
  ];
  return present.filter(([, has]) => has).map(([word]) => word);
}
