import type { Expression, Select } from './ast.js';
import { bareExpression, unparenthesized } from './ast-walk.js';
import type { Environment, NameBinder } from './name-binder.js';
import type { BoundCore, BoundOutput } from './bound-query.js';
import { expressionKey } from './name-context.js';
import { lookup, relationOf, type Relation, type Scope } from './scope.js';

/** Binds the terms of ORDER BY, GROUP BY and DISTINCT ON, which may name result columns. */
export class TermBinder {
  readonly #binder: NameBinder;
  readonly #environment: Environment | null;

  constructor(binder: NameBinder, environment: Environment | null) {
    this.#binder = binder;
    this.#environment = environment;
  }

  /** Binds the ORDER BY of a query whose SELECTs are bound. */
  order(select: Select, cores: readonly BoundCore[], result: Relation): void {
    if (this.#binder.world.dialect.scoping.terms === 'outputs') this.#orderOutputs(select, cores, result);
    else this.#orderSqlite(select, cores);
  }

  /** Binds one term of GROUP BY; a set of terms in parentheses, ROLLUP or CUBE term by term. */
  grouping(term: Expression, core: BoundCore, scope: Scope): void {
    if (this.#binder.world.dialect.scoping.terms === 'sqlite')
      return this.#binder.bindExpression(term, scope, this.#environment);
    const sets = term.kind === 'function' && /^(?:rollup|cube)$/i.test(term.name.name) ? term.args : null;
    const inner = sets ?? (term.kind === 'list' ? term.items : null);
    if (inner === null) this.term(term, core, scope, 'column');
    else for (const item of inner) this.grouping(item, core, scope);
  }

  /** Binds a whole term of GROUP BY, DISTINCT ON or ORDER BY where result columns can be named. */
  term(term: Expression, core: BoundCore, scope: Scope, first: 'output' | 'column'): void {
    const bare = unparenthesized(term);
    if (bare.kind !== 'column') return this.#binder.bindExpression(term, scope, this.#environment);
    const result = core.outputs[0]?.column.relation ?? relationOf([]);
    this.#binder.bindColumn(bare, { kind: 'output', result, outputs: core.outputs, scope, first });
  }

  /** ORDER BY where any result column can be named; after a compound nothing else can. */
  #orderOutputs(select: Select, cores: readonly BoundCore[], result: Relation): void {
    const [core] = cores;
    const single = select.terms.length === 1 && core !== undefined;
    for (const { expression } of select.orderBy) {
      if (single) this.term(expression, core, core.clauseScope, 'output');
      else this.#resultTerm(expression, core?.outputs[0]?.column.relation === result ? core.outputs : [], result);
    }
  }

  #resultTerm(expression: Expression, outputs: readonly BoundOutput[], result: Relation): void {
    const bare = unparenthesized(expression);
    if (bare.kind === 'column')
      this.#binder.bindColumn(bare, { kind: 'output', result, outputs, scope: null, first: 'output' });
    else if (bare.kind !== 'literal') {
      throw this.#binder.fault(expression, 'an ORDER BY term that is no result column', 'Order by a result column.');
    }
  }

  #orderSqlite(select: Select, cores: readonly BoundCore[]): void {
    const [first] = cores;
    const compound = select.terms.length > 1;
    for (const { expression } of select.orderBy) {
      if (first === undefined) this.#binder.bindExpression(expression, null, this.#environment);
      else if (compound) this.#compoundTerm(expression, cores);
      else this.#orderTerm(expression, first);
    }
  }

  #orderTerm(expression: Expression, core: BoundCore): void {
    const bare = bareExpression(expression);
    if (bare.kind === 'column') this.#binder.bindColumn(bare, { kind: 'order', core });
    else this.#binder.bindExpression(expression, core.clauseScope, this.#environment);
  }

  #compoundTerm(expression: Expression, cores: readonly BoundCore[]): void {
    const bare = bareExpression(expression);
    if (bare.kind === 'literal') return;
    if (bare.kind === 'column') {
      this.#binder.bindColumn(bare, { kind: 'compound-order', cores });
      return;
    }
    const core = cores.find((candidate) => this.#selects(candidate, bare));
    const reason = 'an ORDER BY term that no SELECT of the compound selects';
    if (core === undefined) throw this.#binder.fault(expression, reason, 'Order by a result column.');
    this.#binder.bindExpression(expression, { ...core.clauseScope, parent: null }, this.#environment);
  }

  #selects(core: BoundCore, expression: Expression): boolean {
    const key = (node: Expression): string =>
      expressionKey(
        this.#binder.world,
        node,
        ({ column, table }) =>
          lookup(this.#binder.world, core.clauseScope, table?.name ?? null, column.name)?.target ?? null,
      );
    const wanted = key(expression);
    return core.node.columns.some(
      (column) => column.kind === 'result' && key(bareExpression(column.expression)) === wanted,
    );
  }
}
