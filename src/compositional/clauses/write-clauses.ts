import { columnAt, type Database } from '../../schema/schema.js';
import { renderIdentifier, renderString } from '../../sql/dialect.js';
import {
  type Clause,
  type ClauseComparison,
  type ClauseCondition,
  type ClauseQuery,
  clausesOfKind,
  type ClauseValue,
} from './clause.js';
import { groupKeys, isAggregated, type TableUse, useKey, usesOf } from './clause-parts.js';
import { ClauseRefusal } from './clause-refusal.js';
import type { JoinKey } from './join-keys.js';
import { type JoinPlan, planOf } from './join-plan.js';

/** The context for writing values of one SELECT. */
interface WriteContext {
  readonly database: Database;
  /** The alias of a use of a table, or null where the SELECT has one table. */
  readonly alias: (table: number, copy: number) => string | null;
  /** Writes a nested query. */
  readonly nested: (query: ClauseQuery) => string;
}

function operandText(value: ClauseValue, context: WriteContext): string {
  const text = writeValue(value, context);
  return value.kind === 'arithmetic' ? `(${text})` : text;
}

/** The SQL of a value. */
function writeValue(value: ClauseValue, context: WriteContext): string {
  switch (value.kind) {
    case 'column': {
      const name = renderIdentifier(columnAt(context.database, value).originalName);
      const alias = context.alias(value.table, value.copy);
      return alias === null ? name : `${alias}.${name}`;
    }
    case 'star': {
      const alias = value.table === null ? null : context.alias(value.table, 0);
      return alias === null ? '*' : `${alias}.*`;
    }
    case 'literal':
      return value.type === 'string' ? renderString(value.value) : value.value;
    case 'call': {
      const args = value.args.map((arg) => (arg.kind === 'star' ? '*' : writeValue(arg, context)));
      return `${value.name}(${value.distinct ? 'DISTINCT ' : ''}${args.join(', ')})`;
    }
    case 'arithmetic':
      return `${operandText(value.left, context)} ${value.operator} ${operandText(value.right, context)}`;
    case 'query':
      return `(${context.nested(value.query)})`;
    case 'cast':
      return `CAST(${writeValue(value.operand, context)} AS ${value.type})`;
    case 'case': {
      const branches = value.branches.map(
        ({ when, then }) => `WHEN ${writeConditions(when, context)} THEN ${writeValue(then, context)}`,
      );
      const otherwise = value.otherwise === null ? '' : ` ELSE ${writeValue(value.otherwise, context)}`;
      return `CASE ${branches.join(' ')}${otherwise} END`;
    }
  }
}

function writeComparison({ left, negated, operator, right }: ClauseComparison, context: WriteContext): string {
  const operand = left === null ? '' : `${operandText(left, context)} `;
  const values = right.map((value) => operandText(value, context));
  const not = negated ? 'NOT ' : '';
  switch (operator) {
    case 'between':
      return `${operand}${not}BETWEEN ${values.join(' AND ')}`;
    case 'in': {
      const isQuery = right[0]?.kind === 'query' && right.length === 1;
      return `${operand}${not}IN ${isQuery ? values.join('') : `(${values.join(', ')})`}`;
    }
    case 'like':
      return `${operand}${not}LIKE ${values.join('')}`;
    case 'is':
      return `${operand}IS ${not}${values.join('')}`;
    case 'exists':
      return `${not}EXISTS ${values.join('')}`;
    default:
      return `${not}${operand}${operator} ${values.join('')}`;
  }
}

/** The SQL of conditions with their connectives; that of the first is not written. */
function writeConditions(conditions: readonly ClauseCondition[], context: WriteContext): string {
  const texts = conditions.map(({ connective, test }, i) => {
    const word = i === 0 ? '' : ` ${(connective ?? 'and').toUpperCase()} `;
    if (test.kind === 'comparison') return word + writeComparison(test, context);
    return `${word}${test.negated ? 'NOT ' : ''}(${writeConditions(test.conditions, context)})`;
  });
  return texts.join('');
}

/** The text of a clause as people read it: `select stadium.name`, `related concert`, `order by singer.age desc`. */
export function clauseText(clause: Clause, database: Database): string {
  const values: WriteContext = {
    database,
    alias: (table, copy) =>
      renderIdentifier(database.tables[table]?.originalName ?? String(table)) + (copy > 0 ? `#${copy}` : ''),
    nested: (query) => queryText(query, database),
  };
  switch (clause.kind) {
    case 'select':
      return `select ${writeValue(clause.value, values)}`;
    case 'related':
      return `related ${values.alias(clause.table, clause.copy) ?? ''}`;
    case 'via':
      return `via ${writeValue(clause.from, values)} = ${writeValue(clause.to, values)}`;
    case 'condition':
      return `${clause.connective === null ? '' : `${clause.connective} `}${writeConditions([clause], values)}`;
    case 'group':
      return `group by ${writeValue(clause.value, values)}`;
    case 'order':
      return `order by ${writeValue(clause.value, values)} ${clause.direction}`;
    case 'limit':
      return `limit ${clause.count}${clause.offset === 0 ? '' : ` offset ${clause.offset}`}`;
    case 'set':
      return `${clause.operator} (${queryText(clause.query, database)})`;
  }
}

/** The clauses of a query, with `·` between them. */
export function queryText({ distinct, clauses }: ClauseQuery, database: Database): string {
  return `${distinct ? 'distinct · ' : ''}${clauses.map((clause) => clauseText(clause, database)).join(' · ')}`;
}

class ClauseWriter {
  readonly #database: Database;
  readonly #keys: readonly JoinKey[];
  #aliases = 0;

  constructor(database: Database, keys: readonly JoinKey[]) {
    this.#database = database;
    this.#keys = keys;
  }

  query(query: ClauseQuery): string {
    const selects = clausesOfKind(query, 'select');
    const context = this.#context(query);
    const sets = clausesOfKind(query, 'set').map(({ operator, query: term }) => {
      const inherits = clausesOfKind(term, 'select').length === 0;
      const full = inherits ? { ...term, clauses: [...selects, ...term.clauses] } : term;
      return ` ${operator.toUpperCase()} ${this.query(full)}`;
    });
    return this.#core(query, context) + sets.join('') + ending(query, context.values);
  }

  #context(query: ClauseQuery): { readonly values: WriteContext; readonly from: string } {
    const plan = this.#plan(query);
    const [first, ...others] = plan.uses;
    const aliases = new Map<string, string>();
    const isOnly = first !== undefined && others.length === 0;
    for (const use of isOnly ? [] : plan.uses) aliases.set(useKey(use), `T${++this.#aliases}`);
    const values: WriteContext = {
      database: this.#database,
      alias: (table, copy) => aliases.get(useKey({ table, copy })) ?? null,
      nested: (nested) => this.query(nested),
    };
    return { values, from: this.#from(plan, values) };
  }

  #plan({ clauses }: ClauseQuery): JoinPlan {
    const plan = planOf(clauses, this.#keys);
    if (plan !== null) return plan;
    const names = usesOf(clauses).map(({ table }) => this.#database.tables[table]?.originalName ?? String(table));
    throw new ClauseRefusal(names.length === 0 ? 'no-from' : 'unjoined-tables', names.join(', '));
  }

  #from({ uses, edges }: JoinPlan, values: WriteContext): string {
    const known = new Set<string>();
    const written = new Set<unknown>();
    const parts = uses.map((use, i) => {
      known.add(useKey(use));
      const on = edges.filter(
        (edge) => !written.has(edge) && [edge.from, edge.to].every((end) => known.has(useKey(end))),
      );
      for (const edge of on) written.add(edge);
      const equal = on.map(({ from, to }) => `${writeValue(from, values)} = ${writeValue(to, values)}`);
      return (
        (i === 0 ? '' : ' JOIN ') + this.#source(use, values) + (equal.length === 0 ? '' : ` ON ${equal.join(' AND ')}`)
      );
    });
    return parts.join('');
  }

  #source({ table, copy }: TableUse, values: WriteContext): string {
    const name = renderIdentifier(this.#database.tables[table]?.originalName ?? '');
    const alias = values.alias(table, copy);
    return alias === null ? name : `${name} AS ${alias}`;
  }

  #core(query: ClauseQuery, { values, from }: { readonly values: WriteContext; readonly from: string }): string {
    const selects = clausesOfKind(query, 'select').map(({ value }) => writeValue(value, values));
    if (selects.length === 0) throw new ClauseRefusal('no-select', '');
    const { where, having } = splitConditions(clausesOfKind(query, 'condition'));
    const groups = groupKeys(query, this.#database).map((value) => writeValue(value, values));
    return [
      `SELECT ${query.distinct ? 'DISTINCT ' : ''}${selects.join(', ')} FROM ${from}`,
      where.length === 0 ? '' : ` WHERE ${writeConditions(where, values)}`,
      groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')}`,
      having.length === 0 ? '' : ` HAVING ${writeConditions(having, values)}`,
    ].join('');
  }
}

function ending(query: ClauseQuery, values: WriteContext): string {
  const order = clausesOfKind(query, 'order').map(
    ({ value, direction }) => `${writeValue(value, values)} ${direction.toUpperCase()}`,
  );
  const [limit] = clausesOfKind(query, 'limit');
  const offset = limit === undefined || limit.offset === 0 ? '' : ` OFFSET ${limit.offset}`;
  const by = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  return limit === undefined ? by : `${by} LIMIT ${limit.count}${offset}`;
}

/** Conditions on rows, and those on groups; between the two is AND. */
function splitConditions(conditions: readonly ClauseCondition[]): {
  readonly where: readonly ClauseCondition[];
  readonly having: readonly ClauseCondition[];
} {
  const having = conditions.filter(isAggregated);
  const where = conditions.filter((condition) => !isAggregated(condition));
  const crosses = conditions.some((condition, i) => {
    const before = conditions[i - 1];
    return condition.connective === 'or' && before !== undefined && isAggregated(before) !== isAggregated(condition);
  });
  if (crosses) throw new ClauseRefusal('having-or', '');
  return { where, having };
}

/**
 * The SQL of a query in clauses: FROM and joins by the shortest way over `keys`, GROUP BY as its clauses say, or by the
 * plain columns selected where aggregates are next to them.
 * @throws ClauseRefusal where the tables can't be joined, or nothing is selected
 */
export function sqlOf(query: ClauseQuery, database: Database, keys: readonly JoinKey[]): string {
  return new ClauseWriter(database, keys).query(query);
}
