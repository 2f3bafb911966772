import type { Database } from '../schema/schema.js';
import type {
  ColumnNode,
  CommonTable,
  DerivedSource,
  Expression,
  FunctionCall,
  Identifier,
  ResultExpression,
  Select,
  SelectCore,
  TableSource,
  Values,
  WindowDefinition,
} from './ast.js';
import { unparenthesized, walkExpression, windowExpressions, type ExpressionVisitor } from './ast-walk.js';
import {
  baseTables,
  type BoundCore,
  type BoundInTable,
  type BoundJoin,
  type BoundQuery,
  type Environment,
  type NameBinder,
  type NameBinding,
  type NameContext,
  OriginalNames,
  type Place,
  type TableBinding,
  type Use,
  type VisibleTable,
} from './bound-query.js';
import { SQLITE, type AliasRule, type SqlDialect } from './dialect.js';
import { lookupIn, usedTargets } from './name-context.js';
import { OutputBinder, TermBinder } from './output-binder.js';
import { parseSelect } from './parser.js';
import {
  nameIn,
  type NewColumn,
  relationOf,
  type ColumnOrigin,
  type Relation,
  type Scope,
  type ScopeSource,
} from './scope.js';
import { SourceBinder } from './source-binder.js';
import { sqlFault } from './sql-fault.js';
import { undefinedWindows } from './windows.js';

/** Resolves every name of one query; made for one use by {@link bindQuery}. */
export class Binder implements NameBinder {
  readonly sql: string;
  readonly world: OriginalNames;
  readonly names: NameBinding[] = [];
  readonly tables: TableBinding[] = [];
  readonly cores: BoundCore[] = [];
  readonly joins: BoundJoin[] = [];
  readonly inTables: BoundInTable[] = [];
  readonly #database: Database;
  readonly #dialect: SqlDialect;

  constructor(sql: string, database: Database, dialect: SqlDialect) {
    this.sql = sql;
    this.#database = database;
    this.#dialect = dialect;
    this.world = new OriginalNames(dialect);
  }

  /** Binds a select and returns its result as a relation. */
  bindSelect(select: Select, place: Place, use: Use, whenNamed: (first: Relation) => void = () => {}): Relation {
    const inner = this.#openWith(select, place);
    let relation: Relation | null = null;
    const cores: BoundCore[] = [];
    for (const { body } of select.terms) {
      const [core, columns] = this.#bindBody(body, inner, use, relation === null, select.terms.length === 1);
      if (core !== null) cores.push(core);
      if (relation === null) whenNamed((relation = columns));
    }
    const result = relation ?? relationOf([]);
    new TermBinder(this, inner.environment).order(select, cores, result);
    this.#checkWindows(select);
    for (const limit of [select.limit?.count, select.limit?.offset]) {
      if (limit != null) this.bindExpression(limit, null, inner.environment);
    }
    this.#bindUnused(inner.environment, place.environment);
    return result;
  }

  /** Refuses windows that no WINDOW clause defines. */
  #checkWindows(select: Select): void {
    if (!/\bover\b/i.test(this.sql)) return;
    for (const name of undefinedWindows(select, (a, b) => this.same(a, b))) {
      throw this.fault(name, `no such window: ${name.name}`, 'Define it in a WINDOW clause of its SELECT.');
    }
  }

  /** Binds a CTE's body at its first use. */
  bindTable(table: VisibleTable, use: Identifier): Relation {
    if (table.relation !== null) return table.relation;
    if (table.binding)
      throw this.fault(use, `circular reference to ${use.name}`, 'Let its first SELECT not use itself.');
    table.binding = true;
    const { node, environment, parent } = table;
    const name = (first: Relation): void => void (table.relation = this.#renamed(first, node));
    const result = this.bindSelect(node.select, { environment, parent }, 'relation', name);
    return table.relation ?? result;
  }

  #renamed(relation: Relation, node: CommonTable): Relation {
    const names = node.columns;
    if (names === null) return relation;
    if (names.length !== relation.columns.length) {
      throw this.fault(
        node.name,
        `${node.name.name} has ${relation.columns.length} columns`,
        'Name each of them once.',
      );
    }
    return relationOf(
      relation.columns.map((inner, i) => ({ rawName: names[i]?.name ?? '', origin: { kind: 'named', inner } })),
    );
  }

  #openWith(select: Select, { environment, parent }: Place): Place {
    if (select.with === null) return { environment, parent };
    const { tables: nodes, recursive } = select.with;
    const { commonTables } = this.#dialect.scoping;
    const all = commonTables === 'all' || (recursive && commonTables === 'earlier-or-all');
    const seen = new Set<string>();
    let opened: Environment = { tables: new Map(), outer: environment };
    for (const node of nodes) {
      const key = this.#dialect.fold(node.name.name);
      if (seen.has(key)) throw this.fault(node.name, `duplicate WITH table ${node.name.name}`, 'Rename one of them.');
      seen.add(key);
      const before = opened;
      if (!all) opened = { tables: new Map(), outer: before };
      const sees = all || recursive ? opened : before;
      opened.tables.set(key, { node, environment: sees, parent, relation: null, binding: false });
    }
    return { environment: opened, parent };
  }

  #bindUnused(opened: Environment | null, outer: Environment | null): void {
    for (let at = opened; at !== null && at !== outer; at = at.outer) {
      for (const table of at.tables.values()) this.bindTable(table, table.node.name);
    }
  }

  #bindBody(
    body: SelectCore | Values | Select,
    place: Place,
    use: Use,
    first: boolean,
    only: boolean,
  ): [BoundCore | null, Relation] {
    if (body.kind === 'values') return [null, this.#bindValues(body, place)];
    if (body.kind === 'select') return [null, this.bindSelect(body, place, use)];
    const core = this.#bindCore(body, place, use === 'relation' && first, use === 'exists' && only);
    return [core, core.outputs[0]?.column.relation ?? relationOf([])];
  }

  #bindValues(values: Values, { environment, parent }: Place): Relation {
    for (const row of values.rows) this.bindExpression(row, parent, environment);
    const width = values.rows[0]?.items.length ?? 0;
    const named: ColumnOrigin = { kind: 'named', inner: null };
    const [prefix, first] = this.#dialect.scoping.values;
    return relationOf(Array.from({ length: width }, (_, i) => ({ rawName: `${prefix}${i + first}`, origin: named })));
  }

  #bindCore(node: SelectCore, place: Place, namesRelation: boolean, exists: boolean): BoundCore {
    const { environment, parent } = place;
    const { scoping } = this.#dialect;
    const from = new SourceBinder(this, environment, parent);
    const sources = from.bind(node.from);
    const named = node.columns.filter((column) => column.kind === 'result' && column.alias !== null);
    const aliases = named as ResultExpression[];
    const scopeOf = (aliasRule: AliasRule): Scope => ({ sources, aliases, aliasRule, parent });
    const columnScope = scopeOf('none');
    const outputs = new OutputBinder(this, environment).bind(node, columnScope, from);
    const core: BoundCore = {
      node,
      sources,
      columnScope,
      clauseScope: scopeOf(scoping.order),
      outputs,
      namesRelation,
      exists,
    };
    if (node.where !== null) this.bindExpression(node.where, scopeOf(scoping.where), environment);
    const terms = new TermBinder(this, environment);
    const ungrouped = this.names.length;
    for (const term of node.groupBy) terms.grouping(term, core, scopeOf(scoping.group));
    const used = usedTargets(outputs, this.names.slice(ungrouped));
    if (node.having !== null) this.bindExpression(node.having, { ...scopeOf(scoping.having), used }, environment);
    for (const { definition } of node.windows) {
      for (const part of windowExpressions(definition)) {
        this.bindExpression(part, this.#windowScope(definition, part, scopeOf(scoping.window)), environment);
      }
    }
    for (const term of node.distinctOn) terms.term(term, core, core.clauseScope, 'output');
    this.cores.push(core);
    return core;
  }

  /** Checks whether two names are one in the query's dialect. */
  same(a: string, b: string): boolean {
    return this.#dialect.fold(a) === this.#dialect.fold(b);
  }

  /** Binds every name of an expression. */
  bindExpression(expression: Expression, scope: Scope | null, environment: Environment | null): void {
    walkExpression(expression, this.#visitor(scope, environment));
  }

  #visitor(scope: Scope | null, environment: Environment | null): ExpressionVisitor {
    return {
      column: (node) => this.bindColumn(node, { kind: 'general', scope }),
      select: (select, exists) => {
        this.bindSelect(select, { environment, parent: eitherIn(scope) }, exists ? 'exists' : 'result');
      },
      table: (node) => {
        this.inTables.push({ node, relation: this.openTable(node, environment) });
      },
      inside: (call, part) => this.#visitor(this.#scopeInside(call, part, scope), environment),
    };
  }

  #scopeInside({ name, over }: FunctionCall, part: Expression, scope: Scope | null): Scope | null {
    if (scope !== null && over?.kind === 'window') return this.#windowScope(over, part, scope);
    const isAggregate = this.#dialect.grammar.aggregates.has(this.#dialect.fold(name.name));
    return isAggregate && scope?.aliasRule === 'before-unused' ? { ...scope, aliasRule: 'after-columns' } : scope;
  }

  /** Returns a window part's scope: MySQL takes a whole term of its ORDER BY for an alias before a column. */
  #windowScope({ orderBy }: WindowDefinition, part: Expression, scope: Scope): Scope {
    const { window, windowTerm } = this.#dialect.scoping;
    const isTerm = orderBy.some(({ expression }) => expression === part) && unparenthesized(part).kind === 'column';
    return isTerm && windowTerm !== window ? { ...scope, aliasRule: windowTerm } : scope;
  }

  /** Binds a column's name, and the table's before it. */
  bindColumn({ schema, table, column }: ColumnNode, context: NameContext): void {
    if (schema !== null && !this.#isKnownSchema(schema.name)) {
      throw this.fault(schema, `no such schema: ${schema.name}`, 'Leave it out.');
    }
    if (table !== null && this.#dialect.name === 'mysql') this.#checkCase(table, context);
    this.#bindName(column, table, context);
  }

  /** Checks whether MySQL distinguishes aliases that differ in case depends on the server. */
  #checkCase(token: Identifier, context: NameContext): void {
    const labels = new Set<string>();
    let scope = context.kind === 'general' || context.kind === 'output' ? context.scope : null;
    for (; scope !== null; scope = scope.parent) {
      for (const { label } of scope.sources) if (label !== null && this.same(label, token.name)) labels.add(label);
    }
    if (labels.size > 1) {
      throw this.fault(token, `tables that differ in case only: ${[...labels].join(', ')}`, 'Give them other aliases.');
    }
  }

  #isKnownSchema(name: string): boolean {
    const { schemas, schemaIsDatabase } = this.#dialect;
    return schemas.includes(this.#dialect.fold(name)) || (schemaIsDatabase && this.same(name, this.#database.id));
  }

  #bindName(token: Identifier, qualifier: Identifier | null, context: NameContext): void {
    const found = lookupIn(this.world, context, qualifier?.name ?? null, token.name);
    if (found?.ambiguous === true) {
      throw this.fault(token, `ambiguous column name: ${token.name}`, 'Qualify it with its table.');
    }
    if (found === null && !this.#isLiteral(token, qualifier)) {
      const name = qualifier === null ? token.name : `${qualifier.name}.${token.name}`;
      const fix = 'Check the query against the schema of its database.';
      throw this.fault(qualifier ?? token, `no such column: ${name}`, fix);
    }
    this.names.push({ token, qualifier, context, found });
    if (qualifier !== null && found !== null && 'source' in found.target) {
      this.addQualifier(qualifier, found.target.source);
    }
  }

  #isLiteral(token: Identifier, qualifier: Identifier | null): boolean {
    if (qualifier !== null) return false;
    if (token.quote === 'double') return this.#dialect.doubleQuotedLiterals;
    return token.quote === 'bare' && /^(?:true|false)$/i.test(token.name);
  }

  /** Records the name of a table before a dot. */
  addQualifier(token: Identifier, { node, relation }: ScopeSource): void {
    const kind = node.alias === null && relation.table !== null ? 'table' : 'alias';
    this.tables.push({ token, kind, table: relation.table });
  }

  /** The relation that a table name of FROM or IN refers to: a CTE in sight, else a table of the schema. */
  openTable(node: TableSource, environment: Environment | null): Relation {
    const key = this.#dialect.fold(node.name.name);
    for (let at = node.schema === null ? environment : null; at !== null; at = at.outer) {
      const table = at.tables.get(key);
      if (table === undefined) continue;
      this.tables.push({ token: node.name, kind: 'alias', table: null });
      return this.bindTable(table, node.name);
    }
    return this.#openBase(node, key);
  }

  #openBase(node: TableSource, key: string): Relation {
    const known = node.schema === null || this.#isKnownSchema(node.schema.name);
    const relation = known ? baseTables(this.#database, this.#dialect).byName.get(key) : undefined;
    if (relation === undefined) {
      throw this.fault(
        node.name,
        `no such table: ${node.name.name}`,
        `Check the query against database ${this.#database.id}.`,
      );
    }
    this.tables.push({ token: node.name, kind: 'table', table: relation.table });
    return relation;
  }

  /**
   * The columns of a table-valued function; a single one is called as its alias where the function gives it no name.
   */
  openTableFunction(node: TableSource): Relation {
    const called = this.#dialect.tableFunctions.get(this.#dialect.fold(node.name.name));
    if (called === undefined)
      throw this.fault(node.name, `table-valued function ${node.name.name}`, 'Only tables are supported.');
    const own = called ?? [node.alias?.name ?? node.name.name];
    const names = node.columns?.map(({ name }) => name) ?? [];
    if (names.length > own.length) {
      const columns = own.length === 1 ? 'one column' : `${own.length} columns`;
      throw this.fault(node, `${node.name.name} has ${columns}`, 'Name each once.');
    }
    const columns = own.map((name, i): NewColumn => ({
      rawName: names[i] ?? name,
      origin: { kind: 'named', inner: null },
    }));
    return relationOf(columns);
  }

  /** A derived table under the names that its alias gives its first columns. */
  withColumnNames(relation: Relation, node: DerivedSource): Relation {
    const { columns: names } = node;
    if (names === null) return relation;
    if (names.length > relation.columns.length) {
      throw this.fault(node, `the subquery has ${relation.columns.length} columns`, 'Name each of them once.');
    }
    return relationOf(
      relation.columns.map((inner, i) => {
        const name = names[i]?.name;
        if (name !== undefined) return { rawName: name, origin: { kind: 'named', inner } };
        return { rawName: nameIn(this.world, inner), origin: { kind: 'named', inner } };
      }),
    );
  }

  fault(node: { readonly span: { readonly start: number } }, reason: string, fix: string): Error {
    return sqlFault(this.sql, node.span.start, reason, fix);
  }
}

/** Returns the scope for subqueries in a HAVING if its aliases come before columns, and theirs may not. */
function eitherIn(scope: Scope | null): Scope | null {
  return scope?.aliasRule === 'before-unused' ? { ...scope, aliasRule: 'either' } : scope;
}

/**
 * Parses a query and resolves every name in it by the scoping rules of its dialect.
 * @throws SqlRewriteError with the position where the text can't be parsed or a name is unknown or ambiguous
 */
export function bindQuery(sql: string, database: Database, dialect: SqlDialect = SQLITE): BoundQuery {
  const select = parseSelect(sql, dialect);
  const binder = new Binder(sql, database, dialect);
  binder.bindSelect(select, { environment: null, parent: null }, 'result');
  const { names, tables, cores, joins, inTables } = binder;
  return { sql, select, names, tables, cores, joins, inTables };
}
