import type { Clause, ClauseStar, ClauseValue, RelatedClause, ViaClause } from './clause.js';
import { starsOf } from './clause-parts.js';
import { ClauseRefusal } from './clause-refusal.js';
import type { ForeignKey } from '../../schema/schema.js';
import { isSamePlan, type JoinEdge, type JoinPlan, planJoins, type TableUse, useKey, usesOf } from './join-plan.js';
import { mapValues } from './map-values.js';

/**
 * Says in clauses what FROM says and the clauses don't imply: stars get the table whose rows they count, tables that
 * nothing mentions a `related` clause, keys that would not be taken a `via` clause.
 * @throws ClauseRefusal where FROM's tables are not joined, or no clauses give its joins back
 */
export function impliedJoins(
  clauses: readonly Clause[],
  from: JoinPlan,
  keys: readonly ForeignKey[],
): readonly Clause[] {
  const starred = starredClauses(clauses, from, keys);
  for (const vias of [[], 'needed', from.edges] as const) {
    const added = completed(starred, from, keys, vias);
    if (added !== null) return [...starred.filter(isSelect), ...added, ...starred.filter((c) => !isSelect(c))];
  }
  const reason = planJoins(from.uses, from.edges, []) === null ? 'unjoined-tables' : 'join-way';
  throw new ClauseRefusal(reason, '');
}

function isSelect({ kind }: Clause): boolean {
  return kind === 'select';
}

/** The clauses to add so that the tables and joins are FROM's, with these edges as `via`; null where they are not. */
function completed(
  clauses: readonly Clause[],
  from: JoinPlan,
  keys: readonly ForeignKey[],
  vias: readonly JoinEdge[] | 'needed',
): readonly Clause[] | null {
  const edges = vias === 'needed' ? neededEdges(clauses, from, keys) : vias;
  const plan = planJoins(usesOf(clauses), edges, keys);
  const related = uncovered(plan, from).map(({ table, copy }): RelatedClause => ({ kind: 'related', table, copy }));
  const all = planJoins(usesOf([...clauses, ...related]), edges, keys);
  if (all === null || !isSamePlan(all, from)) return null;
  const via = edges.map((edge): ViaClause => ({ kind: 'via', from: edge.from, to: edge.to }));
  return [...related, ...via];
}

/** The edges of FROM that joining all its tables by the keys doesn't give. */
function neededEdges(clauses: readonly Clause[], from: JoinPlan, keys: readonly ForeignKey[]): readonly JoinEdge[] {
  const plan = planJoins([...usesOf(clauses), ...from.uses], [], keys);
  const key = ({ from: a, to: b }: JoinEdge): string =>
    [a, b]
      .map((c) => `${useKey(c)}.${c.column}`)
      .sort()
      .join('=');
  const given = new Set((plan?.edges ?? []).map(key));
  return from.edges.filter((edge) => !given.has(key(edge)));
}

/** Uses of FROM that a plan has not. */
function uncovered(plan: JoinPlan | null, from: JoinPlan): readonly TableUse[] {
  const covered = new Set((plan?.uses ?? []).map(useKey));
  return from.uses.filter((use) => !covered.has(useKey(use)));
}

/** Clauses whose stars say whose rows they mean. */
function starredClauses(clauses: readonly Clause[], from: JoinPlan, keys: readonly ForeignKey[]): readonly Clause[] {
  const [first, ...others] = from.uses;
  const selected = clauses.some((clause) => clause.kind === 'select' && clause.value.kind === 'star');
  if (!clauses.some((clause) => starsOf(clause).length > 0) || first === undefined) return clauses;
  const table = others.length === 0 ? first.table : selected ? null : countedTable(clauses, from, keys);
  const star: ClauseStar = { kind: 'star', table };
  const set = (value: ClauseValue): ClauseValue => (value.kind === 'star' && value.table === null ? star : value);
  return clauses.map((clause) => mapValues(clause, set));
}

/** The table whose rows `count(*)` counts: one that no column mentions, else one that refers and is not referred to. */
function countedTable(clauses: readonly Clause[], from: JoinPlan, keys: readonly ForeignKey[]): number | null {
  const missing = uncovered(planJoins(usesOf(clauses), [], keys), from).filter(({ copy }) => copy === 0);
  const degree = (use: TableUse): number =>
    from.edges.filter((edge) => useKey(edge.from) === useKey(use) || useKey(edge.to) === useKey(use)).length;
  const leaf = missing.find((use) => degree(use) === 1) ?? missing[0];
  const isReferred = ({ table }: TableUse): boolean =>
    keys.some(({ from: a, to: b }) => b.table === table && from.uses.some((use) => use.table === a.table));
  return (leaf ?? from.uses.find((use) => use.copy === 0 && !isReferred(use)) ?? from.uses[0])?.table ?? null;
}
