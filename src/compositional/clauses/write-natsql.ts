import { columnAt, type Database } from '../../schema/schema.js';
import {
  type Clause,
  type ClauseCondition,
  type ClauseQuery,
  clausesOfKind,
  type ClauseValue,
  type SetClause,
} from './clause.js';
import { ClauseRefusal } from './clause-refusal.js';
import { usesOf } from './clause-parts.js';

/** A query as NatSQL, with the numbers that Spider-SS gives to its parts. */
export interface NatSqlText {
  readonly text: string;
  /** By index of the clause: its part's number; the first, where it has several. */
  readonly parts: readonly number[];
}

/** Conditions in the order written: a connective before each but the first. */
interface WrittenCondition {
  readonly clause: number;
  readonly connective: string | null;
  /** Its own, then those of a nested query, with AND between. */
  readonly texts: readonly string[];
}

class NatSqlWriter {
  readonly #database: Database;
  readonly #query: ClauseQuery;

  constructor(query: ClauseQuery, database: Database) {
    this.#query = query;
    this.#database = database;
  }

  write(): NatSqlText {
    const { clauses, distinct } = this.#query;
    if (clauses.some(({ kind }) => kind === 'via')) throw refusal('a join by another key');
    const parts = clauses.map(() => -1);
    let next = 0;
    const number = (kind: Clause['kind']): void =>
      clauses.forEach((clause, i) => clause.kind === kind && (parts[i] = next++));
    number('select');
    const conditions = this.#conditions();
    const where = conditions.map(({ clause, connective, texts }, i) => {
      if (i > 0 || connective !== null) next++;
      parts[clause] = next;
      next += texts.length * 2 - 1;
      return `${connective === null ? '' : `${connective} `}${texts.join(' and ')}`;
    });
    number('group');
    const order = clauses.flatMap(({ kind }, i) => (kind === 'order' ? [i] : []));
    for (const i of order) parts[i] = next;
    if (order.length > 0) next++;
    number('limit');
    const select = clausesOfKind(this.#query, 'select').map(({ value }) => this.#value(value));
    const text = `select ${distinct ? 'distinct ' : ''}${select.join(' , ')} from ${this.#from()}`;
    return {
      text: [text, where.length === 0 ? '' : `where ${where.join(' ')}`, ...this.#ending()]
        .filter((t) => t !== '')
        .join(' '),
      parts,
    };
  }

  #from(): string {
    const [first] = usesOf(this.#query.clauses);
    if (first === undefined) throw refusal('no table');
    return this.#table(first.table);
  }

  #table(table: number): string {
    return (this.#database.tables[table]?.originalName ?? '').toLowerCase();
  }

  /** Conditions with a nested query come last: NatSQL takes what follows one as part of it. */
  #conditions(): readonly WrittenCondition[] {
    const all = this.#query.clauses.flatMap((clause, i): WrittenCondition[] => {
      if (clause.kind === 'related')
        return [{ clause: i, connective: 'and', texts: [`@.@ join ${this.#table(clause.table)}.*`] }];
      if (clause.kind === 'condition') {
        return [{ clause: i, connective: clause.connective ?? 'and', texts: this.#condition(clause, true) }];
      }
      return clause.kind === 'set' ? [{ clause: i, ...this.#set(clause) }] : [];
    });
    const isNested = ({ texts, connective }: WrittenCondition): boolean =>
      connective !== 'or' && (texts.length > 1 || (texts[0]?.startsWith('@') === true && !texts[0].includes(' join ')));
    const sorted = [...all.filter((one) => !isNested(one)), ...all.filter(isNested)];
    if (sorted.some((one, i) => one !== all[i]) && all.some(({ connective }) => connective === 'or')) {
      throw refusal('OR next to a nested query');
    }
    return sorted.map((one, i) => (i === 0 && !one.connective?.endsWith('_') ? { ...one, connective: null } : one));
  }

  #set({ operator, query }: SetClause): Pick<WrittenCondition, 'connective' | 'texts'> {
    const inner = this.#nestedTexts(query);
    const [use] = usesOf(query.clauses);
    if (operator === 'union all' || use === undefined || clausesOfKind(query, 'select').length > 0) {
      throw refusal('a term that selects something else');
    }
    const joined = query.clauses.some((clause) => clause.kind === 'related' && clause.table === use.table);
    const rest = joined ? inner.filter((text) => text !== `@.@ join ${this.#table(use.table)}.*`) : inner;
    return { connective: `${operator}_`, texts: [`@.@ is ${this.#table(use.table)}.*`, ...rest] };
  }

  #nestedTexts(query: ClauseQuery): readonly string[] {
    return query.clauses.flatMap((clause): readonly string[] => {
      if (clause.kind === 'select') return [];
      if (clause.kind === 'related') return [`@.@ join ${this.#table(clause.table)}.*`];
      if (clause.kind !== 'condition' || clause.connective === 'or') throw refusal('a nested query of this form');
      return this.#condition(clause, false);
    });
  }

  #condition({ test }: ClauseCondition, mayNest: boolean): readonly string[] {
    if (test.kind === 'any' || test.left === null || test.operator === 'is') throw refusal('a condition of this form');
    const { left, negated, operator, right } = test;
    const [first] = right;
    const word = `${negated ? 'not ' : ''}${operator}`;
    if (first?.kind === 'query' && mayNest) {
      const [select] = clausesOfKind(first.query, 'select');
      if (select === undefined || first.query.distinct) throw refusal('a nested query of this form');
      return [`@.@ ${word} ${this.#value(select.value)}`, ...this.#nestedTexts(first.query)];
    }
    if (operator === 'in') throw refusal('a list');
    return [`${this.#value(left)} ${word} ${right.map((value) => this.#value(value)).join(' and ')}`];
  }

  #ending(): readonly string[] {
    const groups = clausesOfKind(this.#query, 'group').map(({ value }) => this.#value(value));
    const orders = clausesOfKind(this.#query, 'order');
    const [limit] = clausesOfKind(this.#query, 'limit');
    if (clausesOfKind(this.#query, 'group').some(({ value }) => value.kind !== 'column')) throw refusal('a group key');
    const directions = new Set(orders.map(({ direction }) => direction));
    if (directions.size > 1 || (limit?.offset ?? 0) > 0) throw refusal('an order of this form');
    const order = orders.map(({ value }) => this.#value(value)).join(' , ');
    return [
      groups.length === 0 ? '' : `group by ${groups.join(' , ')}`,
      orders.length === 0 ? '' : `order by ${order} ${[...directions].join('')}`,
      limit === undefined ? '' : `limit ${limit.count}`,
    ];
  }

  #value(value: ClauseValue): string {
    switch (value.kind) {
      case 'column':
        if (value.copy > 0) throw refusal('a table joined with itself');
        return `${this.#table(value.table)}.${columnAt(this.#database, value).originalName}`;
      case 'star':
        if (value.table === null) throw refusal('a star of several tables');
        return `${this.#table(value.table)}.*`;
      case 'literal':
        return value.type === 'string' ? `"${value.value}"` : value.value;
      case 'call':
        return `${value.name} ( ${value.distinct ? 'distinct ' : ''}${value.args.map((arg) => this.#value(arg)).join(' , ')} )`;
      case 'arithmetic':
        return `${this.#value(value.left)} ${value.operator} ${this.#value(value.right)}`;
      default:
        throw refusal('a value of this form');
    }
  }
}

function refusal(what: string): ClauseRefusal {
  return new ClauseRefusal('natsql', what);
}

/**
 * A query in clauses as NatSQL, as Spider-SS and the NatSQL data set write it, group keys included.
 * @throws ClauseRefusal `natsql` where NatSQL has no form for it
 */
export function natSqlOf(query: ClauseQuery, database: Database): NatSqlText {
  return new NatSqlWriter(query, database).write();
}
