import { columnKey, type Database } from '../../schema/schema.js';
import { columnNamed, tableNamed } from '../../sql/schema-names.js';
import type {
  Clause,
  ClauseColumn,
  ClauseComparison,
  ClauseCondition,
  ClauseQuery,
  ClauseValue,
  ComparisonOperator,
} from './clause.js';
import { columnOf, columnsOf } from './clause-parts.js';
import { ClauseRefusal } from './clause-refusal.js';
import type { JoinKey } from './join-keys.js';
import { type NatSqlCondition, type NatSqlName, parseNatSql, type ParsedNatSql } from './natsql-parser.js';

/** A NatSQL query in clauses, with the clauses of each part that Spider-SS numbers. */
export interface NatSqlClauses {
  readonly query: ClauseQuery;
  /**
   * By Spider-SS's number (select items, then conditions and the connectives between them, group keys, the order, the
   * limit): indexes of the clauses; none for a connective.
   */
  readonly parts: readonly (readonly number[])[];
}

/** A clause with the parts that it says. */
interface PartClause {
  readonly clause: Clause;
  readonly parts: readonly number[];
}

/** Conditions of a nested query or a term of a compound, while they are gathered. */
interface OpenTerm {
  readonly clauses: Clause[];
  readonly parts: number[];
  readonly close: (clauses: readonly Clause[]) => Clause;
}

class NatSqlReader {
  readonly #database: Database;
  readonly #keys: readonly JoinKey[];
  readonly #from: number;
  readonly #parsed: ParsedNatSql;
  readonly #selects: readonly ClauseValue[];

  constructor(parsed: ParsedNatSql, database: Database, keys: readonly JoinKey[]) {
    this.#database = database;
    this.#keys = keys;
    this.#parsed = parsed;
    this.#from = tableNamed(database, parsed.from);
    if (this.#from < 0) throw new ClauseRefusal('natsql', `the table ${parsed.from}`);
    this.#selects = parsed.select.map((item) => this.#value(item));
  }

  read(groups: readonly ClauseColumn[]): NatSqlClauses {
    const { select, conditions, groupBy, orderBy, limit, direction } = this.#parsed;
    let part = 0;
    const all: PartClause[] = this.#selects.map((value) => ({ clause: { kind: 'select', value }, parts: [part++] }));
    const order: PartClause[] = [];
    const closed = this.#conditions(conditions, select.length);
    part = select.length + conditions.reduce((sum, condition, i) => sum + partsOf(condition, i), 0);
    const keys = groupBy.length > 0 ? groupBy.map((item) => this.#value(item)) : groups;
    const group = keys.map((value): PartClause => ({ clause: { kind: 'group', value }, parts: [part++] }));
    for (const item of orderBy)
      order.push({ clause: { kind: 'order', value: this.#value(item), direction }, parts: [part] });
    if (orderBy.length > 0) part++;
    if (limit !== null) order.push({ clause: { kind: 'limit', count: limit, offset: 0 }, parts: [part++] });
    const inner = order.length > 0 && closed.nested !== null && this.#isOrdered(closed.nested);
    if (inner) closed.nested?.clauses.push(...order.map(({ clause }) => clause));
    if (inner) closed.nested?.parts.push(...order.flatMap(({ parts }) => parts));
    all.push(...closed.finish(), ...group, ...(inner ? [] : order));
    return numbered(all, this.#parsed.distinct, part);
  }

  /** Checks whether the query's order is that of its nested query: one column is wanted of it, not an aggregate. */
  #isOrdered({ clauses }: OpenTerm): boolean {
    const [select] = clauses;
    return select?.kind === 'select' && select.value.kind === 'column';
  }

  #conditions(
    conditions: readonly NatSqlCondition[],
    first: number,
  ): { readonly nested: OpenTerm | null; readonly finish: () => readonly PartClause[] } {
    const done: (PartClause | OpenTerm)[] = [];
    const seen = new Set<string>();
    let open: OpenTerm | null = null;
    let part = first - 1;
    for (const [i, condition] of conditions.entries()) {
      part += partsOf(condition, i);
      const started = this.#opened(condition) ?? this.#implied(condition, conditions[i - 1], seen);
      if (started !== null) done.push((open = started));
      if (open === null) done.push({ clause: this.#clause(condition, done.some(isCondition)), parts: [part] });
      else open.parts.push(part);
      if (open !== null && (started === null || condition.left !== '@')) {
        const hasOne = open.clauses.some(({ kind }) => kind === 'condition');
        open.clauses.push(this.#clause(condition, hasOne));
      }
    }
    const close = (item: PartClause | OpenTerm): PartClause =>
      'close' in item ? { clause: item.close(item.clauses), parts: item.parts } : item;
    return { nested: open, finish: () => done.map(close) };
  }

  /** Returns what a condition on `@` begins: a nested query, a term of a compound; null for others. */
  #opened(condition: NatSqlCondition): OpenTerm | null {
    const { left, operator, right, connective } = condition;
    if (left !== '@' || operator === 'join') return null;
    const [operand] = right;
    if (operand === undefined || operand.kind !== 'name') throw new ClauseRefusal('natsql', 'a condition on @');
    if (operator === 'is') return this.#term(connective, operand);
    const value = this.#value(operand);
    const [outer, inner] = this.#sides(value, operand);
    const word = connective === 'or' ? 'or' : 'and';
    const close = (clauses: readonly Clause[]): Clause => {
      const query: ClauseValue = { kind: 'query', query: { distinct: false, clauses } };
      const test = { kind: 'comparison', left: outer, negated: condition.negated, operator, right: [query] } as const;
      return { kind: 'condition', connective: word, test: test as ClauseComparison };
    };
    return { clauses: [{ kind: 'select', value: inner }], parts: [], close };
  }

  #term(connective: string | null, operand: NatSqlName): OpenTerm {
    const operator = connective?.replace('_', '');
    const table = tableNamed(this.#database, operand.table ?? '');
    if (table < 0 || (operator !== 'except' && operator !== 'intersect' && operator !== 'union')) {
      throw new ClauseRefusal('natsql', 'a term of a compound');
    }
    const close = (clauses: readonly Clause[]): Clause => ({
      kind: 'set',
      operator,
      query: { distinct: false, clauses },
    });
    return { clauses: [{ kind: 'related', table, copy: 0 }], parts: [], close };
  }

  /** How NatSQL writes INTERSECT, one column equal to two values, and UNION, rows or groups. */
  #implied(condition: NatSqlCondition, before: NatSqlCondition | undefined, seen: Set<string>): OpenTerm | null {
    const { left, operator, connective, negated } = condition;
    if (left === '@' || left.kind !== 'name') return null;
    const close =
      (set: 'intersect' | 'union') =>
      (clauses: readonly Clause[]): Clause => ({
        kind: 'set',
        operator: set,
        query: { distinct: this.#parsed.distinct, clauses },
      });
    if (connective === 'or' && before !== undefined && isGrouped(before) !== isGrouped(condition)) {
      return { clauses: [], parts: [], close: close('union') };
    }
    if (operator !== '=' || negated || left.aggregate !== null) return null;
    const key = JSON.stringify(this.#value(left));
    const again = seen.has(key) && connective === 'and';
    if (again) seen.clear();
    seen.add(key);
    return again ? { clauses: [], parts: [], close: close('intersect') } : null;
  }

  /** Returns the values compared, outside and inside, if NatSQL names one of them. */
  #sides(value: ClauseValue, name: NatSqlName): readonly [ClauseValue, ClauseValue] {
    if (value.kind === 'call') {
      const [argument] = value.args;
      if (argument === undefined) throw new ClauseRefusal('natsql', 'an aggregate of nothing');
      return [argument, value];
    }
    if (value.kind === 'star') return this.#keySides(tableNamed(this.#database, name.table ?? ''));
    if (value.kind !== 'column') throw new ClauseRefusal('natsql', 'a value next to @');
    const outer = this.#mainTables().includes(value.table) ? null : this.#partner(value);
    return [outer ?? value, value];
  }

  #keySides(table: number): readonly [ClauseValue, ClauseValue] {
    const main = this.#mainTables();
    const own = this.#database.primaryKeys.find((key) => key.table === table);
    if (main.includes(table) && own !== undefined) return [columnOf(own), columnOf(own)];
    for (const { from, to } of this.#keys) {
      if (from.table === table && main.includes(to.table)) return [columnOf(to), columnOf(from)];
      if (to.table === table && main.includes(from.table)) return [columnOf(from), columnOf(to)];
    }
    throw new ClauseRefusal('natsql', 'a table that no key joins with the query');
  }

  #mainTables(): readonly number[] {
    const columns = this.#selects.flatMap((value) => columnsOf({ kind: 'select', value }));
    return [this.#from, ...columns.map(({ table }) => table)];
  }

  #partner(column: ClauseColumn): ClauseColumn | null {
    const main = this.#mainTables();
    for (const { from, to } of this.#keys) {
      if (columnKey(from) === columnKey(column) && main.includes(to.table)) return columnOf(to);
      if (columnKey(to) === columnKey(column) && main.includes(from.table)) return columnOf(from);
    }
    return null;
  }

  #clause({ connective, left, operator, negated, right }: NatSqlCondition, follows: boolean): Clause {
    if (left === '@') {
      const [operand] = right;
      const table = operand?.kind === 'name' ? tableNamed(this.#database, operand.table ?? '') : -1;
      if (operator !== 'join' || table < 0) throw new ClauseRefusal('natsql', 'a condition on @');
      return { kind: 'related', table, copy: 0 };
    }
    const values = right.map((value) => this.#value(value));
    const test: ClauseComparison = {
      kind: 'comparison',
      left: this.#value(left),
      negated,
      operator: operator as ComparisonOperator,
      right: values,
    };
    return { kind: 'condition', connective: !follows ? null : connective === 'or' ? 'or' : 'and', test };
  }

  #value(item: ParsedNatSql['select'][number]): ClauseValue {
    if (item.kind === 'arithmetic') {
      const { operator } = item;
      return { kind: 'arithmetic', operator, left: this.#value(item.left), right: this.#value(item.right) };
    }
    if (item.kind === 'literal') return { kind: 'literal', type: item.type, value: item.value };
    const plain = this.#named(item);
    const { aggregate, distinct } = item;
    return aggregate === null ? plain : { kind: 'call', name: aggregate, distinct, args: [plain] };
  }

  #named({ table, column }: NatSqlName): ClauseValue {
    const index = table === null ? this.#from : tableNamed(this.#database, table);
    if (column === '*' && index >= 0) return { kind: 'star', table: index };
    const found = index < 0 ? -1 : columnNamed(this.#database, index, column);
    if (found < 0) throw new ClauseRefusal('natsql', `the column ${table ?? ''}.${column}`);
    return columnOf({ table: index, column: found });
  }
}

/** How many parts Spider-SS numbers for a condition: its connective is one. */
function partsOf({ connective, isCompound }: NatSqlCondition, index: number): number {
  return isCompound || (index === 0 && connective === null) ? 1 : 2;
}

function isGrouped({ left }: NatSqlCondition): boolean {
  return left !== '@' && left.kind === 'name' && left.aggregate !== null;
}

function isCondition(item: PartClause | OpenTerm): boolean {
  return 'close' in item || item.clause.kind === 'condition';
}

const ORDER: readonly Clause['kind'][] = ['select', 'related', 'via', 'condition', 'group', 'set', 'order', 'limit'];

/** Clauses in the order of the form, and the parts by their indexes; the first condition has no connective. */
function numbered(all: readonly PartClause[], distinct: boolean, count: number): NatSqlClauses {
  const sorted = ORDER.flatMap((kind) => all.filter(({ clause }) => clause.kind === kind));
  let conditions = 0;
  const clauses = sorted.map(({ clause }): Clause => {
    if (clause.kind !== 'condition') return clause;
    return conditions++ === 0 ? { ...(clause satisfies ClauseCondition), connective: null } : clause;
  });
  const parts = Array.from({ length: count }, (_, part) =>
    sorted.flatMap((item, i) => (item.parts.includes(part) ? [i] : [])),
  );
  return { query: { distinct, clauses }, parts };
}

/**
 * Reads NatSQL as Spider-SS and the NatSQL data set write it ("select singer.name from singer where @ join song.*").
 * `groups` are the group keys where the text leaves them out, as Spider-SS's does.
 * @throws ClauseRefusal `natsql` where the text is outside the published grammar, or a name isn't the database's
 */
export function clausesOfNatSql(
  text: string,
  database: Database,
  keys: readonly JoinKey[],
  groups: readonly ClauseColumn[] = [],
): NatSqlClauses {
  return new NatSqlReader(parseNatSql(text), database, keys).read(groups);
}
