import type { Expression, Join, SelectCore, Source, TableSource } from '../../../src/sql/ast.js';
import { bareExpression } from '../../../src/sql/ast-walk.js';
import { bindQuery } from '../../../src/sql/binder.js';
import type { BoundQuery } from '../../../src/sql/bound-query.js';
import { applyEdits, type SqlEdit } from '../../../src/sql/edits.js';
import type { Database } from '../../../src/schema/schema.js';
import type { Span } from '../../../src/sql/tokenizer.js';
import { QuerySites } from '../../../src/testsuite/neighbors/query-sites.js';

/** A query that means the same as another one. */
export interface Rewrite {
  readonly kind: string;
  readonly sql: string;
}

const TURNED: Readonly<Record<string, string>> = {
  '=': '=',
  '==': '=',
  '!=': '<>',
  '<>': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};
const OPPOSITE: Readonly<Record<string, string>> = {
  '=': '<>',
  '==': '<>',
  '!=': '=',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** All that is rewritten of one query: by span, so that the rest of its text stays. */
class Rewriter {
  readonly #sql: string;
  readonly #query: BoundQuery;
  readonly #sites: QuerySites;

  constructor(sql: string, database: Database) {
    this.#sql = sql;
    this.#query = bindQuery(sql, database);
    this.#sites = new QuerySites(this.#query);
  }

  *all(): Generator<Rewrite> {
    for (const { node } of this.#sites.expressions) yield* this.#ofExpression(node);
    for (const { node } of this.#sites.cores) yield* this.#ofCore(node);
    yield* this.#swappedBranches();
    yield* this.#renamedAliases();
    yield* this.#wrapped();
  }

  *#ofExpression(node: Expression): Generator<Rewrite> {
    if (node.kind === 'binary') yield* this.#ofBinary(node);
    if (node.kind === 'between') {
      const [operand, low, high] = [node.operand, node.low, node.high].map((part) => this.#text(part));
      const text = node.negated
        ? `(${operand} < ${low} OR ${operand} > ${high})`
        : `(${operand} >= ${low} AND ${high} >= ${operand})`;
      yield this.#replaced('BETWEEN as two comparisons', node, text);
    }
    if (node.kind === 'in' && node.source.kind === 'list') {
      const tests = node.source.items.map((item) => `${this.#text(node.operand)} = ${this.#text(item)}`);
      yield this.#replaced('IN as ORs', node, `${node.negated ? 'NOT ' : ''}(${tests.join(' OR ')})`);
    }
    if (node.kind === 'function' && node.star) {
      yield this.#replaced('count(*) as count(1)', node, 'count(1)');
    }
  }

  *#ofBinary(node: Extract<Expression, { kind: 'binary' }>): Generator<Rewrite> {
    const { operator } = node;
    const [left, right] = [this.#text(node.left), this.#text(node.right)];
    if (operator === 'AND' || operator === 'OR') {
      yield this.#replaced(`operands of ${operator} swapped`, node, `(${right} ${operator} ${left})`);
    }
    const isPlain = [node.left, node.right].every(
      (part) => bareExpression(part).kind !== 'binary' && bareExpression(part).kind !== 'like',
    );
    const [turned, opposite] = [TURNED[operator], OPPOSITE[operator]];
    if (turned === undefined || opposite === undefined || !isPlain) return;
    yield this.#replaced('comparison turned around', node, `${right} ${turned} ${left}`);
    yield this.#replaced('comparison denied twice', node, `(NOT (${left} ${opposite} ${right}))`);
  }

  *#ofCore({ from, where, columns }: SelectCore): Generator<Rewrite> {
    if (where !== null) yield this.#replaced('parentheses', where, `((${this.#text(where)}))`);
    if (from === null) return;
    const tables = this.#tablesOf(from);
    for (const table of tables) yield* this.#asSubquery(table);
    if (from.kind === 'table' && from.alias === null) yield* this.#withAlias(from);
    if (columns.every(({ kind }) => kind === 'result')) yield* this.#swappedJoin(from);
    yield* this.#joinedByWhere(from, where);
  }

  *#asSubquery({ span, name, alias, args, schema }: TableSource): Generator<Rewrite> {
    if (args !== null || schema !== null) return;
    const [table, label] = [this.#text(name), this.#text(alias ?? name)];
    yield this.#replaced('subquery in FROM', { span }, `(SELECT * FROM ${table}) AS ${label}`);
  }

  *#withAlias({ span, name, schema }: TableSource): Generator<Rewrite> {
    const isQualifier = this.#query.tables.some(
      ({ token }) => token !== name && token.name.toLowerCase() === name.name.toLowerCase(),
    );
    if (schema !== null || isQualifier) return;
    yield this.#replaced('alias added', { span }, `${this.#text(name)} AS another_name`);
  }

  /** The first two tables of a join in the other sequence. */
  *#swappedJoin(from: Source): Generator<Rewrite> {
    const first = firstJoin(from);
    if (first === null || first.constraint?.kind !== 'on') return;
    const { left, right, constraint } = first;
    const text = `${this.#text(right)} JOIN ${this.#text(left)} ON ${this.#text(constraint.condition)}`;
    yield this.#replaced('join order swapped', first, text);
  }

  *#joinedByWhere(from: Source, where: Expression | null): Generator<Rewrite> {
    if (from.kind !== 'join' || !isInner(from)) return;
    const conditions = conditionsOf(from).map((condition) => `(${this.#text(condition)})`);
    const sources = sourcesOf(from).map((source) => this.#text(source));
    const edits = [this.#edit(from, sources.join(', '))];
    if (where === null) edits[0] = this.#edit(from, `${sources.join(', ')} WHERE ${conditions.join(' AND ')}`);
    else edits.push(this.#edit(where, `${conditions.join(' AND ')} AND (${this.#text(where)})`));
    if (conditions.length > 0) yield { kind: 'ON as WHERE', sql: applyEdits(this.#sql, edits) };
  }

  /** Of set operations whose result has no names that others use. */
  *#swappedBranches(): Generator<Rewrite> {
    for (const { node, use } of this.#sites.selects) {
      const [first, second, ...others] = node.terms;
      if (first === undefined || second === undefined || others.length > 0) continue;
      if (use === 'relation' || node.orderBy.length > 0 || node.limit !== null || second.operator === 'EXCEPT')
        continue;
      const [left, right] = [first.body, second.body];
      const edits = [this.#edit(left, this.#text(right)), this.#edit(right, this.#text(left))];
      yield { kind: `branches of ${second.operator} swapped`, sql: applyEdits(this.#sql, edits) };
    }
  }

  *#renamedAliases(): Generator<Rewrite> {
    if (this.#sites.selects.some(({ node }) => node.with !== null)) return;
    const declared = this.#sites.cores.flatMap(({ node }) => (node.from === null ? [] : aliasesOf(node.from)));
    const used = this.#query.tables.flatMap(({ kind, token }) => (kind === 'alias' ? [token] : []));
    const tokens = new Map([...declared, ...used].map((token) => [token.span.start, token]));
    if (declared.length === 0) return;
    const edits = [...tokens.values()].map((token) => this.#edit(token, `other_${token.name}`));
    yield {
      kind: 'aliases renamed',
      sql: applyEdits(
        this.#sql,
        edits.sort((a, b) => a.start - b.start),
      ),
    };
  }

  *#wrapped(): Generator<Rewrite> {
    const { orderBy, limit, span } = this.#query.select;
    if (orderBy.length > 0 || limit !== null) return;
    const text = this.#sql.slice(span.start, span.end);
    yield { kind: 'common table', sql: `WITH whole AS (${text}) SELECT * FROM whole` };
  }

  #tablesOf(source: Source): TableSource[] {
    return sourcesOf(source).filter((part) => part.kind === 'table');
  }

  #text({ span }: { readonly span: Span }): string {
    return this.#sql.slice(span.start, span.end);
  }

  #edit({ span: { start, end } }: { readonly span: Span }, after: string): SqlEdit {
    return { start, end, before: this.#sql.slice(start, end), after };
  }

  #replaced(kind: string, node: { readonly span: Span }, text: string): Rewrite {
    const { start, end } = node.span;
    // Spider writes `WHERE(a = 1)`.
    const [before, after] = [/\w$/u.test(this.#sql.slice(0, start)), /^\w/u.test(this.#sql.slice(end))];
    const spaced = `${before ? ' ' : ''}${text}${after ? ' ' : ''}`;
    return { kind, sql: applyEdits(this.#sql, [this.#edit(node, spaced)]) };
  }
}

function sourcesOf(source: Source): Source[] {
  return source.kind === 'join' ? [...sourcesOf(source.left), ...sourcesOf(source.right)] : [source];
}

function conditionsOf(source: Source): Expression[] {
  if (source.kind !== 'join') return [];
  const own = source.constraint?.kind === 'on' ? [source.constraint.condition] : [];
  return [...conditionsOf(source.left), ...conditionsOf(source.right), ...own];
}

/** Whether a join's conditions may as well be in WHERE. */
function isInner(source: Source): boolean {
  if (source.kind !== 'join') return true;
  const { type, natural, constraint, left, right } = source;
  const isPlain = ['comma', 'inner', 'cross'].includes(type) && natural === null && constraint?.kind !== 'using';
  return isPlain && isInner(left) && isInner(right);
}

function firstJoin(source: Source): Join | null {
  if (source.kind !== 'join' || !isInner(source)) return null;
  return source.left.kind === 'join' ? firstJoin(source.left) : source.right.kind === 'join' ? null : source;
}

function aliasesOf(source: Source) {
  return sourcesOf(source).flatMap((part) => (part.kind !== 'join' && part.alias !== null ? [part.alias] : []));
}

/** Queries that mean the same as one that resolves, a rewrite of one place each: as people write it otherwise. */
export function rewritesOf(sql: string, database: Database): Rewrite[] {
  return [...new Rewriter(sql, database).all()];
}
