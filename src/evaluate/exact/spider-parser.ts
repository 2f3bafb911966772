import type {
  SpiderColumnUnit,
  SpiderCondition,
  SpiderConditions,
  SpiderSql,
  SpiderTableUnit,
  SpiderValue,
  SpiderValueUnit,
} from '../../sql/spider-sql.js';
import { spiderTokens } from './spider-lexer.js';
import type { SpiderNames } from './spider-names.js';

// What the published parser knows; positions are its ids. `having` is no clause word to it.
const CLAUSES = new Set(['select', 'from', 'where', 'group', 'order', 'limit', 'intersect', 'union', 'except']);
const JOINS = new Set(['join', 'on', 'as']);
const COMPARISONS = ['not', 'between', '=', '>', '<', '>=', '<=', '!=', 'in', 'like', 'is', 'exists'];
const OPERATORS = ['none', '-', '+', '*', '/'];
const AGGREGATES = ['none', 'max', 'min', 'count', 'sum', 'avg'];
const BETWEEN = COMPARISONS.indexOf('between');
/** Numbers that Python's `float` reads. */
const FLOAT = /^[+-]?(?:(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?|inf|infinity|nan)$/;
/** Queries in queries that are followed; Python's own limit on recursion is near. */
const MAX_DEPTH = 200;

/** Why the published parser would give up. */
class SpiderParserFault extends Error {}

const ends = (token: string | undefined): boolean =>
  token !== undefined && (CLAUSES.has(token) || token === ')' || token === ';');

/** Recursive descent over the tokens with one place, which each method moves on. */
class SpiderParser {
  readonly #tokens: readonly string[];
  readonly #names: SpiderNames;
  /** Which table a name means: aliases of the whole text, and the tables themselves. */
  readonly #meanings: Map<string, string>;
  #at = 0;
  /** Tokens from here on are not there for the moment. */
  #end: number;
  #depth = 0;

  constructor(tokens: readonly string[], names: SpiderNames) {
    this.#tokens = tokens;
    this.#end = tokens.length;
    this.#names = names;
    this.#meanings = new Map();
    tokens.forEach((token, i) => {
      if (token === 'as') this.#meanings.set(this.#token(i + 1), tokens.at(i - 1) ?? '');
    });
    for (const table of names.tables.keys()) {
      if (this.#meanings.has(table)) throw new SpiderParserFault(`the alias ${table} is the name of a table`);
      this.#meanings.set(table, table);
    }
  }

  parse(): SpiderSql {
    return this.#query();
  }

  #peek(ahead = 0): string | undefined {
    const at = this.#at + ahead;
    return at < this.#end ? this.#tokens[at] : undefined;
  }

  #token(at: number): string {
    const token = at < this.#end ? this.#tokens[at] : undefined;
    if (token === undefined) throw new SpiderParserFault('the query ends too soon');
    return token;
  }

  /** The token at the place, which must be there. */
  #here(): string {
    return this.#token(this.#at);
  }

  /** Checks whether the token at the place is this word; goes past it if so. */
  #skip(word: string): boolean {
    if (this.#peek() !== word) return false;
    this.#at += 1;
    return true;
  }

  /** As `skip` for an opening parenthesis or the like, where the query may not end. */
  #skipHere(word: string): boolean {
    this.#here();
    return this.#skip(word);
  }

  #expect(word: string): void {
    if (!this.#skip(word)) throw new SpiderParserFault(`"${word}" is expected at ${this.#peek() ?? 'the end'}`);
  }

  #query(): SpiderSql {
    if ((this.#depth += 1) > MAX_DEPTH) throw new SpiderParserFault('too many queries in queries');
    const start = this.#at;
    const inBlock = this.#skipHere('(');
    const selectAt = this.#at;
    this.#at = start;
    const { from, tables } = this.#from();
    const fromEnd = this.#at;
    this.#at = selectAt;
    const select = this.#select(tables);
    this.#at = fromEnd;
    const where = this.#skip('where') ? this.#conditions(tables) : [];
    const groupBy = this.#groupBy(tables);
    const having = this.#skip('having') ? this.#conditions(tables) : [];
    const orderBy = this.#orderBy(tables);
    const limit = this.#limit();
    this.#semicolons();
    if (inBlock) this.#expect(')');
    this.#semicolons();
    const result = { from, select, where, groupBy, having, orderBy, limit, ...this.#compound() };
    this.#depth -= 1;
    return result;
  }

  #semicolons(): void {
    while (this.#skip(';'));
  }

  #compound(): Pick<SpiderSql, 'intersect' | 'union' | 'except'> {
    const none = { intersect: null, union: null, except: null };
    for (const word of ['intersect', 'union', 'except'] as const) {
      if (this.#skip(word)) return { ...none, [word]: this.#query() };
    }
    return none;
  }

  /** FROM comes after SELECT but is read first: names without a table are looked up in its tables, in order. */
  #from(): { readonly from: SpiderSql['from']; readonly tables: readonly string[] } {
    const at = this.#tokens.indexOf('from', this.#at);
    if (at < 0) throw new SpiderParserFault('there is no FROM');
    this.#at = at + 1;
    const units: SpiderTableUnit[] = [];
    const conds: (SpiderCondition | 'and' | 'or')[] = [];
    const tables: string[] = [];
    while (this.#at < this.#end) {
      const inBlock = this.#skip('(');
      if (this.#here() === 'select') units.push(['sql', this.#query()]);
      else units.push(this.#tableUnit(tables));
      if (this.#skip('on')) {
        const more = this.#conditions(tables);
        conds.push(...(conds.length > 0 ? ['and' as const] : []), ...more);
      }
      if (inBlock) this.#expect(')');
      if (ends(this.#peek())) break;
    }
    return { from: { table_units: units, conds }, tables };
  }

  #tableUnit(tables: string[]): SpiderTableUnit {
    this.#skip('join');
    const name = this.#meaning(this.#here());
    const table = this.#names.tables.get(name);
    if (table === undefined) throw new SpiderParserFault(`${name} is no table`);
    this.#at += this.#peek(1) === 'as' ? 3 : 1;
    tables.push(name);
    return ['table_unit', table.id];
  }

  #meaning(name: string): string {
    const meaning = this.#meanings.get(name);
    if (meaning === undefined) throw new SpiderParserFault(`${name} is neither a table nor an alias`);
    return meaning;
  }

  #select(tables: readonly string[]): SpiderSql['select'] {
    this.#expect('select');
    const distinct = this.#skip('distinct');
    const units: (readonly [number, SpiderValueUnit])[] = [];
    while (this.#at < this.#end && !CLAUSES.has(this.#here())) {
      const aggregate = Math.max(0, AGGREGATES.indexOf(this.#here()));
      if (AGGREGATES.includes(this.#here())) this.#at += 1;
      units.push([aggregate, this.#valueUnit(tables)]);
      this.#skip(',');
    }
    return [distinct, units];
  }

  #valueUnit(tables: readonly string[]): SpiderValueUnit {
    const inBlock = this.#skipHere('(');
    const left = this.#columnUnit(tables);
    const operator = OPERATORS.indexOf(this.#peek() ?? '');
    const hasRight = operator >= 0;
    if (hasRight) this.#at += 1;
    const right = hasRight ? this.#columnUnit(tables) : null;
    if (inBlock) this.#expect(')');
    return [Math.max(0, operator), left, right];
  }

  #columnUnit(tables: readonly string[]): SpiderColumnUnit {
    const inBlock = this.#skipHere('(');
    const aggregate = AGGREGATES.indexOf(this.#here());
    if (aggregate >= 0) {
      this.#at += 1;
      this.#expect('(');
      const distinct = this.#skipHere('distinct');
      const column = this.#column(tables);
      this.#expect(')'); // and a parenthesis around the whole of it is never closed
      return [aggregate, column, distinct];
    }
    const distinct = this.#skip('distinct');
    const column = this.#column(tables);
    if (inBlock) this.#expect(')');
    return [0, column, distinct];
  }

  #column(tables: readonly string[]): number {
    const token = this.#here();
    const column = token === '*' ? 0 : token.includes('.') ? this.#qualified(token) : this.#unqualified(token, tables);
    if (column === undefined) throw new SpiderParserFault(`${token} is no column`);
    this.#at += 1;
    return column;
  }

  #qualified(token: string): number | undefined {
    const [alias = '', column = '', ...more] = token.split('.');
    return more.length > 0 ? undefined : this.#names.columns.get(`${this.#meaning(alias)}.${column}`);
  }

  #unqualified(token: string, tables: readonly string[]): number | undefined {
    const owner = tables.find((table) => this.#names.tables.get(table)?.columns.has(token) === true);
    return this.#names.tables.get(owner ?? '')?.columns.get(token);
  }

  /** Without a word between two conditions it goes on all the same. */
  #conditions(tables: readonly string[]): SpiderConditions {
    const conditions: (SpiderCondition | 'and' | 'or')[] = [];
    while (this.#at < this.#end) {
      conditions.push(this.#condition(tables));
      const next = this.#peek();
      if (next !== undefined && (ends(next) || JOINS.has(next))) break;
      if (next === 'and' || next === 'or') {
        conditions.push(next);
        this.#at += 1;
      }
    }
    return conditions;
  }

  #condition(tables: readonly string[]): SpiderCondition {
    const unit = this.#valueUnit(tables);
    const negated = this.#skipHere('not');
    const operator = COMPARISONS.indexOf(this.#here());
    if (operator < 0) throw new SpiderParserFault(`${this.#here()} is no comparison`);
    this.#at += 1;
    const value = this.#value(tables);
    if (operator !== BETWEEN) return [negated, operator, unit, value, null];
    this.#expect('and');
    return [negated, operator, unit, value, this.#value(tables)];
  }

  #value(tables: readonly string[]): SpiderValue {
    const start = this.#at;
    const inBlock = this.#skipHere('(');
    const value = this.#plainValue(start, tables);
    if (inBlock) this.#expect(')');
    return value;
  }

  #plainValue(start: number, tables: readonly string[]): SpiderValue {
    const token = this.#here();
    if (token === 'select') return this.#query();
    if (token.includes('"')) {
      this.#at += 1;
      return token;
    }
    if (FLOAT.test(token)) {
      this.#at += 1;
      return Number(token.replaceAll('_', ''));
    }
    return this.#columnValue(start, tables);
  }

  /** A column as value: all up to a comma, a parenthesis, AND or a clause goes unread behind it, an OR too. */
  #columnValue(start: number, tables: readonly string[]): SpiderColumnUnit {
    let end = this.#at;
    const stops = (token: string): boolean =>
      token === ',' || token === ')' || token === 'and' || CLAUSES.has(token) || JOINS.has(token);
    while (end < this.#end && !stops(this.#token(end))) end += 1;
    const [outerEnd, limit] = [this.#end, end];
    [this.#at, this.#end] = [start, limit];
    const value = this.#columnUnit(tables);
    [this.#at, this.#end] = [limit, outerEnd];
    return value;
  }

  #groupBy(tables: readonly string[]): SpiderColumnUnit[] {
    const units: SpiderColumnUnit[] = [];
    if (!this.#skip('group')) return units;
    this.#expect('by');
    while (this.#at < this.#end && !ends(this.#peek())) {
      units.push(this.#columnUnit(tables));
      if (!this.#skip(',')) break;
    }
    return units;
  }

  /** One direction for all terms: the last one written. */
  #orderBy(tables: readonly string[]): SpiderSql['orderBy'] {
    if (!this.#skip('order')) return [];
    this.#expect('by');
    const units: SpiderValueUnit[] = [];
    let direction: 'asc' | 'desc' = 'asc';
    while (this.#at < this.#end && !ends(this.#peek())) {
      units.push(this.#valueUnit(tables));
      if (this.#skip('desc')) direction = 'desc';
      else if (this.#skip('asc')) direction = 'asc';
      if (!this.#skip(',')) break;
    }
    return [direction, units];
  }

  /** Whatever follows the word counts as 1. */
  #limit(): number | null {
    if (!this.#skip('limit')) return null;
    this.#here();
    this.#at += 1;
    return 1;
  }
}

/** The published parser's result for a query, or why it gives up. */
export type SpiderParse = { readonly sql: SpiderSql } | { readonly fault: string };

/**
 * The structure that the parser of Spider's published evaluator (`process_sql.py`) makes of a query, its quirks kept:
 * every LIMIT is 1; what is behind a column on the right of a comparison goes unread up to the next clause; an
 * alias means the table that got it last in the whole text; text behind the first query goes unread. It knows no outer
 * join, alias without AS, expression beyond one operator, `IS NOT NULL`, `<>`, CASE, WITH and no parentheses in WHERE.
 */
export function parseLikeSpider(sql: string, names: SpiderNames): SpiderParse {
  const tokens = spiderTokens(sql);
  if (tokens === null) return { fault: 'a quote has no end' };
  try {
    return { sql: new SpiderParser(tokens, names).parse() };
  } catch (error) {
    if (error instanceof SpiderParserFault) return { fault: error.message };
    throw error;
  }
}
