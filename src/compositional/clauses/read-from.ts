import { conjunctsOf, unparenthesized } from '../../sql/ast-walk.js';
import type { ColumnNode, Expression, SelectCore, Source } from '../../sql/ast.js';
import type { BoundCore, BoundQuery, NameBinding } from '../../sql/bound-query.js';
import type { ColumnTarget, ScopeSource } from '../../sql/scope.js';
import type { Identifier } from '../../sql/ast.js';
import { baseOf } from '../../sql/scope.js';
import type { ClauseColumn } from './clause.js';
import { ClauseRefusal } from './clause-refusal.js';
import { columnOf, type TableUse, useKey } from './clause-parts.js';
import { type JoinEdge } from './join-plan.js';

/** Looks names of one query up. */
export class QueryNames {
  readonly #names: ReadonlyMap<Identifier, NameBinding>;
  readonly #query: BoundQuery;

  constructor(query: BoundQuery) {
    this.#query = query;
    this.#names = new Map(query.names.map((binding) => [binding.token, binding]));
  }

  binding(token: Identifier): NameBinding | undefined {
    return this.#names.get(token);
  }

  coreOf(node: SelectCore): BoundCore {
    const core = this.#query.cores.find((bound) => bound.node === node);
    if (core === undefined) throw new ClauseRefusal('unreadable', 'a SELECT without names');
    return core;
  }

  /** Checks whether USING or NATURAL matches columns in a SELECT's FROM. */
  hasMerges(core: SelectCore): boolean {
    const own = new Set(this.coreOf(core).sources);
    return this.#query.joins.some(({ merges }) => merges.some(({ source }) => own.has(source)));
  }

  /** The pairs of columns that USING and NATURAL match among these sources. */
  mergesOf(sources: ReadonlyMap<ScopeSource, TableUse>): readonly (readonly [ColumnTarget, ColumnTarget])[] {
    return this.#query.joins.flatMap(({ merges }) =>
      merges.flatMap(({ source, merge }) => (sources.has(source) ? [[merge.left, merge.right] as const] : [])),
    );
  }
}

function numberUses({ sources }: BoundCore): Map<ScopeSource, TableUse> {
  const copies = new Map<number, number>();
  const uses = new Map<ScopeSource, TableUse>();
  for (const source of sources) {
    const { table } = source.relation;
    if (table === null) throw new ClauseRefusal(source.node.kind === 'table' ? 'with' : 'derived-table', '');
    const copy = copies.get(table) ?? 0;
    copies.set(table, copy + 1);
    uses.set(source, { table, copy });
  }
  return uses;
}

function joinConditions(source: Source): readonly Expression[] {
  if (source.kind === 'group') return joinConditions(source.source);
  if (source.kind === 'table' && source.args !== null) throw new ClauseRefusal('table-function', source.name.name);
  if (source.kind !== 'join') return [];
  if (source.type === 'left' || source.type === 'right' || source.type === 'full') {
    throw new ClauseRefusal('outer-join', source.type);
  }
  const own = source.constraint?.kind === 'on' ? conjunctsOf(source.constraint.condition) : [];
  return [...joinConditions(source.left), ...joinConditions(source.right), ...own];
}

/** The column of a use that a column's name refers to, or null. */
export function columnOfTarget(target: ColumnTarget, uses: ReadonlyMap<ScopeSource, TableUse>): ClauseColumn | null {
  const [use, ref] = [uses.get(target.source), baseOf(target.column)];
  return use === undefined || ref === null ? null : columnOf(ref, use.copy);
}

function edgeOf(expression: Expression, names: QueryNames, uses: ReadonlyMap<ScopeSource, TableUse>): JoinEdge | null {
  if (expression.kind !== 'binary' || !['=', '==', 'IS'].includes(expression.operator)) return null;
  const side = (node: Expression): ClauseColumn | null => {
    const bare = unparenthesized(node);
    const target = bare.kind === 'column' ? targetOf(bare, names) : null;
    return target === null ? null : columnOfTarget(target, uses);
  };
  const [from, to] = [side(expression.left), side(expression.right)];
  return from === null || to === null || useKey(from) === useKey(to) ? null : { from, to };
}

function targetOf(node: ColumnNode, names: QueryNames): ColumnTarget | null {
  const target = names.binding(node.column)?.found?.target;
  return target?.kind === 'column' ? target : null;
}

/** Edges that are needed in WHERE: those that join uses not joined before. */
function edgesInWhere(
  where: readonly Expression[],
  edges: readonly JoinEdge[],
  uses: readonly TableUse[],
  read: (expression: Expression) => JoinEdge | null,
): readonly Expression[] {
  const group = new Map(uses.map((use) => [useKey(use), useKey(use)]));
  const merge = ({ from, to }: JoinEdge): boolean => {
    const [a, b] = [group.get(useKey(from)), group.get(useKey(to))];
    if (a === b || a === undefined) return false;
    for (const [key, value] of group) if (value === b) group.set(key, a);
    return true;
  };
  for (const edge of edges) merge(edge);
  return where.filter((expression) => {
    const edge = read(expression);
    return edge !== null && merge(edge);
  });
}

/**
 * Reads the FROM of a SELECT: its tables, the equalities that join them, those of WHERE too, and the conditions that are
 * no joins, of WHERE and of ON, with AND between them.
 * @throws ClauseRefusal for outer joins, subqueries, table functions and tables that no equality joins
 */
export function readFrom(core: SelectCore, names: QueryNames) {
  if (core.from === null) throw new ClauseRefusal('no-from', '');
  const on = joinConditions(core.from);
  const uses = numberUses(names.coreOf(core));
  const read = (expression: Expression): JoinEdge | null => edgeOf(expression, names, uses);
  const joins = on.filter((expression) => read(expression) !== null);
  const merged = names.mergesOf(uses).map(([left, right]): JoinEdge | null => {
    const [from, to] = [columnOfTarget(left, uses), columnOfTarget(right, uses)];
    return from === null || to === null ? null : { from, to };
  });
  const edges = [...joins.map(read), ...merged].filter((edge) => edge !== null);
  const where = conjunctsOf(core.where);
  const moved = edgesInWhere(where, edges, [...uses.values()], read);
  const rest = where.filter((expression) => !moved.includes(expression));
  return {
    uses,
    edges: [...edges, ...moved.map(read).filter((edge) => edge !== null)],
    conditions: [...on.filter((expression) => !joins.includes(expression)), ...rest],
  };
}
