import type { Identifier, Join, ResultExpression, Select, SelectCore, Star, TableSource } from './ast.js';
import type { Merge, Relation, RelationColumn, Scope, ScopeSource, World, Found } from './scope.js';
import { baseNames } from './base-tables.js';
import { namesFrom } from './scope.js';
import { SQLITE, type SqlDialect } from './dialect.js';

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
    const known = this.#names.get(relation);
    if (known !== undefined) return known;
    const names = namesFrom(
      relation,
      relation.columns.map((column) => column.rawName),
      this.dialect,
    );
    this.#names.set(relation, names);
    return names;
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
