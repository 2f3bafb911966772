import type { Clause, ClauseColumn, ClauseValue, ViaClause } from './clause.js';
import { columnsOf, mapValues, starsOf, type TableUse, useKey } from './clause-parts.js';
import type { JoinKey } from './join-keys.js';
import { isSamePlan, type JoinEdge, type JoinPlan, planOf } from './join-plan.js';

/**
 * A use of a table that clauses join to one other, and of which they ask nothing but the column that it is joined by.
 */
export interface IdleTable extends TableUse {
  /** The column that joins it. */
  readonly own: ClauseColumn;
  /** The other table's, which has the same value in every row. */
  readonly other: ClauseColumn;
}

const isColumn = (a: ClauseColumn, b: ClauseColumn): boolean => useKey(a) === useKey(b) && a.column === b.column;

/** Checks whether all that clauses ask of a use is one column of it. */
function asksOnly(clauses: readonly Clause[], own: ClauseColumn): boolean {
  const key = useKey(own);
  return clauses.every((clause) => {
    if (clause.kind === 'via') return true;
    if (starsOf(clause).some(({ table }) => table === null || (table === own.table && own.copy === 0))) return false;
    return columnsOf(clause).every((column) => useKey(column) !== key || column.column === own.column);
  });
}

function idleIn({ uses, edges }: JoinPlan, clauses: readonly Clause[]): readonly IdleTable[] {
  return uses.flatMap((use): readonly IdleTable[] => {
    const touching = edges.filter(({ from, to }) => [from, to].some((end) => useKey(end) === useKey(use)));
    const [edge, ...more] = touching;
    if (edge === undefined || more.length > 0) return [];
    const [own, other] = useKey(edge.from) === useKey(use) ? [edge.from, edge.to] : [edge.to, edge.from];
    return asksOnly(clauses, own) ? [{ ...use, own, other }] : [];
  });
}

/**
 * The tables that clauses join and could do without: at the end of the joins, and asked for the column alone that joins
 * them. Whether rows are the same without one, keys or rows say. None where all columns or all rows of the join are
 * asked for by a star.
 */
export function idleTablesOf(clauses: readonly Clause[], keys: readonly JoinKey[]): readonly IdleTable[] {
  const plan = planOf(clauses, keys);
  return plan === null || plan.edges.length === 0 ? [] : idleIn(plan, clauses);
}

function planWithout({ uses, edges }: JoinPlan, { own }: IdleTable): JoinPlan {
  const isOf = (end: TableUse): boolean => useKey(end) === useKey(own);
  return { uses: uses.filter((use) => !isOf(use)), edges: edges.filter(({ from, to }) => !isOf(from) && !isOf(to)) };
}

/** The edges that no `via` of the clauses says yet, as such. */
function unsaidVias(edges: readonly JoinEdge[], clauses: readonly (Clause | null)[]): readonly ViaClause[] {
  const said = clauses.filter((clause) => clause?.kind === 'via');
  const isSaid = ({ from, to }: JoinEdge): boolean =>
    said.some(
      (via) => (isColumn(via.from, from) && isColumn(via.to, to)) || (isColumn(via.from, to) && isColumn(via.to, from)),
    );
  return edges.filter((edge) => !isSaid(edge)).map(({ from, to }) => ({ kind: 'via', from, to }));
}

/**
 * Clauses without an idle table, each in its place, null where it went with the table; behind them the keys that the
 * other tables were joined by, where these would not be taken again. Null where the other tables can't be joined as
 * they were.
 */
export function withoutTable(
  clauses: readonly Clause[],
  idle: IdleTable,
  keys: readonly JoinKey[],
): readonly (Clause | null)[] | null {
  const plan = planOf(clauses, keys);
  if (plan === null) return null;
  const [gone, wanted] = [useKey(idle), planWithout(plan, idle)];
  const change = (value: ClauseValue): ClauseValue =>
    value.kind === 'column' && isColumn(value, idle.own) ? idle.other : value;
  const left = clauses.map((clause): Clause | null => {
    if (clause.kind === 'related') return useKey(clause) === gone ? null : clause;
    if (clause.kind === 'via') return [clause.from, clause.to].some((end) => useKey(end) === gone) ? null : clause;
    return columnsOf(clause).some((column) => isColumn(column, idle.own)) ? mapValues(clause, change) : clause;
  });
  for (const vias of [[], unsaidVias(wanted.edges, left)]) {
    const all = [...left, ...vias];
    const found = planOf(
      all.filter((clause) => clause !== null),
      keys,
    );
    if (found !== null && isSamePlan(found, wanted)) return all;
  }
  return null;
}
