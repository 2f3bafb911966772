import { conjunctsOf, joinsOf, tablesOf } from '../../../sql/ast-walk.js';
import type { Expression, Join, Source, Star } from '../../../sql/ast.js';
import type { ColumnTarget, ScopeSource } from '../../../sql/scope.js';
import type { CoreSite } from '../../../testsuite/neighbors/query-sites.js';
import { equalSides } from '../compared-values.js';
import type { ReadQuery } from '../read-query.js';

/** One column that has one value wherever another has one. */
type Rule = readonly [from: ColumnTarget, to: ColumnTarget];

/**
 * The columns that have one value in each group of a SELECT: those grouped by, and what keys and equalities tie to
 * them.
 */
export class DeterminedColumns {
  readonly #query: ReadQuery;
  readonly #sources: readonly ScopeSource[];
  readonly #columns = new Map<ScopeSource, Set<number>>();
  readonly #rules: Rule[] = [];

  constructor(query: ReadQuery, core: CoreSite) {
    const { node, bound } = core;
    this.#query = query;
    this.#sources = bound.sources;
    const joins = joinsOf(node.from);
    for (const join of joins) this.#readJoin(join);
    if (node.where !== null) this.#readConditions(node.where);
    for (const join of query.bound.joins.filter((one) => joins.includes(one.node))) this.#readMerges(join);
    for (const term of node.groupBy) this.#add(query.target(term));
    this.#close();
  }

  /** Checks whether a column has one value in each group. */
  has(expression: Expression): boolean {
    const target = this.#query.target(expression);
    return target !== null && this.#hasTarget(target);
  }

  /** Checks whether all columns of a star do. */
  hasStar({ table }: Star): boolean {
    const name = table?.name.toLowerCase();
    return this.#sources
      .filter(({ label }) => name === undefined || label?.toLowerCase() === name)
      .every((source) => this.#hasAll(source));
  }

  #hasAll(source: ScopeSource): boolean {
    return this.#columns.get(source)?.size === source.relation.columns.length;
  }

  #readJoin({ type, constraint, right }: Join): void {
    if (constraint?.kind !== 'on' || type === 'right' || type === 'full') return;
    if (type === 'left') this.#readOuter(constraint.condition, tablesOf(right));
    else this.#readConditions(constraint.condition);
  }

  /** Of LEFT JOIN: what its table gives is that of the left column's value, or NULL where there is none. */
  #readOuter(condition: Expression, joined: readonly Source[]): void {
    const [only, ...others] = conjunctsOf(condition);
    if (only === undefined || others.length > 0) return;
    this.#rules.push(...this.#equal(only).filter(([, to]) => joined.includes(to.source.node)));
  }

  #readConditions(condition: Expression): void {
    for (const part of conjunctsOf(condition)) {
      this.#rules.push(...this.#equal(part));
      for (const [side, other] of equalSides(part)) {
        if (this.#query.value(other) !== undefined) this.#add(this.#query.target(side));
      }
    }
  }

  #readMerges({ node, merges }: ReadQuery['bound']['joins'][number]): void {
    if (node.type === 'right' || node.type === 'full') return;
    for (const { merge } of merges) {
      this.#rules.push([merge.left, merge.right]);
      if (node.type !== 'left') this.#rules.push([merge.right, merge.left]);
    }
  }

  #equal(condition: Expression): readonly Rule[] {
    return equalSides(condition).flatMap(([side, other]): readonly Rule[] => {
      const [from, to] = [this.#query.target(side), this.#query.target(other)];
      return from === null || to === null ? [] : [[from, to]];
    });
  }

  #add(target: ColumnTarget | null): boolean {
    if (target === null || this.#hasTarget(target)) return false;
    const known = this.#columns.get(target.source) ?? new Set();
    this.#columns.set(target.source, known.add(target.column.index));
    return true;
  }

  #hasTarget({ source, column }: ColumnTarget): boolean {
    return this.#columns.get(source)?.has(column.index) === true;
  }

  #close(): void {
    for (let isNew = true; isNew;) {
      const byRules = this.#rules.filter(([from, to]) => this.#hasTarget(from) && this.#add(to));
      const byKeys = this.#sources.filter((source) => this.#addByKey(source));
      isNew = byRules.length + byKeys.length > 0;
    }
  }

  /** All columns of a table whose primary key has one value. */
  #addByKey(source: ScopeSource): boolean {
    const { columns, table } = source.relation;
    const keys = this.#query.database.primaryKeys.filter((key) => key.table === table);
    const isKnown = keys.length > 0 && keys.every(({ column }) => this.#columns.get(source)?.has(column));
    if (!isKnown || this.#hasAll(source)) return false;
    this.#columns.set(source, new Set(columns.keys()));
    return true;
  }
}
