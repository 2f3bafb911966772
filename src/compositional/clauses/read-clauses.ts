import type {
  Clause,
  ClauseCondition,
  ClauseQuery,
  ClauseStar,
  ClauseValue,
  GroupClause,
  RelatedClause,
  SetClause,
  ViaClause,
} from './clause.js';
import { groupKeys, isAggregated, mapValues, starsOf, type TableUse, useKey, usesOf } from './clause-parts.js';
import { ClauseRefusal } from './clause-refusal.js';
import type { Database, ForeignKey } from '../../schema/schema.js';
import { isSamePlan, type JoinEdge, type JoinPlan, planJoins } from './join-plan.js';
import { unparenthesized } from '../../sql/ast-walk.js';
import type { CompoundTerm, Expression, OrderingTerm, Select, SelectCore } from '../../sql/ast.js';
import { bindQuery } from '../../sql/binder.js';
import type { JoinKey } from './join-keys.js';
import { QueryNames, readFrom } from './read-from.js';
import { joined, ValueReader } from './read-value.js';

/**
 * Says in clauses what FROM says and the clauses don't imply: stars get the table whose rows they count, tables that
 * nothing mentions a `related` clause, keys that would not be taken a `via` clause.
 * @throws ClauseRefusal where FROM's tables are not joined, or no clauses give its joins back
 */
function impliedJoins(clauses: readonly Clause[], from: JoinPlan, keys: readonly ForeignKey[]): readonly Clause[] {
  const starred = starredClauses(clauses, from, keys);
  for (const vias of [[], 'needed', from.edges] as const) {
    const added = completed(starred, from, keys, vias);
    if (added !== null) return [...starred.filter(isSelect), ...added, ...starred.filter((c) => !isSelect(c))];
  }
  const reason = planJoins(from.uses, from.edges, []) === null ? 'unjoined-tables' : 'join-way';
  throw new ClauseRefusal(reason, '');
}

function isSelect({ kind }: Clause): boolean {
  return kind === 'select';
}

/** The clauses to add so that the tables and joins are FROM's, with these edges as `via`; null where they are not. */
function completed(
  clauses: readonly Clause[],
  from: JoinPlan,
  keys: readonly ForeignKey[],
  vias: readonly JoinEdge[] | 'needed',
): readonly Clause[] | null {
  const edges = vias === 'needed' ? neededEdges(clauses, from, keys) : vias;
  const plan = planJoins(usesOf(clauses), edges, keys);
  const related = uncovered(plan, from).map(({ table, copy }): RelatedClause => ({ kind: 'related', table, copy }));
  const all = planJoins(usesOf([...clauses, ...related]), edges, keys);
  if (all === null || !isSamePlan(all, from)) return null;
  const via = edges.map((edge): ViaClause => ({ kind: 'via', from: edge.from, to: edge.to }));
  return [...related, ...via];
}

/** The edges of FROM that joining all its tables by the keys doesn't give. */
function neededEdges(clauses: readonly Clause[], from: JoinPlan, keys: readonly ForeignKey[]): readonly JoinEdge[] {
  const plan = planJoins([...usesOf(clauses), ...from.uses], [], keys);
  const key = ({ from: a, to: b }: JoinEdge): string =>
    [a, b]
      .map((c) => `${useKey(c)}.${c.column}`)
      .sort()
      .join('=');
  const given = new Set((plan?.edges ?? []).map(key));
  return from.edges.filter((edge) => !given.has(key(edge)));
}

/** Uses of FROM that a plan has not. */
function uncovered(plan: JoinPlan | null, from: JoinPlan): readonly TableUse[] {
  const covered = new Set((plan?.uses ?? []).map(useKey));
  return from.uses.filter((use) => !covered.has(useKey(use)));
}

/** Clauses whose stars say whose rows they mean. */
function starredClauses(clauses: readonly Clause[], from: JoinPlan, keys: readonly ForeignKey[]): readonly Clause[] {
  const [first, ...others] = from.uses;
  const selected = clauses.some((clause) => clause.kind === 'select' && clause.value.kind === 'star');
  if (!clauses.some((clause) => starsOf(clause).length > 0) || first === undefined) return clauses;
  const table = others.length === 0 ? first.table : selected ? null : countedTable(clauses, from, keys);
  const star: ClauseStar = { kind: 'star', table };
  const set = (value: ClauseValue): ClauseValue => (value.kind === 'star' && value.table === null ? star : value);
  return clauses.map((clause) => mapValues(clause, set));
}

/** The table whose rows `count(*)` counts: one that no column mentions, else one that refers and is not referred to. */
function countedTable(clauses: readonly Clause[], from: JoinPlan, keys: readonly ForeignKey[]): number | null {
  const missing = uncovered(planJoins(usesOf(clauses), [], keys), from).filter(({ copy }) => copy === 0);
  const degree = (use: TableUse): number =>
    from.edges.filter((edge) => useKey(edge.from) === useKey(use) || useKey(edge.to) === useKey(use)).length;
  const leaf = missing.find((use) => degree(use) === 1) ?? missing[0];
  const isReferred = ({ table }: TableUse): boolean =>
    keys.some(({ from: a, to: b }) => b.table === table && from.uses.some((use) => use.table === a.table));
  return (leaf ?? from.uses.find((use) => use.copy === 0 && !isReferred(use)) ?? from.uses[0])?.table ?? null;
}

class ClauseReader {
  readonly #sql: string;
  readonly #names: QueryNames;
  readonly #database: Database;
  readonly #keys: readonly JoinKey[];

  constructor(sql: string, names: QueryNames, database: Database, keys: readonly JoinKey[]) {
    this.#sql = sql;
    this.#database = database;
    this.#names = names;
    this.#keys = keys;
  }

  query(select: Select): ClauseQuery {
    if (select.with !== null) throw new ClauseRefusal('with', '');
    const [first, ...others] = select.terms;
    if (first === undefined) throw new ClauseRefusal('unreadable', this.#sql);
    const main = this.#core(first, select);
    const sets = others.map((term) => this.#set(term, main.query));
    return placed(main.query, sets);
  }

  #set(term: CompoundTerm, main: ClauseQuery): SetClause {
    const operator = (term.operator ?? 'UNION').toLowerCase() as SetClause['operator'];
    const { query } = this.#core(term, null);
    const selects = (of: ClauseQuery): string => JSON.stringify(of.clauses.filter(({ kind }) => kind === 'select'));
    if (selects(query) !== selects(main)) return { kind: 'set', operator, query };
    const clauses = query.clauses.filter(({ kind }) => kind !== 'select');
    return { kind: 'set', operator, query: { ...query, clauses } };
  }

  /**
   * Reads one SELECT of a query, and returns what reads the values of ORDER BY, too; `ending` is the query whose ORDER BY
   * and LIMIT belong to the core, or null.
   */
  #core({ body }: CompoundTerm, ending: Select | null) {
    if (body.kind === 'select') throw new ClauseRefusal('nested-compound', '');
    if (body.kind === 'values') throw new ClauseRefusal('values', '');
    if (body.distinctOn.length > 0 || body.windows.length > 0) throw new ClauseRefusal('window', '');
    const from = readFrom(body, this.#names);
    const outputs: ClauseValue[] = [];
    const values = new ValueReader({
      sql: this.#sql,
      names: this.#names,
      uses: from.uses,
      nested: (select) => this.query(select),
      output: (index) => outputOf(outputs, index),
    });
    outputs.push(...this.#selected(body, from, values));
    const clauses = [
      ...outputs.map((value): Clause => ({ kind: 'select', value })),
      ...this.#conditions(body, from.conditions, values, outputs),
      ...body.groupBy.map((expression): GroupClause => ({
        kind: 'group',
        value: this.#term(expression, values, outputs),
      })),
      ...(ending === null ? [] : this.#ending(ending, values, outputs)),
    ];
    const plan = { uses: [...from.uses.values()], edges: from.edges };
    const query = { distinct: body.quantifier === 'DISTINCT', clauses: impliedJoins(clauses, plan, this.#keys) };
    if (body.columns.some((column) => column.kind === 'star' && column.table === null))
      this.#checkStar(query, plan, body);
    const isUngrouped = groupKeys(query, this.#database).length > body.groupBy.length;
    if (isUngrouped) return { query: inOneGroup(query), values, outputs };
    return { query, values, outputs };
  }

  /** The columns of `*` come in the order of FROM, and only once where USING matches them. */
  #checkStar({ clauses }: ClauseQuery, plan: JoinPlan, core: SelectCore): void {
    const vias = clauses.filter((clause) => clause.kind === 'via');
    const written = planJoins(usesOf(clauses.filter(({ kind }) => kind !== 'via')), vias, this.#keys);
    const keys = (uses: readonly TableUse[] = []): string => uses.map(useKey).join();
    if (keys(written?.uses) !== keys(plan.uses) || this.#names.hasMerges(core)) {
      throw new ClauseRefusal('star-in-expression', '* of several tables');
    }
  }

  #selected(core: SelectCore, { uses }: ReturnType<typeof readFrom>, values: ValueReader): readonly ClauseValue[] {
    return core.columns.map((column) => {
      if (column.kind === 'result') return values.value(column.expression);
      if (column.table === null) return { kind: 'star', table: null };
      const label = column.table.name.toLowerCase();
      const source = [...uses].find(([{ label: name }]) => name?.toLowerCase() === label);
      if (source === undefined || source[1].copy > 0) throw new ClauseRefusal('star-in-expression', label);
      return { kind: 'star', table: source[1].table };
    });
  }

  #conditions(
    { groupBy, having }: SelectCore,
    where: readonly Expression[],
    values: ValueReader,
    outputs: readonly ClauseValue[],
  ): readonly ClauseCondition[] {
    const rows = readAll(where, values);
    if (having === null) return rows;
    const groups = values.conditions(having);
    if (!groups.every(isAggregated)) {
      const keys = groupBy.map((expression) => JSON.stringify(this.#term(expression, values, outputs)));
      checkPlain(groups, keys);
    }
    const isMixed = !groups.every(isAggregated) && rows.some(({ connective }) => connective === 'or');
    return joined(isMixed ? [inParentheses(rows)] : rows, 'and', groups);
  }

  /** A whole term of GROUP BY or ORDER BY: a number is the result column of that position. */
  #term(expression: Expression, values: ValueReader, outputs: readonly ClauseValue[]): ClauseValue {
    const bare = unparenthesized(expression);
    if (bare.kind === 'literal' && bare.type === 'number') return outputOf(outputs, Number(bare.value) - 1);
    return values.value(bare);
  }

  #ending(select: Select, values: ValueReader, outputs: readonly ClauseValue[]): readonly Clause[] {
    const order = select.orderBy.map((term: OrderingTerm): Clause => {
      if (term.nulls !== null) throw new ClauseRefusal('nulls', '');
      const direction = term.direction === 'DESC' ? 'desc' : 'asc';
      return { kind: 'order', value: this.#term(term.expression, values, outputs), direction };
    });
    const { limit } = select;
    if (limit === null) return order;
    return [...order, { kind: 'limit', count: numberOf(limit.count), offset: numberOf(limit.offset, 0) }];
  }
}

/** A result column by its position, which a star before it would change. */
function outputOf(outputs: readonly ClauseValue[], index: number): ClauseValue {
  const value = outputs[index];
  if (value === undefined) throw new ClauseRefusal('expression', `result column ${index + 1}`);
  if (outputs.slice(0, index + 1).some(({ kind }) => kind === 'star'))
    throw new ClauseRefusal('star-in-expression', '');
  return value;
}

/** Conditions joined by AND: one with OR in it, next to others, is in parentheses. */
function readAll(where: readonly Expression[], values: ValueReader): readonly ClauseCondition[] {
  let all: readonly ClauseCondition[] = [];
  for (const expression of where) {
    const read = values.conditions(expression);
    const isOr = where.length > 1 && read.some(({ connective }) => connective === 'or');
    all = joined(all, 'and', isOr ? [inParentheses(read)] : read);
  }
  return all;
}

function inParentheses(conditions: readonly ClauseCondition[]): ClauseCondition {
  return { kind: 'condition', connective: null, test: { kind: 'any', negated: false, conditions } };
}

/** Conditions on group keys alone can be of WHERE; others of HAVING can't. */
function checkPlain(having: readonly ClauseCondition[], keys: readonly string[]): void {
  if (having.some(({ connective }) => connective === 'or')) throw new ClauseRefusal('having-or', '');
  for (const condition of having) {
    const { test } = condition;
    const left = test.kind === 'comparison' ? JSON.stringify(test.left) : '';
    if (!isAggregated(condition) && !keys.includes(left)) throw new ClauseRefusal('having-plain', '');
  }
}

function numberOf(expression: Expression | null, missing?: number): number {
  if (expression === null && missing !== undefined) return missing;
  const bare = expression === null ? null : unparenthesized(expression);
  const isWhole = bare?.kind === 'literal' && bare.type === 'number' && /^\d+$/.test(bare.value);
  if (!isWhole) throw new ClauseRefusal('limit', '');
  return Number(bare.value);
}

/** An aggregate next to a plain column without GROUP BY: said, since grouping would be taken from the aggregate. */
function inOneGroup(query: ClauseQuery): ClauseQuery {
  return placed(query, [{ kind: 'group', value: { kind: 'literal', type: 'null', value: 'NULL' } }]);
}

/** The terms of a compound before ORDER BY and LIMIT. */
function placed({ distinct, clauses }: ClauseQuery, sets: readonly Clause[]): ClauseQuery {
  const isEnd = ({ kind }: Clause): boolean => kind === 'order' || kind === 'limit';
  return { distinct, clauses: [...clauses.filter((c) => !isEnd(c)), ...sets, ...clauses.filter(isEnd)] };
}

/**
 * A query in clauses. `keys` are the database's join keys (`joinKeysOf`), the same that `sqlOf` is given.
 * @throws ClauseRefusal with the reason where the query has no clause form
 */
export function clausesOf(sql: string, database: Database, keys: readonly JoinKey[]): ClauseQuery {
  const bound = bindOrRefuse(sql, database);
  return new ClauseReader(sql, new QueryNames(bound), database, keys).query(bound.select);
}

function bindOrRefuse(sql: string, database: Database): ReturnType<typeof bindQuery> {
  try {
    return bindQuery(sql, database);
  } catch (cause) {
    throw new ClauseRefusal('unreadable', cause instanceof Error ? cause.message : '', { cause });
  }
}
