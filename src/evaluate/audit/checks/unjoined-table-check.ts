import { groupBy } from '../../../run/group-by.js';
import type { Expression, Select } from '../../../sql/ast.js';
import { bareExpression, conjunctsOf, joinsOf, onCondition } from '../../../sql/ast-walk.js';
import type { ScopeSource } from '../../../sql/scope.js';
import type { Span } from '../../../sql/tokenizer.js';
import type { CoreSite } from '../../../testsuite/neighbors/query-sites.js';
import { selectsAggregate } from '../../../sql/aggregates.js';
import type { AuditedGold } from '../audited-gold.js';
import { findEach, type GoldFinding, plainFinding } from '../finding.js';
import type { ReadQuery } from '../read-query.js';

/** Tables of a FROM clause that conditions tie together, and conditions on them alone. */
class Ties {
  readonly #query: ReadQuery;
  readonly #core: CoreSite;
  readonly #parent = new Map<ScopeSource, ScopeSource>();
  readonly #fixed = new Set<ScopeSource>();
  readonly #constants = new Map<string, ScopeSource>();

  constructor(query: ReadQuery, core: CoreSite) {
    this.#query = query;
    this.#core = core;
    const { node, bound } = core;
    const joins = joinsOf(node.from);
    for (const condition of [...joins.map(onCondition), node.where, node.having]) {
      conjunctsOf(condition).forEach((part) => this.#readCondition(part));
    }
    for (const { merges } of query.bound.joins.filter((join) => joins.includes(join.node))) {
      for (const { merge } of merges) this.#tie([merge.left.source, merge.right.source]);
    }
    for (const source of bound.sources) if (this.#readsOthers(source)) this.#tie([...bound.sources]);
  }

  /**
   * Groups of tables without a condition between them, those that a constant picks rows of first, so that the last is
   * what lacks a condition. Tables of one row are left out; none where constants pick rows of all.
   */
  loose(): readonly (readonly ScopeSource[])[] {
    const groups = groupBy(this.#core.bound.sources, (source) => this.#root(source));
    const several = [...groups.values()].filter((group) => !group.every((source) => this.#givesOneRow(source)));
    const isFixed = (group: readonly ScopeSource[]): boolean => group.some((source) => this.#fixed.has(source));
    if (several.length < 2 || several.every(isFixed)) return [];
    return [...several.filter(isFixed), ...several.filter((group) => !isFixed(group))];
  }

  /**
   * The tables that a condition names, by a column, a row id or a hidden column, or by an alias of the result: those of
   * the SELECT itself, and those of queries around it.
   */
  tablesIn({ span }: Expression): { readonly own: readonly ScopeSource[]; readonly outer: readonly ScopeSource[] } {
    const isWithin = (part: { readonly span: Span }): boolean =>
      part.span.start >= span.start && part.span.end <= span.end;
    const { names, cores } = this.#query.bound;
    const inner = new Set(cores.filter(({ node }) => isWithin(node)).flatMap(({ sources }) => sources));
    const found = names.flatMap((name) => (isWithin(name.token) && name.found !== null ? [name.found] : []));
    const named = new Set(
      found.flatMap(({ target, merged }) => {
        if (target.kind === 'alias') {
          const { own, outer } = this.tablesIn(target.node.expression);
          return [...own, ...outer];
        }
        return [...('source' in target ? [target.source] : []), ...merged.map(({ source }) => source)];
      }),
    );
    const free = [...named].filter((source) => !inner.has(source));
    const isOwn = (source: ScopeSource): boolean => this.#core.bound.sources.includes(source);
    return { own: free.filter(isOwn), outer: free.filter((source) => !isOwn(source)) };
  }

  #readCondition(condition: Expression): void {
    const { own, outer } = this.tablesIn(condition);
    this.#tie(own);
    if (outer.length > 0) own.forEach((source) => this.#fixed.add(source));
    else if (own[0] !== undefined && own.length === 1) this.#readConstant(own[0], condition);
  }

  /** `a.x = 1`: tables that are compared with one constant are tied by it. */
  #readConstant(source: ScopeSource, condition: Expression): void {
    if (condition.kind !== 'binary' || !/^==?$/.test(condition.operator)) return;
    const sides = [condition.left, condition.right].map(bareExpression);
    const value = this.#query.value(condition.right) ?? this.#query.value(condition.left);
    if (value !== undefined || sides.some(({ kind }) => kind === 'subquery')) this.#fixed.add(source);
    if (value === undefined || value === null) return;
    const key = `${typeof value} ${String(value)}`;
    const other = this.#constants.get(key);
    if (other === undefined) this.#constants.set(key, source);
    else this.#tie([other, source]);
  }

  #tie([first, ...others]: readonly ScopeSource[]): void {
    if (first === undefined) return;
    for (const other of others) {
      const [root, own] = [this.#root(first), this.#root(other)];
      if (root !== own) this.#parent.set(own, root);
    }
  }

  #root(source: ScopeSource): ScopeSource {
    const parent = this.#parent.get(source);
    return parent === undefined ? source : this.#root(parent);
  }

  /** Checks whether a table of FROM is made of the tables to its left: a function of their columns, or LATERAL. */
  #readsOthers({ node }: ScopeSource): boolean {
    return node.kind === 'derived' ? node.lateral : node.args !== null;
  }

  #givesOneRow({ node, relation }: ScopeSource): boolean {
    if (node.kind === 'derived') return givesOneRow(node.select);
    if (relation.table !== null) return false;
    const common = this.#query.sites.selects.flatMap((select) => select.node.with?.tables ?? []);
    const own = common.find(({ name }) => name.name.toLowerCase() === node.name.name.toLowerCase());
    return own === undefined || givesOneRow(own.select);
  }
}

function givesOneRow({ terms, limit }: Select): boolean {
  const [only, ...others] = terms;
  if (limit?.count?.kind === 'literal' && limit.count.value === '1') return true;
  if (only === undefined || others.length > 0) return false;
  const { body } = only;
  if (body.kind === 'select') return givesOneRow(body);
  if (body.kind === 'values') return body.rows.length === 1;
  return body.from === null || (body.groupBy.length === 0 && selectsAggregate(body));
}

function namesOf(query: ReadQuery, group: readonly ScopeSource[]): string {
  const names = group.map(({ node }) => (node.kind === 'table' ? query.text(node).replace(/\s+/g, ' ') : 'a subquery'));
  return names.join(', ');
}

/**
 * Why a table is not tied to others: the first condition of a join that names less than two of its tables, if there is
 * one. `ON true` names none: it fills the place of a condition without being one.
 */
function reasonOf(query: ReadQuery, core: CoreSite, ties: Ties): string {
  for (const condition of joinsOf(core.node.from).map(onCondition)) {
    if (condition === null) continue;
    const { own } = ties.tablesIn(condition);
    if (own.length === 1) return `; ${query.text(condition)} names one table alone`;
    if (own.length === 0) return `; ON ${query.text(condition)} names no table`;
  }
  return '';
}

/** Checks whether the rows at hand show that tables are paired: one of them has several. */
async function hasSeveralRows(
  { rows }: AuditedGold,
  query: ReadQuery,
  group: readonly ScopeSource[],
): Promise<boolean> {
  for (const { relation } of group) {
    const table = query.database.tables[relation.table ?? -1];
    const facts = await rows?.facts(table?.originalName ?? '', table?.columns[0]?.originalName ?? '');
    if (facts != null && facts.rows > 1) return true;
  }
  return false;
}

async function findingOf(gold: AuditedGold, query: ReadQuery, core: CoreSite): Promise<GoldFinding | null> {
  const ties = new Ties(query, core);
  const loose = ties.loose();
  const last = loose.at(-1);
  if (last === undefined) return null;
  const others = loose.slice(0, -1).flat();
  const sentence = `No condition ties ${namesOf(query, last)} to ${namesOf(query, others)}, so that each row is paired with all of the other${reasonOf(query, core, ties)}.`;
  return plainFinding('unjoined-table', sentence, await hasSeveralRows(gold, query, last));
}

/** Gold queries that read tables without a condition between them. */
export async function checkUnjoinedTables(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const { written } = gold;
  if (written === null) return [];
  const cores = written.sites.cores.filter(({ bound }) => bound.sources.length > 1);
  return findEach(cores, (core) => findingOf(gold, written, core));
}
