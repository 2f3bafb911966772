import type { ColumnNode, CommonTable, DerivedSource, Expression, Identifier, Select, TableSource } from './ast.js';
import type { BoundJoin, NameBinding, NameContext, OriginalNames } from './bound-query.js';
import type { Relation, Scope, ScopeSource } from './scope.js';

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
