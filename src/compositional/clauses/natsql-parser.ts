import { STANDARD_AGGREGATES } from '../../sql/aggregates.js';
import { itemAt } from '../../present.js';
import { ClauseRefusal } from './clause-refusal.js';

/** A column or `table.*`, with the aggregate around it. */
export interface NatSqlName {
  readonly kind: 'name';
  readonly table: string | null;
  readonly column: string;
  readonly aggregate: string | null;
  readonly distinct: boolean;
}

/** Two names with an operator between them. */
interface NatSqlArithmetic {
  readonly kind: 'arithmetic';
  readonly operator: string;
  readonly left: NatSqlName;
  readonly right: NatSqlName;
}

/** A number or a text. */
interface NatSqlLiteral {
  readonly kind: 'literal';
  readonly type: 'number' | 'string';
  readonly value: string;
}

type NatSqlValue = NatSqlName | NatSqlArithmetic | NatSqlLiteral;

/** A condition; `@` stands for what the query around selects or is about. */
export interface NatSqlCondition {
  /** `and`, `or`, `except_`, `intersect_`, `union_`; null for the first. */
  readonly connective: string | null;
  /** True if it is `intersect select T.* from T`, which Spider-SS numbers as one part. */
  readonly isCompound: boolean;
  readonly left: NatSqlValue | '@';
  readonly negated: boolean;
  readonly operator: string;
  readonly right: readonly NatSqlValue[];
}

/** The parts of a NatSQL query as its text names them. */
export interface ParsedNatSql {
  readonly distinct: boolean;
  readonly select: readonly NatSqlValue[];
  readonly from: string;
  readonly conditions: readonly NatSqlCondition[];
  readonly groupBy: readonly NatSqlValue[];
  readonly orderBy: readonly NatSqlValue[];
  readonly direction: 'asc' | 'desc';
  readonly limit: number | null;
}

const TOKEN = /"[^"]*"|'[^']*'|[<>!=]=|<>|[\w@]+(?:\.(?:[\w@]+|\*))?|-?\d+(?:\.\d+)?|[^\s]/gu;
const CONNECTIVES: ReadonlySet<string> = new Set(['and', 'or', 'except_', 'intersect_', 'union_']);
const OPERATORS: ReadonlySet<string> = new Set([
  ...['=', '!=', '<', '>', '<=', '>=', 'in', 'like', 'is', 'join', 'between'],
]);

class NatSqlParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.replace(/;\s*$/u, '').match(TOKEN) ?? [];
  }

  parse(): ParsedNatSql {
    this.#expect('select');
    const distinct = this.#take('distinct');
    const select = this.#values();
    this.#expect('from');
    const from = this.#next();
    const conditions = [...(this.#take('where') ? this.#conditions() : []), ...this.#compound()];
    const groupBy = this.#take('group') && this.#take('by') ? this.#values() : [];
    const orderBy = this.#take('order') && this.#take('by') ? this.#values() : [];
    const direction = this.#take('desc') ? 'desc' : 'asc';
    this.#take('asc');
    const limit = this.#take('limit') ? Number(this.#next()) : null;
    if (this.#at < this.#tokens.length) throw this.#fault();
    return { distinct, select, from, conditions, groupBy, orderBy, direction, limit };
  }

  /** `intersect select T.* from T`, which Spider-SS writes for `intersect_ @ is T.*`. */
  #compound(): readonly NatSqlCondition[] {
    const operator = this.#peek();
    if (!['intersect', 'union', 'except'].includes(operator)) return [];
    this.#next();
    this.#expect('select');
    const right = this.#values();
    this.#expect('from');
    this.#next();
    return [{ connective: `${operator}_`, isCompound: true, left: '@', negated: false, operator: 'is', right }];
  }

  #conditions(): readonly NatSqlCondition[] {
    const conditions: NatSqlCondition[] = [];
    for (;;) {
      const connective = CONNECTIVES.has(this.#peek()) ? this.#next().toLowerCase() : null;
      if (connective === null && conditions.length > 0) return conditions;
      conditions.push(this.#condition(connective));
    }
  }

  #condition(connective: string | null): NatSqlCondition {
    const isAt = this.#peek() === '@' || this.#peek() === '@.@';
    const left = isAt ? '@' : this.#value();
    if (isAt) this.#next();
    const negated = this.#take('not');
    const operator = this.#next().toLowerCase();
    if (!OPERATORS.has(operator)) throw this.#fault();
    const right = [this.#value()];
    if (operator === 'between') {
      this.#expect('and');
      right.push(this.#value());
    }
    return { connective, isCompound: false, left, negated, operator, right };
  }

  #values(): readonly NatSqlValue[] {
    const values = [this.#value()];
    while (this.#take(',')) values.push(this.#value());
    return values;
  }

  #value(): NatSqlValue {
    const token = this.#tokens[this.#at] ?? '';
    const quoted = /^["'](.*)["']$/u.exec(token);
    if (quoted !== null || /^-?\d+(?:\.\d+)?$/u.test(token)) {
      this.#next();
      if (quoted === null) return { kind: 'literal', type: 'number', value: token };
      return { kind: 'literal', type: 'string', value: quoted[1] ?? '' };
    }
    const left = this.#name();
    if (!['+', '-', '/', '*'].includes(this.#peek())) return left;
    return { kind: 'arithmetic', operator: this.#next(), left, right: this.#name() };
  }

  #name(): NatSqlName {
    const word = this.#next();
    if (!STANDARD_AGGREGATES.includes(word.toLowerCase()) || this.#peek() !== '(')
      return this.#plain(word, null, false);
    this.#expect('(');
    const distinct = this.#take('distinct');
    const name = this.#plain(this.#next(), word.toLowerCase(), distinct);
    this.#expect(')');
    return name;
  }

  #plain(word: string, aggregate: string | null, distinct: boolean): NatSqlName {
    if (!/^[\w*]/u.test(word)) throw this.#fault();
    const [first = '', second] = word.split('.');
    const [table, column] = second === undefined ? [null, first] : [first, second];
    return { kind: 'name', table, column, aggregate, distinct };
  }

  #peek(): string {
    return this.#tokens[this.#at]?.toLowerCase() ?? '';
  }

  #next(): string {
    if (this.#at >= this.#tokens.length) throw this.#fault();
    return itemAt(this.#tokens, this.#at++);
  }

  #take(word: string): boolean {
    const isNext = this.#peek() === word;
    if (isNext) this.#at++;
    return isNext;
  }

  #expect(word: string): void {
    if (!this.#take(word)) throw this.#fault();
  }

  #fault(): ClauseRefusal {
    return new ClauseRefusal('natsql', `at "${this.#tokens.slice(this.#at, this.#at + 4).join(' ')}"`);
  }
}

/** @throws ClauseRefusal `natsql` where the text is outside the published grammar */
export function parseNatSql(text: string): ParsedNatSql {
  return new NatSqlParser(text).parse();
}
