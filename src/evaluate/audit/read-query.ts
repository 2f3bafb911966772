import { SqlRewriteError } from '../../errors.js';
import type { ColumnRef, ColumnType, Database } from '../../schema/schema.js';
import type { Binary, Expression, Identifier } from '../../sql/ast.js';
import { bareExpression, literalValue } from '../../sql/ast-walk.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundQuery, NameBinding } from '../../sql/bound-query.js';
import type { SqlDialect } from '../../sql/dialect.js';
import type { ColumnTarget } from '../../sql/scope.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { QuerySites } from '../../testsuite/neighbors/query-sites.js';
import { isComparison, mirroredOperator, plainOperator } from '../../sql/operators.js';

/** A column of the schema that a query names, as the schema writes it. */
export interface NamedColumn {
  readonly ref: ColumnRef;
  readonly table: string;
  readonly column: string;
  /** "table.column". */
  readonly name: string;
  readonly type: ColumnType;
}

/** A query with its names resolved and its parts listed. */
export class ReadQuery {
  readonly sql: string;
  readonly database: Database;
  readonly bound: BoundQuery;
  readonly sites: QuerySites;
  #names: ReadonlyMap<Identifier, NameBinding> | null = null;

  /** @throws SqlRewriteError where the query can't be parsed or resolved */
  constructor(sql: string, database: Database, dialect: SqlDialect) {
    this.sql = sql;
    this.database = database;
    this.bound = bindQuery(sql, database, dialect);
    this.sites = new QuerySites(this.bound);
  }

  /** The column of a table in FROM that an expression is, parentheses aside; through an alias of the result, too. */
  target(expression: Expression): ColumnTarget | null {
    const bare = bareExpression(expression);
    if (bare.kind !== 'column') return null;
    const target = this.#binding(bare.column)?.found?.target;
    if (target?.kind === 'alias') return this.target(target.node.expression);
    return target?.kind === 'column' ? target : null;
  }

  /** The schema's column that an expression is, as `target`. */
  column(expression: Expression): NamedColumn | null {
    const origin = this.target(expression)?.column.origin;
    if (origin?.kind !== 'base') return null;
    const { ref } = origin;
    const table = this.database.tables[ref.table];
    const column = table?.columns[ref.column];
    if (table === undefined || column === undefined) return null;
    const names = { table: table.originalName, column: column.originalName };
    return { ref, ...names, name: `${names.table}.${names.column}`, type: column.type };
  }

  /** Checks whether a double-quoted token is a string. */
  isText(token: Identifier): boolean {
    return token.quote === 'double' && this.#binding(token)?.found === null;
  }

  /** The value of a literal; undefined for all else. */
  value(expression: Expression): SqlValue | undefined {
    return literalValue(expression, (token) => this.isText(token));
  }

  /** The text of a node. */
  text({ span }: { readonly span: { readonly start: number; readonly end: number } }): string {
    return this.sql.slice(span.start, span.end);
  }

  #binding(token: Identifier): NameBinding | undefined {
    this.#names ??= new Map(this.bound.names.map((name) => [name.token, name]));
    return this.#names.get(token);
  }
}

/** A query, read; or why it can't be. */
export function readQuery(sql: string, database: Database, dialect: SqlDialect): ReadQuery | SqlRewriteError {
  try {
    return new ReadQuery(sql, database, dialect);
  } catch (error) {
    if (error instanceof SqlRewriteError) return error;
    if (error instanceof RangeError)
      return new SqlRewriteError('the query is nested too deeply', {
        cause: error,
        fix: 'Write it with less nesting.',
      });
    throw error;
  }
}

/** A constant that a query compares a column with. */
export interface ComparedValue {
  /** Null where it is compared with no plain column. */
  readonly column: NamedColumn | null;
  /** As if the column were on its left. */
  readonly operator: string;
  readonly value: Exclude<SqlValue, null | Uint8Array>;
  readonly node: Expression;
}

/** The sides of a condition `a = b`, either way round; none of another. */
export function equalSides(node: Expression): readonly (readonly [side: Expression, other: Expression])[] {
  return node.kind === 'binary' && plainOperator(node.operator) === '=' ? bothSides(node) : [];
}

/** The sides of a condition of two, either way round. */
export function bothSides({ left, right }: Binary): readonly (readonly [side: Expression, other: Expression])[] {
  return [
    [left, right],
    [right, left],
  ];
}

function valueAt(query: ReadQuery, operator: string, side: Expression, node: Expression): readonly ComparedValue[] {
  const value = query.value(node);
  if (value === undefined || value === null || value instanceof Uint8Array) return [];
  return [{ column: query.column(side), operator, value, node }];
}

function valuesOf(query: ReadQuery, node: Expression): readonly ComparedValue[] {
  switch (node.kind) {
    case 'binary':
      if (!isComparison(node.operator)) return [];
      return [
        ...valueAt(query, node.operator, node.left, node.right),
        ...valueAt(query, mirroredOperator(node.operator), node.right, node.left),
      ];
    case 'like':
      return valueAt(query, node.operator, node.left, node.right);
    case 'between':
      return [node.low, node.high].flatMap((end) => valueAt(query, 'BETWEEN', node.operand, end));
    case 'in': {
      const items = node.source.kind === 'list' ? node.source.items : [];
      return items.flatMap((item) => valueAt(query, 'IN', node.operand, item));
    }
    default:
      return [];
  }
}

/** Every constant that a query compares something with. */
export function comparedValues(query: ReadQuery): readonly ComparedValue[] {
  return query.sites.expressions.flatMap(({ node }) => valuesOf(query, node));
}
