import type { Expression, Select, SelectCore, Source } from '../../sql/ast.js';
import { childrenOf, windowExpressions } from '../../sql/ast-walk.js';
import type { BoundCore, BoundQuery } from '../../sql/bound-query.js';

/** The clause that an expression is in; `from` is the condition of a join. */
export type Clause = 'result' | 'from' | 'where' | 'group' | 'having' | 'window' | 'order' | 'limit' | 'values';

/** The use of a select's result: the whole query's, a table, the list of an IN, a test, or one value. */
export type SelectUse = 'result' | 'relation' | 'in' | 'exists' | 'scalar';

export interface SelectSite {
  readonly node: Select;
  readonly use: SelectUse;
  /** Its SELECTs from left to right; VALUES are not among them. */
  readonly cores: CoreSite[];
}

export interface CoreSite {
  readonly node: SelectCore;
  readonly select: SelectSite;
  readonly bound: BoundCore;
}

export interface ExpressionSite {
  readonly node: Expression;
  readonly parent: ExpressionSite | null;
  readonly clause: Clause;
  /** The SELECT whose clause it is; null in VALUES, in LIMIT, and in what a set operation is ordered by. */
  readonly core: CoreSite | null;
}

/** Every select, SELECT core and expression of a query, outer ones first. */
export class QuerySites {
  readonly selects: SelectSite[] = [];
  readonly cores: CoreSite[] = [];
  readonly expressions: ExpressionSite[] = [];
  readonly #bound: ReadonlyMap<SelectCore, BoundCore>;

  constructor(query: BoundQuery) {
    this.#bound = new Map(query.cores.map((core) => [core.node, core]));
    this.#select(query.select, 'result');
  }

  #select(node: Select, use: SelectUse): void {
    const site: SelectSite = { node, use, cores: [] };
    this.selects.push(site);
    for (const { select } of node.with?.tables ?? []) this.#select(select, 'relation');
    for (const { body } of node.terms) {
      if (body.kind === 'core') this.#core(body, site);
      else if (body.kind === 'select') this.#select(body, use);
      else for (const row of body.rows) this.#expression(row, null, 'values', null);
    }
    const single = node.terms.length === 1 ? (site.cores[0] ?? null) : null;
    for (const { expression } of node.orderBy) this.#expression(expression, null, 'order', single);
    for (const part of [node.limit?.count, node.limit?.offset]) {
      if (part != null) this.#expression(part, null, 'limit', null);
    }
  }

  #core(node: SelectCore, select: SelectSite): void {
    const bound = this.#bound.get(node);
    if (bound === undefined) return;
    const core: CoreSite = { node, select, bound };
    select.cores.push(core);
    this.cores.push(core);
    const visit = (clause: Clause, ...parts: readonly (Expression | null)[]): void => {
      for (const part of parts) if (part !== null) this.#expression(part, null, clause, core);
    };
    for (const column of node.columns) if (column.kind === 'result') visit('result', column.expression);
    if (node.from !== null) this.#source(node.from, (condition) => visit('from', condition));
    visit('where', node.where);
    visit('group', ...node.groupBy);
    visit('having', node.having);
    for (const { definition } of node.windows) visit('window', ...windowExpressions(definition));
  }

  #source(source: Source, visit: (condition: Expression) => void): void {
    if (source.kind === 'derived') this.#select(source.select, 'relation');
    else if (source.kind === 'group') this.#source(source.source, visit);
    else if (source.kind === 'join') {
      this.#source(source.left, visit);
      this.#source(source.right, visit);
      if (source.constraint?.kind === 'on') visit(source.constraint.condition);
    }
  }

  #expression(node: Expression, parent: ExpressionSite | null, clause: Clause, core: CoreSite | null): void {
    const site: ExpressionSite = { node, parent, clause, core };
    this.expressions.push(site);
    for (const child of childrenOf(node)) this.#expression(child, site, clause, core);
    if (node.kind === 'subquery') this.#select(node.select, 'scalar');
    else if (node.kind === 'exists') this.#select(node.select, 'exists');
    else if (node.kind === 'in' && node.source.kind === 'subquery') this.#select(node.source.select, 'in');
    else if (node.kind === 'in' && node.source.kind === 'list') this.#expression(node.source, site, clause, core);
  }
}

/** The expressions that an expression is in, innermost first. */
export function ancestorsOf({ parent }: ExpressionSite): ExpressionSite[] {
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}
