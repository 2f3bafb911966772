import type { ColumnNode, Expression, Identifier, ResultExpression, Select, SelectCore, Star } from './ast.js';
import { bareExpression, unparenthesized } from './ast-walk.js';
import type { BoundCore, BoundOutput, Environment, NameBinder } from './bound-query.js';
import {
  type ColumnTarget,
  type Found,
  foundOne,
  lookup,
  nameIn,
  type NewColumn,
  type Relation,
  type RelationColumn,
  relationOf,
  type Scope,
  type ScopeSource,
} from './scope.js';
import type { SourceBinder } from './source-binder.js';
import { expressionKey } from './name-context.js';

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

/** PostgreSQL's name of a column that has none. */
const UNNAMED = '?column?';

/** How surely a name stands: that of a type gives way to that of a function or column (FigureColnameInternal). */
interface ImpliedName {
  readonly name: string | ColumnNode;
  readonly sure: boolean;
}

const sure = (name: string | ColumnNode): ImpliedName => ({ name, sure: true });

// Names that the grammar gives types: parser/gram.y, SystemTypeName.
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'int4',
  integer: 'int4',
  smallint: 'int2',
  bigint: 'int8',
  real: 'float4',
  float: 'float8',
  'double precision': 'float8',
  decimal: 'numeric',
  dec: 'numeric',
  boolean: 'bool',
  char: 'bpchar',
  character: 'bpchar',
  'character varying': 'varchar',
  'char varying': 'varchar',
  time: 'time',
  timestamp: 'timestamp',
};

function typeName(source: string): string {
  const text = source.toLowerCase().replace(/\s+/g, ' ').replace(/\[.*$/, '');
  const bare = text.replace(/\([^)]*\)/, '').trim();
  if (/^(?:time|timestamp) with time zone$/.test(bare.replace(/ +/g, ' ')))
    return bare.startsWith('timestamp') ? 'timestamptz' : 'timetz';
  const plain = bare.replace(/ without time zone$/, '').replace(/^interval .*/, 'interval');
  return TYPE_NAMES[plain] ?? (plain.split('.').at(-1) ?? plain).replaceAll('"', '');
}

function ofSelect(select: Select): ImpliedName | null {
  const body = select.terms[0]?.body;
  if (body === undefined) return null;
  if (body.kind === 'select') return ofSelect(body);
  if (body.kind === 'values') return sure('column1');
  const [column] = body.columns;
  if (column?.kind !== 'result') return null;
  return column.alias === null ? imply(column.expression) : sure(column.alias.name);
}

const SPECIAL_FORMS: Readonly<Record<string, string>> = { trim: 'btrim' };

function imply(expression: Expression): ImpliedName | null {
  switch (expression.kind) {
    case 'column':
      return sure(expression);
    case 'list':
      return expression.items.length === 1 ? imply(expression.items[0] as Expression) : sure('row');
    case 'collate':
    case 'subscript':
      return imply(expression.operand);
    case 'function':
      return sure(SPECIAL_FORMS[expression.name.name] ?? expression.name.name);
    case 'cast': {
      const inner = imply(expression.operand);
      return inner?.sure === true ? inner : { name: typeName(expression.type), sure: false };
    }
    case 'case': {
      const inner = expression.otherwise === null ? null : imply(expression.otherwise);
      return inner?.sure === true ? inner : { name: 'case', sure: false };
    }
    case 'array':
      return sure('array');
    case 'exists':
      return sure('exists');
    case 'subquery':
      return ofSelect(expression.select);
    case 'literal':
      return literalName(expression);
    case 'binary':
      return expression.operator === 'AT TIME ZONE' ? sure('timezone') : null;
    default:
      return null;
  }
}

function literalName({ type, value }: Extract<Expression, { kind: 'literal' }>): ImpliedName | null {
  if (type === 'boolean') return { name: 'bool', sure: false };
  return type === 'time' ? sure(value.toLowerCase()) : null;
}

/**
 * Returns PostgreSQL's name for a result column without an alias: the column that its name comes from, or a text. The
 * name of a subquery that selects a star is not known here; such a column is called `?column?`.
 */
function impliedName(expression: Expression): string | ColumnNode {
  return imply(expression)?.name ?? UNNAMED;
}

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
