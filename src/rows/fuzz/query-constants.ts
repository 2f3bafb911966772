import { getOrMake } from '../../present.js';
import { SqlRewriteError } from '../../errors.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { CompoundTerm, Expression, Identifier, Select, SelectCore, Source } from '../../sql/ast.js';
import { isComparison } from '../../sql/operators.js';
import { bareExpression, expressionsWithin, literalValue } from '../../sql/ast-walk.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundCore, BoundQuery, NameBinding } from '../../sql/bound-query.js';
import { baseOf } from '../../sql/scope.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';

/** The constants that queries compare a column with. */
export interface ColumnConstants {
  readonly values: readonly SqlValue[];
  /** Patterns of LIKE; those of GLOB are written as such. */
  readonly patterns: readonly string[];
}

/** Facts in queries about the data that would distinguish them. */
export interface QueryConstants {
  /** By `columnKey` of the schema's column. */
  readonly byColumn: ReadonlyMap<string, ColumnConstants>;
  /** Numbers that rows are counted against: LIMIT, OFFSET, and comparisons of `count`. */
  readonly sizes: readonly number[];
  /** Columns whose values are compared with each other. */
  readonly links: readonly (readonly [ColumnRef, ColumnRef])[];
  /** Tables that one SELECT joins, at most. */
  readonly joined: number;
  /** Columns that are tested for NULL, by `columnKey`. */
  readonly nullTested: ReadonlySet<string>;
}

/** The facts in no queries. */
export const NO_CONSTANTS: QueryConstants = {
  byColumn: new Map(),
  sizes: [],
  links: [],
  joined: 0,
  nullTested: new Set(),
};

/** The constants of many queries. */
export interface ReadConstants {
  /** Of all queries, each once. */
  readonly all: QueryConstants;
  /**
   * Of queries that compare the same columns, such as a gold and most of its neighbors: a constant as often as it is
   * written, so that the gold's own outweighs those that its neighbors have in its place.
   */
  readonly groups: readonly QueryConstants[];
  /** Queries that could not be read. */
  readonly unread: number;
}

/** Returns the parts that an expression compares with one another; nothing if it is no comparison. */
function comparedParts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'binary':
      return isComparison(expression.operator) || /^IS(?: NOT)?$/u.test(expression.operator)
        ? [expression.left, expression.right]
        : [];
    case 'like':
      return [expression.left, expression.right];
    case 'between':
      return [expression.operand, expression.low, expression.high];
    case 'in': {
      const { operand, source } = expression;
      return source.kind === 'table' ? [] : [operand, ...(source.kind === 'list' ? source.items : [source])];
    }
    case 'case':
      return expression.operand === null
        ? []
        : [expression.operand, ...expression.branches.flatMap(({ when }) => when)];
    default:
      return [];
  }
}

class ConstantCollector {
  readonly values = new Map<string, Map<string, SqlValue>>();
  readonly patterns = new Map<string, Set<string>>();
  readonly sizes = new Set<number>();
  readonly links = new Map<string, readonly [ColumnRef, ColumnRef]>();
  readonly nullTested = new Set<string>();
  #names: ReadonlyMap<Identifier, NameBinding> = new Map();
  #cores: ReadonlyMap<SelectCore, BoundCore> = new Map();

  read(query: BoundQuery): void {
    this.#names = new Map(query.names.map((binding) => [binding.token, binding]));
    this.#cores = new Map(query.cores.map((core) => [core.node, core]));
    for (const { merge } of query.joins.flatMap(({ merges }) => merges)) {
      this.#link([baseOf(merge.left.column), baseOf(merge.right.column)]);
    }
    this.#select(query.select);
  }

  #select(select: Select): void {
    for (const table of select.with?.tables ?? []) this.#select(table.select);
    for (const { body } of select.terms) this.#body(body);
    for (const { expression } of select.orderBy) this.#expression(expression);
    for (const bound of [select.limit?.count, select.limit?.offset]) {
      if (bound != null) this.#size(this.#literal(bound));
    }
  }

  #body(body: CompoundTerm['body']): void {
    if (body.kind === 'select') this.#select(body);
    if (body.kind !== 'core') return;
    for (const column of body.columns) if (column.kind === 'result') this.#expression(column.expression);
    if (body.from !== null) this.#source(body.from);
    for (const part of [body.where, ...body.groupBy, body.having]) if (part !== null) this.#expression(part);
  }

  #source(source: Source): void {
    if (source.kind === 'derived') this.#select(source.select);
    else if (source.kind === 'group') this.#source(source.source);
    else if (source.kind === 'join') {
      this.#source(source.left);
      this.#source(source.right);
      if (source.constraint?.kind === 'on') this.#expression(source.constraint.condition);
    }
  }

  #expression(expression: Expression): void {
    for (const part of expressionsWithin(expression)) {
      this.#compare(part);
      if (part.kind === 'null-test') this.#testNull(part.operand);
      if (part.kind === 'subquery' || part.kind === 'exists') this.#select(part.select);
      else if (part.kind === 'in' && part.source.kind !== 'table') this.#expression(part.source);
    }
  }

  #compare(comparison: Expression): void {
    const parts = comparedParts(comparison);
    const inside = parts.flatMap((part) => expressionsWithin(part));
    const literals = inside.flatMap((part) => this.#literal(part) ?? []);
    if (inside.some((part) => part.kind === 'function' && part.name.name.toLowerCase() === 'count')) {
      for (const value of literals) this.#size(value);
      return;
    }
    const columns = inside.flatMap((part) => this.#baseOf(part) ?? []);
    for (const column of columns) for (const value of literals) this.#keep(column, value, comparison.kind === 'like');
    if (inside.some((part) => this.#literal(part) === null)) for (const part of parts) this.#testNull(part);
    const [left, ...others] = parts.map((part) => this.#baseOf(bareExpression(part)));
    for (const right of others) this.#link([left ?? null, right ?? null]);
  }

  #testNull(operand: Expression): void {
    const column = this.#baseOf(bareExpression(operand));
    if (column !== null) this.nullTested.add(columnKey(column));
  }

  #literal(expression: Expression): SqlValue | undefined {
    return literalValue(expression, (token) => this.#names.get(token)?.found === null);
  }

  /** The schema's column that an expression gives; that of a subquery's only result, too. */
  #baseOf(expression: Expression): ColumnRef | null {
    if (expression.kind === 'subquery') {
      const body = expression.select.terms[0]?.body;
      const column = body?.kind === 'core' ? this.#cores.get(body)?.outputs[0]?.column : undefined;
      return column === undefined ? null : baseOf(column);
    }
    if (expression.kind !== 'column') return null;
    const target = this.#names.get(expression.column)?.found?.target;
    if (target?.kind === 'alias') return this.#baseOf(bareExpression(target.node.expression));
    return target?.kind === 'column' || target?.kind === 'output' ? baseOf(target.column) : null;
  }

  #size(value: SqlValue | undefined): void {
    if (typeof value === 'bigint' || typeof value === 'number') this.sizes.add(Math.trunc(Number(value)));
  }

  #keep(column: ColumnRef, value: SqlValue, isPattern: boolean): void {
    const key = columnKey(column);
    if (value === null) return;
    if (isPattern) {
      getOrMake(this.patterns, key, () => new Set()).add(String(value));
    } else {
      getOrMake(this.values, key, () => new Map<string, SqlValue>()).set(`${typeof value} ${String(value)}`, value);
    }
  }

  #link([left, right]: readonly [ColumnRef | null, ColumnRef | null]): void {
    if (left === null || right === null || columnKey(left) === columnKey(right)) return;
    this.links.set(`${columnKey(left)} ${columnKey(right)}`, [left, right]);
  }
}

function constantsOf(query: BoundQuery): QueryConstants {
  const collector = new ConstantCollector();
  collector.read(query);
  const keys = new Set([...collector.values.keys(), ...collector.patterns.keys()]);
  const byColumn = new Map(
    [...keys].map((key) => {
      const values = [...(collector.values.get(key)?.values() ?? [])];
      return [key, { values, patterns: [...(collector.patterns.get(key) ?? [])] }] as const;
    }),
  );
  const joined = Math.max(0, ...query.cores.map(({ sources }) => sources.length));
  return {
    byColumn,
    sizes: [...collector.sizes],
    links: [...collector.links.values()],
    joined,
    nullTested: collector.nullTested,
  };
}

const linkKey = (link: readonly [ColumnRef, ColumnRef]): string => link.map(columnKey).join(' ');

/** Returns a key of the columns that a query compares, and of its counting rows or not. */
function shapeOf({ byColumn, sizes, links }: QueryConstants): string {
  return JSON.stringify([[...byColumn.keys()].sort(), sizes.length, links.map(linkKey).sort()]);
}

/** The constants of several queries, each as often as it is written. */
export function joinConstants(parts: readonly QueryConstants[]): QueryConstants {
  const keys = new Set(parts.flatMap(({ byColumn }) => [...byColumn.keys()]));
  const byColumn = new Map(
    [...keys].map((key) => {
      const own = parts.flatMap((part) => part.byColumn.get(key) ?? []);
      const values = own.flatMap((constants) => constants.values);
      return [key, { values, patterns: own.flatMap(({ patterns }) => patterns) }] as const;
    }),
  );
  const links = new Map(parts.flatMap((part) => part.links.map((link) => [linkKey(link), link] as const)));
  const joined = Math.max(0, ...parts.map((part) => part.joined));
  return {
    byColumn,
    sizes: parts.flatMap(({ sizes }) => sizes),
    links: [...links.values()],
    joined,
    nullTested: new Set(parts.flatMap((part) => [...part.nullTested])),
  };
}

function distinctConstants({ byColumn, sizes, ...others }: QueryConstants): QueryConstants {
  const once = [...byColumn].map(([key, { values, patterns }]) => {
    const distinct = new Map(values.map((value) => [`${typeof value} ${String(value)}`, value]));
    return [key, { values: [...distinct.values()], patterns: [...new Set(patterns)] }] as const;
  });
  return { ...others, byColumn: new Map(once), sizes: [...new Set(sizes)] };
}

/** Queries that are read of many, at most: neighbors of one gold repeat most of each other's constants. */
const MOST_READ = 6_000;

/** Queries evenly from first to last, as many as are read. */
function sampled(queries: readonly string[]): readonly string[] {
  const share = MOST_READ / queries.length;
  return share >= 1 ? queries : queries.filter((_, i) => Math.floor(i * share) < Math.floor((i + 1) * share));
}

/**
 * The constants of queries by the columns that they are compared with, in every clause and subquery: of comparisons,
 * BETWEEN, IN, LIKE and CASE; those that rows are counted against (LIMIT, HAVING count(*)); and the columns compared
 * with each other. A query that can't be parsed or bound gives none; of very many, some are left out. `onRead` is told
 * what was bound.
 */
export function queryConstants(
  queries: readonly string[],
  database: Database,
  onRead: (sql: string, query: BoundQuery) => void = () => undefined,
): ReadConstants {
  const byShape = new Map<string, QueryConstants[]>();
  let unread = 0;
  for (const sql of sampled([...new Set(queries)])) {
    try {
      const query = bindQuery(sql, database);
      onRead(sql, query);
      const constants = constantsOf(query);
      const shape = shapeOf(constants);
      getOrMake(byShape, shape, () => []).push(constants);
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      unread++;
    }
  }
  const groups = [...byShape.values()].map(joinConstants);
  return { all: distinctConstants(joinConstants(groups)), groups, unread };
}
