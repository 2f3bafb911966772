import type { ColumnRef, ForeignKey } from '../../schema/schema.js';
import type { Clause, ClauseColumn } from './clause.js';
import { columnOf, type TableUse, useKey, usesOf } from './clause-parts.js';

/** An equality that joins two uses of tables. */
export interface JoinEdge {
  readonly from: ClauseColumn;
  readonly to: ClauseColumn;
}

/** A FROM clause: every use but the first has an edge to one before it. */
export interface JoinPlan {
  readonly uses: readonly TableUse[];
  readonly edges: readonly JoinEdge[];
}

/** Edges from a use to others: known uses and, where a table has none yet, its first. */
function edgesFrom(use: TableUse, keys: readonly ForeignKey[], uses: readonly TableUse[]): readonly JoinEdge[] {
  const toward = (from: ColumnRef, to: ColumnRef): JoinEdge[] => {
    if (from.table !== use.table) return [];
    const copies = uses.filter(({ table, copy }) => table === to.table && (table !== use.table || copy !== use.copy));
    if (copies.length === 0 && to.table !== use.table) copies.push({ table: to.table, copy: 0 });
    return copies.map(({ copy }) => ({ from: columnOf(from, use.copy), to: columnOf(to, copy) }));
  };
  return keys.flatMap(({ from, to }) => [...toward(from, to), ...toward(to, from)]);
}

/** The shortest way from any of the joined uses to one that is wanted; earlier keys first. Null where there is none. */
function shortestWay(
  joined: readonly TableUse[],
  wanted: ReadonlySet<string>,
  keys: readonly ForeignKey[],
  uses: readonly TableUse[],
): readonly JoinEdge[] | null {
  const seen = new Set(joined.map(useKey));
  let ways = joined.map((use) => ({ use, way: [] as readonly JoinEdge[] }));
  while (ways.length > 0) {
    const longer: typeof ways = [];
    for (const { use, way } of ways) {
      for (const edge of edgesFrom(use, keys, uses)) {
        if (seen.has(useKey(edge.to))) continue;
        seen.add(useKey(edge.to));
        if (wanted.has(useKey(edge.to))) return [...way, edge];
        longer.push({ use: edge.to, way: [...way, edge] });
      }
    }
    ways = longer;
  }
  return null;
}

/** The tables joined so far. */
class JoinGrowth {
  readonly joined: TableUse[] = [];
  readonly edges: JoinEdge[] = [];
  readonly #vias: readonly JoinEdge[];
  readonly #known = new Set<string>();

  constructor(vias: readonly JoinEdge[]) {
    this.#vias = vias;
  }

  add(use: TableUse): void {
    if (this.#known.has(useKey(use))) return;
    this.#known.add(useKey(use));
    this.joined.push({ table: use.table, copy: use.copy });
    for (const via of this.#vias) this.#follow(via);
  }

  follow(way: readonly JoinEdge[]): void {
    for (const edge of way) {
      if (this.has(edge.to)) continue;
      this.edges.push(edge);
      this.add(edge.to);
    }
  }

  has(use: TableUse): boolean {
    return this.#known.has(useKey(use));
  }

  #follow(via: JoinEdge): void {
    if (this.edges.includes(via)) return;
    const [from, to] = [this.has(via.from), this.has(via.to)];
    if (!from && !to) return;
    this.edges.push(via);
    if (!to) this.add(via.to);
    else if (!from) this.add(via.from);
  }
}

/**
 * Joins the uses that are mentioned: the edges of `vias` as they are, the rest by the shortest way over the keys, from
 * the first use on. Null where no way joins them.
 */
export function planJoins(
  mentioned: readonly TableUse[],
  vias: readonly JoinEdge[],
  keys: readonly ForeignKey[],
): JoinPlan | null {
  const uses = [...mentioned, ...vias.flatMap(({ from, to }) => [from, to])];
  const growth = new JoinGrowth(vias);
  const [first] = uses;
  if (first === undefined) return null;
  growth.add(first);
  for (;;) {
    const wanted = new Set(uses.filter((use) => !growth.has(use)).map(useKey));
    if (wanted.size === 0) return { uses: growth.joined, edges: growth.edges };
    const way = shortestWay(growth.joined, wanted, keys, uses);
    if (way === null) return null;
    growth.follow(way);
  }
}

/** The FROM clause that clauses need; null where no way joins their tables. */
export function planOf(clauses: readonly Clause[], keys: readonly ForeignKey[]): JoinPlan | null {
  const vias = clauses.filter((clause) => clause.kind === 'via');
  return planJoins(usesOf(clauses.filter(({ kind }) => kind !== 'via')), vias, keys);
}

/** Columns that edges make equal, as classes; two plans with the same uses and classes give the same rows. */
function classesOf(edges: readonly JoinEdge[]): ReadonlySet<string> {
  const classes: Set<string>[] = [];
  for (const { from, to } of edges) {
    const names = [from, to].map((column) => `${useKey(column)}.${column.column}`);
    const touched = classes.filter((known) => names.some((name) => known.has(name)));
    const merged = new Set([...names, ...touched.flatMap((known) => [...known])]);
    classes.splice(0, classes.length, ...classes.filter((known) => !touched.includes(known)), merged);
  }
  return new Set(classes.map((known) => [...known].sort().join(' ')));
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}

/** Checks whether two plans join the same uses by the same equalities, whatever their order. */
export function isSamePlan(a: JoinPlan, b: JoinPlan): boolean {
  const usesAre = isSameSet(new Set(a.uses.map(useKey)), new Set(b.uses.map(useKey)));
  return usesAre && isSameSet(classesOf(a.edges), classesOf(b.edges));
}
