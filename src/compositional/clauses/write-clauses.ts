import type { Database } from '../../schema/schema.js';
import { renderIdentifier } from '../../sql/dialect.js';
import { type ClauseCondition, type ClauseQuery, clausesOfKind } from './clause.js';
import { isAggregated } from './clause-parts.js';
import { ClauseRefusal } from './clause-refusal.js';
import { groupKeys } from './group-keys.js';
import type { JoinKey } from './join-keys.js';
import { type JoinPlan, planOf, type TableUse, useKey, usesOf } from './join-plan.js';
import { type WriteContext, writeConditions, writeValue } from './write-value.js';

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
