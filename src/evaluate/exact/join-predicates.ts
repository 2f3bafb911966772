import type { SpiderCondition, SpiderSql } from '../../sql/spider-sql.js';
import { allConditions, conditionsOf, isSubquery } from './spider-parts.js';

/** A condition of a join; `a = b` is `b = a`. */
function keyOf([negated, operator, [arithmetic, left], first, second]: SpiderCondition): string {
  const right = Array.isArray(first) ? (first[1] as unknown) : null;
  const isPlain = arithmetic === 0 && left[0] === 0 && second === null && typeof right === 'number';
  const columns = isPlain ? [left[1], right].sort((a, b) => a - b) : [left, first, second];
  return JSON.stringify([negated, operator, columns]);
}

/** A query and all queries inside it. */
function queriesOf(sql: SpiderSql): readonly SpiderSql[] {
  const values = allConditions(sql).flatMap(([, , , first, second]) => [first, second]);
  const sources = sql.from.table_units.map(([, unit]) => (typeof unit === 'number' ? null : unit));
  const inner = [...values, ...sources, sql.intersect, sql.union, sql.except].filter(isSubquery);
  return [sql, ...inner.flatMap(queriesOf)];
}

/**
 * Checks whether two queries join by the same conditions, query by query whatever their sequence: what the adapted
 * exact match of Zhong et al. 2020, §5.3, asks for in addition to Spider's script.
 */
export function haveSameJoins(gold: SpiderSql, predicted: SpiderSql): boolean {
  const [ours, theirs] = [predicted, gold].map((sql) =>
    queriesOf(sql)
      .map(({ from }) => JSON.stringify(conditionsOf(from.conds).map(keyOf).sort()))
      .sort(),
  );
  return JSON.stringify(ours) === JSON.stringify(theirs);
}
