import type { ColumnRef, Database } from '../schema/schema.js';
import type {
  CommonTable,
  Expression,
  Identifier,
  ResultExpression,
  Select,
  SelectCore,
  Star,
  TableSource,
  Values,
} from './ast.js';
import { bareExpression, walkExpression, windowExpressions } from './ast-walk.js';
import {
  PresentWorld,
  type BoundCore,
  type BoundJoin,
  type BoundOutput,
  type BoundQuery,
  type NameBinding,
  type NameContext,
  type TableBinding,
} from './bound-query.js';
import { foldName, SQLITE, type SqlDialect } from './dialect.js';
import { expressionKey, lookupIn } from './name-context.js';
import { parseSelect } from './parser.js';
import {
  foundOne,
  lookup,
  nameIn,
  type ColumnOrigin,
  type Found,
  type Relation,
  type RelationColumn,
  type Scope,
  type ScopeSource,
} from './scope.js';
import { SourceBinder } from './source-binder.js';
import { sqlFault } from './sql-fault.js';

/** A CTE that a query can see, bound when it is first used. */
interface VisibleTable {
  readonly node: CommonTable;
  readonly environment: Environment;
  readonly parent: Scope | null;
  relation: Relation | null;
  binding: boolean;
}

/** The CTEs in sight, innermost first. */
export interface Environment {
  readonly tables: ReadonlyMap<string, VisibleTable>;
  readonly outer: Environment | null;
}

interface Place {
  readonly environment: Environment | null;
  readonly parent: Scope | null;
}

/** What the result of a select is for. */
type Use = 'result' | 'relation' | 'exists';

type NewColumn = Pick<RelationColumn, 'rawName' | 'origin'>;

function relationOf(columns: readonly NewColumn[], table: number | null = null): Relation {
  const relation: Relation = { table, columns: [] };
  columns.forEach((column, index) => relation.columns.push({ relation, index, ...column }));
  return relation;
}

function innerOf(found: Found | null): RelationColumn | null {
  return found?.target.kind === 'column' ? found.target.column : null;
}

/** Resolves every name of one query; made for one use by {@link bindQuery}. */
export class Binder {
  readonly sql: string;
  readonly world: PresentWorld;
  readonly names: NameBinding[] = [];
  readonly tables: TableBinding[] = [];
  readonly cores: BoundCore[] = [];
  readonly joins: BoundJoin[] = [];
  readonly #database: Database;
  readonly #dialect: SqlDialect;
  readonly #relations = new Map<number, Relation>();

  constructor(sql: string, database: Database, dialect: SqlDialect) {
    this.sql = sql;
    this.#database = database;
    this.#dialect = dialect;
    this.world = new PresentWorld(dialect);
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
    this.#bindOrder(select, cores, inner);
    for (const limit of [select.limit?.count, select.limit?.offset]) {
      if (limit != null) this.bindExpression(limit, null, inner.environment);
    }
    this.#bindUnused(inner.environment, place.environment);
    return relation ?? relationOf([]);
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
    const tables = new Map<string, VisibleTable>();
    const opened: Environment = { tables, outer: environment };
    for (const node of select.with.tables) {
      const key = foldName(node.name.name);
      if (tables.has(key)) throw this.fault(node.name, `duplicate WITH table ${node.name.name}`, 'Rename one of them.');
      tables.set(key, { node, environment: opened, parent, relation: null, binding: false });
    }
    return { environment: opened, parent };
  }

  #bindUnused(opened: Environment | null, outer: Environment | null): void {
    if (opened === null || opened === outer) return;
    for (const table of opened.tables.values()) this.bindTable(table, table.node.name);
  }

  #bindBody(
    body: SelectCore | Values,
    place: Place,
    use: Use,
    first: boolean,
    only: boolean,
  ): [BoundCore | null, Relation] {
    if (body.kind === 'values') return [null, this.#bindValues(body, place)];
    const core = this.#bindCore(body, place, use === 'relation' && first, use === 'exists' && only);
    return [core, core.outputs[0]?.column.relation ?? relationOf([])];
  }

  #bindValues(values: Values, { environment, parent }: Place): Relation {
    for (const row of values.rows) this.bindExpression(row, parent, environment);
    const width = values.rows[0]?.items.length ?? 0;
    const named: ColumnOrigin = { kind: 'named', inner: null };
    return relationOf(Array.from({ length: width }, (_, i) => ({ rawName: `column${i + 1}`, origin: named })));
  }

  #bindCore(node: SelectCore, place: Place, namesRelation: boolean, exists: boolean): BoundCore {
    const { environment, parent } = place;
    const sources = new SourceBinder(this, environment, parent).bind(node.from);
    const columnScope: Scope = { sources, aliases: [], parent };
    const aliases = node.columns.filter((column) => column.kind === 'result' && column.alias !== null);
    const clauseScope: Scope = { sources, aliases: aliases as ResultExpression[], parent };
    const outputs = this.#bindOutputs(node, columnScope, environment);
    const windows = node.windows.flatMap(({ definition }) => windowExpressions(definition));
    for (const expression of [node.where, ...node.groupBy, node.having, ...windows]) {
      if (expression !== null) this.bindExpression(expression, clauseScope, environment);
    }
    const core: BoundCore = { node, sources, columnScope, clauseScope, outputs, namesRelation, exists };
    this.cores.push(core);
    return core;
  }

  #bindOutputs(node: SelectCore, scope: Scope, environment: Environment | null): BoundOutput[] {
    const outputs: (Pick<BoundOutput, 'node' | 'found'> & NewColumn)[] = [];
    for (const column of node.columns) {
      if (column.kind === 'star') outputs.push(...this.#starOutputs(column, scope.sources));
      else outputs.push(this.#resultOutput(column, scope, environment));
    }
    const relation = relationOf(outputs.map(({ rawName, origin }) => ({ rawName, origin })));
    return relation.columns.map((column, i) => ({
      node: outputs[i]?.node ?? null,
      found: outputs[i]?.found ?? null,
      column,
    }));
  }

  #starOutputs(node: Star, sources: readonly ScopeSource[]): (Pick<BoundOutput, 'node' | 'found'> & NewColumn)[] {
    const chosen = node.table === null ? sources : this.#sourcesNamed(node.table, sources);
    if (chosen.length === 0) throw this.fault(node, 'a star without a table', 'Add a FROM clause.');
    return chosen.flatMap((source) => {
      const merged = node.table === null ? source.merges.map(({ right }) => right.column) : [];
      const columns = source.relation.columns.filter((column) => !merged.includes(column));
      return columns.map((column) => {
        const rawName = nameIn(this.world, column);
        const found = this.#starTarget(source, column, sources);
        const inner = innerOf(found) ?? column;
        return { node, found, rawName, origin: { kind: 'through' as const, inner, node } };
      });
    });
  }

  /** What a star's column holds: to the left of a RIGHT or FULL JOIN, a matched column is not simply its own source's. */
  #starTarget(source: ScopeSource, column: RelationColumn, sources: readonly ScopeSource[]): Found {
    const own = foundOne({ kind: 'column', source, column });
    if (!source.beforeOuter) return own;
    const name = nameIn(this.world, column);
    const later = sources.slice(sources.indexOf(source) + 1).flatMap(({ merges }) => merges);
    const matched = later.some(({ right }) => foldName(nameIn(this.world, right.column)) === foldName(name));
    return (matched ? lookup(this.world, { sources, aliases: [], parent: null }, null, name) : null) ?? own;
  }

  #sourcesNamed(token: Identifier, sources: readonly ScopeSource[]): readonly ScopeSource[] {
    const named = sources.filter(({ label }) => label !== null && foldName(label) === foldName(token.name));
    const [source] = named;
    if (source === undefined)
      throw this.fault(token, `no such table: ${token.name}`, 'Name a table of the FROM clause.');
    this.#addQualifier(token, source);
    return named;
  }

  #resultOutput(
    node: ResultExpression,
    scope: Scope,
    environment: Environment | null,
  ): Pick<BoundOutput, 'node' | 'found'> & NewColumn {
    const before = this.names.length;
    this.bindExpression(node.expression, scope, environment);
    const bare = bareExpression(node.expression);
    const found = bare.kind === 'column' ? (this.names[before]?.found ?? null) : null;
    const inner = innerOf(found);
    if (node.alias !== null) return { node, found, rawName: node.alias.name, origin: { kind: 'named', inner } };
    if (inner !== null)
      return { node, found, rawName: nameIn(this.world, inner), origin: { kind: 'through', inner, node } };
    if (found?.target.kind === 'rowid')
      return { node, found, rawName: 'rowid', origin: { kind: 'named', inner: null } };
    const { start, end } = node.expression.span;
    return { node, found, rawName: this.sql.slice(start, end), origin: { kind: 'text', node } };
  }

  #bindOrder(select: Select, cores: readonly BoundCore[], { environment }: Place): void {
    const [first] = cores;
    const compound = select.terms.length > 1;
    for (const { expression } of select.orderBy) {
      if (first === undefined) this.bindExpression(expression, null, environment);
      else if (compound) this.#bindCompoundTerm(expression, cores, environment);
      else this.#bindOrderTerm(expression, first, environment);
    }
  }

  #bindOrderTerm(expression: Expression, core: BoundCore, environment: Environment | null): void {
    const bare = bareExpression(expression);
    if (bare.kind === 'column') this.#bindName(bare.column, bare.table, { kind: 'order', core });
    else this.bindExpression(expression, core.clauseScope, environment);
  }

  #bindCompoundTerm(expression: Expression, cores: readonly BoundCore[], environment: Environment | null): void {
    const bare = bareExpression(expression);
    if (bare.kind === 'literal') return;
    if (bare.kind === 'column') {
      this.#bindName(bare.column, bare.table, { kind: 'compound-order', cores });
      return;
    }
    const core = cores.find((candidate) => this.#selects(candidate, bare));
    const reason = 'an ORDER BY term that no SELECT of the compound selects';
    if (core === undefined) throw this.fault(expression, reason, 'Order by a result column.');
    this.bindExpression(expression, { ...core.clauseScope, parent: null }, environment);
  }

  #selects(core: BoundCore, expression: Expression): boolean {
    const key = (node: Expression): string =>
      expressionKey(
        node,
        ({ column, table }) => lookup(this.world, core.clauseScope, table?.name ?? null, column.name)?.target ?? null,
      );
    const wanted = key(expression);
    return core.node.columns.some(
      (column) => column.kind === 'result' && key(bareExpression(column.expression)) === wanted,
    );
  }

  /** Binds every name of an expression. */
  bindExpression(expression: Expression, scope: Scope | null, environment: Environment | null): void {
    walkExpression(expression, {
      column: (node) => this.#bindName(node.column, node.table, { kind: 'general', scope }),
      select: (select, exists) => {
        this.bindSelect(select, { environment, parent: scope }, exists ? 'exists' : 'result');
      },
      table: (node) => void this.openTable(node, environment),
    });
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
    if (qualifier !== null && found !== null && found.target.kind !== 'alias') {
      this.#addQualifier(qualifier, found.target.source);
    }
  }

  #isLiteral(token: Identifier, qualifier: Identifier | null): boolean {
    if (qualifier !== null) return false;
    if (token.quote === 'double') return this.#dialect.doubleQuotedLiterals;
    return token.quote === 'bare' && /^(?:true|false)$/i.test(token.name);
  }

  #addQualifier(token: Identifier, { node, relation }: ScopeSource): void {
    const kind = node.alias === null && relation.table !== null ? 'table' : 'alias';
    this.tables.push({ token, kind, table: relation.table });
  }

  /** The relation that a table name of FROM or IN stands for: a CTE in sight, else a table of the schema. */
  openTable(node: TableSource, environment: Environment | null): Relation {
    if (node.args !== null)
      throw this.fault(node.name, `table-valued function ${node.name.name}`, 'Only tables are supported.');
    const key = foldName(node.name.name);
    for (let at = node.schema === null ? environment : null; at !== null; at = at.outer) {
      const table = at.tables.get(key);
      if (table === undefined) continue;
      this.tables.push({ token: node.name, kind: 'alias', table: null });
      return this.bindTable(table, node.name);
    }
    return this.#openBase(node, key);
  }

  #openBase(node: TableSource, key: string): Relation {
    const known = node.schema === null || foldName(node.schema.name) === 'main';
    const table = known ? this.#database.tables.findIndex(({ originalName }) => foldName(originalName) === key) : -1;
    if (table < 0) {
      throw this.fault(
        node.name,
        `no such table: ${node.name.name}`,
        `Check the query against database ${this.#database.id}.`,
      );
    }
    this.tables.push({ token: node.name, kind: 'table', table });
    return this.#relation(table);
  }

  #relation(table: number): Relation {
    const known = this.#relations.get(table);
    if (known !== undefined) return known;
    const columns = this.#database.tables[table]?.columns ?? [];
    const origin = (column: number): ColumnOrigin => ({ kind: 'base', ref: { table, column } satisfies ColumnRef });
    const relation = relationOf(
      columns.map(({ originalName }, i) => ({ rawName: originalName, origin: origin(i) })),
      table,
    );
    this.#relations.set(table, relation);
    return relation;
  }

  fault(node: { readonly span: { readonly start: number } }, reason: string, fix: string): Error {
    return sqlFault(this.sql, node.span.start, reason, fix);
  }
}

/**
 * Parses a query and resolves every name in it by SQLite's scoping rules.
 * @throws SqlRewriteError with the position where the text can't be parsed or a name is unknown or ambiguous
 */
export function bindQuery(sql: string, database: Database, dialect: SqlDialect = SQLITE): BoundQuery {
  const select = parseSelect(sql, dialect);
  const binder = new Binder(sql, database, dialect);
  binder.bindSelect(select, { environment: null, parent: null }, 'result');
  const { names, tables, cores, joins } = binder;
  return { sql, select, names, tables, cores, joins };
}
