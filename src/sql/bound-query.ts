import { LRUCache } from 'lru-cache';
import type {
  ColumnNode,
  CommonTable,
  DerivedSource,
  Expression,
  Identifier,
  Join,
  ResultExpression,
  Select,
  SelectCore,
  Star,
  TableSource,
} from './ast.js';
import {
  type Found,
  type Merge,
  namesFrom,
  type Relation,
  type RelationColumn,
  relationOf,
  type Scope,
  type ScopeSource,
  type World,
} from './scope.js';
import { type SqlDialect, SQLITE } from './dialect.js';
import type { Database } from '../schema/schema.js';
import { getOrMake, zip } from '../present.js';

/** The tables of a schema as queries find them: by their folded names, and by position. */
interface BaseTables {
  readonly byName: ReadonlyMap<string, Relation>;
  readonly relations: readonly Relation[];
}

/** Schemas whose tables are kept as they were read: a run holds many thousand perturbed ones, of which few are in use at a time. */
const CACHE_SIZE = 256;

const known = new WeakMap<SqlDialect, LRUCache<Database, BaseTables>>();
const names = new WeakMap<Relation, readonly string[]>();

function read({ tables }: Database, dialect: SqlDialect): BaseTables {
  const relations = tables.map(({ columns, hidden = [] }, table) =>
    relationOf(
      columns.map(({ originalName }, column) => {
        return { rawName: originalName, origin: { kind: 'base', ref: { table, column } } };
      }),
      table,
      new Set(hidden.map((name) => dialect.fold(name))),
    ),
  );
  const keys = tables.map(({ originalName }) => dialect.fold(originalName));
  // Of two tables of one name the first counts.
  return { byName: new Map(zip(keys, relations).reverse()), relations };
}

/** The tables of a schema; kept, for queries ask for them again and again. */
export function baseTables(database: Database, dialect: SqlDialect): BaseTables {
  const ofDialect = getOrMake(known, dialect, () => new LRUCache<Database, BaseTables>({ max: CACHE_SIZE }));
  return getOrMake(ofDialect, database, () => read(database, dialect));
}

/** Names of the columns of a schema's table. */
export function baseNames(relation: Relation, dialect: SqlDialect): readonly string[] {
  return getOrMake(names, relation, () => {
    const raw = relation.columns.map(({ rawName }) => rawName);
    return namesFrom(relation, raw, dialect);
  });
}

/** Which rule resolves a name: the general one, or that of a whole ORDER BY term (result aliases first). */
export type NameContext =
  | { readonly kind: 'general'; readonly scope: Scope | null }
  | { readonly kind: 'order'; readonly core: BoundCore }
  /** A whole ORDER BY term after a compound: the cores are tried from left to right. */
  | { readonly kind: 'compound-order'; readonly cores: readonly BoundCore[] }
  /** A whole term where any result column can be named: before or after the columns in scope, if there are any. */
  | {
      readonly kind: 'output';
      readonly result: Relation;
      readonly outputs: readonly BoundOutput[];
      readonly scope: Scope | null;
      readonly first: 'output' | 'column';
    };

/** One column name of the query and what it refers to. */
export interface NameBinding {
  readonly token: Identifier;
  readonly qualifier: Identifier | null;
  readonly context: NameContext;
  /** Null for a literal: a double-quoted string, or TRUE and FALSE. */
  readonly found: Found | null;
}

/** One table name of the query: in FROM, or before the dot of a column or star. */
export interface TableBinding {
  readonly token: Identifier;
  /** `table` when the token is the name of a table of the schema, else it is an alias or the name of a CTE. */
  readonly kind: 'table' | 'alias';
  readonly table: number | null;
}

/** A column of a core's result: what it selects and through which node. */
export interface BoundOutput {
  readonly node: ResultExpression | Star | null;
  /** The source and column that a star or a plain column name refers to. */
  readonly found: Found | null;
  readonly column: RelationColumn;
}

export interface BoundCore {
  readonly node: SelectCore;
  readonly sources: readonly ScopeSource[];
  /** The scope of the result columns. */
  readonly columnScope: Scope;
  /** The scope of all other clauses: with the result's aliases, too. */
  readonly clauseScope: Scope;
  readonly outputs: readonly BoundOutput[];
  /** True if the result's column names are those of the whole query's result, or of a relation. */
  readonly namesRelation: boolean;
  /** True if the result columns do not matter: the only core of an EXISTS. */
  readonly exists: boolean;
}

/** A join by NATURAL or USING, with the columns that it matches. */
export interface BoundJoin {
  readonly node: Join;
  readonly left: readonly ScopeSource[];
  readonly right: readonly ScopeSource[];
  readonly merges: readonly { readonly source: ScopeSource; readonly merge: Merge }[];
}

/** `IN table`: what SQLite reads as `IN (SELECT * FROM table)`. */
export interface BoundInTable {
  readonly node: TableSource;
  readonly relation: Relation;
}

/** A query with every name resolved against a schema; lists are in the order of binding, inner tables first. */
export interface BoundQuery {
  readonly sql: string;
  readonly select: Select;
  readonly names: readonly NameBinding[];
  readonly tables: readonly TableBinding[];
  readonly cores: readonly BoundCore[];
  readonly joins: readonly BoundJoin[];
  readonly inTables: readonly BoundInTable[];
}

const NOTHING: ReadonlySet<string> = new Set();

/** The schema as it is: nothing renamed, nothing added. */
export class OriginalNames implements World {
  readonly dialect: SqlDialect;
  readonly rowids: readonly string[];
  readonly #names = new WeakMap<Relation, readonly string[]>();

  constructor(dialect: SqlDialect = SQLITE) {
    this.dialect = dialect;
    this.rowids = dialect.rowids;
  }

  namesOf(relation: Relation): readonly string[] {
    if (relation.table !== null) return baseNames(relation, this.dialect);
    return getOrMake(this.#names, relation, () => {
      return namesFrom(
        relation,
        relation.columns.map((column) => column.rawName),
        this.dialect,
      );
    });
  }

  labelOf(source: ScopeSource): string | null {
    return source.label;
  }

  isExpanded(): boolean {
    return false;
  }

  addedTo(): ReadonlySet<string> {
    return NOTHING;
  }

  mergesOf(source: ScopeSource): readonly Merge[] {
    return source.merges;
  }
}

/** A CTE that a query can see, bound when it is first used. */
export interface VisibleTable {
  readonly node: CommonTable;
  readonly environment: Environment;
  readonly parent: Scope | null;
  relation: Relation | null;
  binding: boolean;
}

/** The CTEs in sight, innermost first. */
export interface Environment {
  readonly tables: Map<string, VisibleTable>;
  readonly outer: Environment | null;
}

/** Where a select is. */
export interface Place {
  readonly environment: Environment | null;
  readonly parent: Scope | null;
}

/** The use of a select's result. */
export type Use = 'result' | 'relation' | 'exists';

/** The part of a query's binder that the binders of sources, outputs and terms use. */
export interface NameBinder {
  readonly sql: string;
  readonly world: OriginalNames;
  readonly names: readonly NameBinding[];
  readonly joins: BoundJoin[];
  bindSelect(select: Select, place: Place, use: Use): Relation;
  bindExpression(expression: Expression, scope: Scope | null, environment: Environment | null): void;
  bindColumn(node: ColumnNode, context: NameContext): void;
  openTableFunction(node: TableSource): Relation;
  openTable(node: TableSource, environment: Environment | null): Relation;
  withColumnNames(relation: Relation, node: DerivedSource): Relation;
  addQualifier(token: Identifier, source: ScopeSource): void;
  /** Checks whether two names are one to the dialect. */
  same(a: string, b: string): boolean;
  fault(node: { readonly span: { readonly start: number } }, reason: string, fix: string): Error;
}
