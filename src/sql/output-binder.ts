import type { Identifier, ResultExpression, SelectCore, Star } from './ast.js';
import { bareExpression, unparenthesized } from './ast-walk.js';
import type { Environment, NameBinder } from './name-binder.js';
import type { BoundOutput } from './bound-query.js';
import { impliedName } from './output-names.js';
import {
  foundOne,
  lookup,
  nameIn,
  relationOf,
  type ColumnTarget,
  type Found,
  type NewColumn,
  type RelationColumn,
  type Scope,
  type ScopeSource,
} from './scope.js';
import type { SourceBinder } from './source-binder.js';

type NewOutput = Pick<BoundOutput, 'node' | 'found'> & NewColumn;

function innerOf(found: Found | null): RelationColumn | null {
  return found?.target.kind === 'column' ? found.target.column : null;
}

/** Binds the result columns of a SELECT and names them. */
export class OutputBinder {
  readonly #binder: NameBinder;
  readonly #environment: Environment | null;

  constructor(binder: NameBinder, environment: Environment | null) {
    this.#binder = binder;
    this.#environment = environment;
  }

  /** Binds the result columns of a core whose FROM clause is bound. */
  bind(node: SelectCore, scope: Scope, from: SourceBinder): BoundOutput[] {
    const outputs: NewOutput[] = [];
    for (const column of node.columns) {
      if (column.kind === 'star') outputs.push(...this.#starOutputs(column, scope.sources, from.star(node.from)));
      else outputs.push(this.#resultOutput(column, scope));
    }
    const relation = relationOf(outputs.map(({ rawName, origin }) => ({ rawName, origin })));
    return relation.columns.map((column, i) => ({
      node: outputs[i]?.node ?? null,
      found: outputs[i]?.found ?? null,
      column,
    }));
  }

  #starOutputs(node: Star, sources: readonly ScopeSource[], all: readonly ColumnTarget[]): NewOutput[] {
    const chosen = node.table === null ? sources : this.#sourcesNamed(node.table, sources);
    if (chosen.length === 0) throw this.#binder.fault(node, 'a star without a table', 'Add a FROM clause.');
    const own = chosen.flatMap((source) =>
      source.relation.columns.map((column): ColumnTarget => ({ kind: 'column', source, column })),
    );
    return (node.table === null ? all : own).map(({ source, column }) => {
      const rawName = nameIn(this.#binder.world, column);
      const found = this.#starTarget(source, column, sources);
      const inner = innerOf(found) ?? column;
      return { node, found, rawName, origin: { kind: 'through' as const, inner, node } };
    });
  }

  /** Returns a star column's target: left of a RIGHT or FULL JOIN, a matched column is not simply its own source's. */
  #starTarget(source: ScopeSource, column: RelationColumn, sources: readonly ScopeSource[]): Found {
    const own = foundOne({ kind: 'column', source, column });
    if (!source.beforeOuter) return own;
    const name = nameIn(this.#binder.world, column);
    const later = sources.slice(sources.indexOf(source) + 1).flatMap(({ merges }) => merges);
    const matched = later.some(({ right }) => this.#binder.same(nameIn(this.#binder.world, right.column), name));
    return (matched ? lookup(this.#binder.world, { sources, aliases: [], parent: null }, null, name) : null) ?? own;
  }

  #sourcesNamed(token: Identifier, sources: readonly ScopeSource[]): readonly ScopeSource[] {
    const named = sources.filter(({ label }) => label !== null && this.#binder.same(label, token.name));
    const [source] = named;
    if (source === undefined)
      throw this.#binder.fault(token, `no such table: ${token.name}`, 'Name a table of the FROM clause.');
    this.#binder.addQualifier(token, source);
    return named;
  }

  #resultOutput(node: ResultExpression, scope: Scope): NewOutput {
    this.#binder.bindExpression(node.expression, scope, this.#environment);
    const bare =
      this.#binder.world.dialect.name === 'mysql' ? unparenthesized(node.expression) : bareExpression(node.expression);
    const found = bare.kind === 'column' ? this.#foundAt(bare.column) : null;
    const inner = innerOf(found);
    if (node.alias !== null) return { node, found, rawName: node.alias.name, origin: { kind: 'named', inner } };
    if (inner !== null)
      return { node, found, rawName: nameIn(this.#binder.world, inner), origin: { kind: 'through', inner, node } };
    if (found?.target.kind === 'rowid') {
      const rawName =
        this.#binder.world.dialect.scoping.outputNames === 'implied' && bare.kind === 'column'
          ? bare.column.name
          : 'rowid';
      return { node, found, rawName, origin: { kind: 'named', inner: null } };
    }
    return { node, found, ...this.#computedName(node) };
  }

  #foundAt(token: Identifier): Found | null {
    return this.#binder.names.findLast((name) => name.token === token)?.found ?? null;
  }

  /** Returns the name of a result column that has no alias and is no plain column. */
  #computedName(node: ResultExpression): NewColumn {
    const { start, end } = node.expression.span;
    const { expression } = node;
    if (this.#binder.world.dialect.scoping.outputNames === 'text') {
      const literal =
        this.#binder.world.dialect.name === 'mysql' && expression.kind === 'literal' && expression.type === 'string';
      return {
        rawName: literal ? expression.value : this.#binder.sql.slice(start, end),
        origin: { kind: 'text', node },
      };
    }
    const implied = impliedName(expression);
    if (typeof implied === 'string') return { rawName: implied, origin: { kind: 'text', node } };
    const inner = innerOf(this.#foundAt(implied.column));
    if (inner === null) return { rawName: implied.column.name, origin: { kind: 'text', node } };
    return { rawName: nameIn(this.#binder.world, inner), origin: { kind: 'after', inner, node } };
  }
}
