import type { ColumnRef, Database } from '../../../schema/schema.js';
import type { Identifier, Select, SelectCore } from '../../../sql/ast.js';
import { bareExpression } from '../../../sql/ast-walk.js';
import { Binder } from '../../../sql/binder.js';
import type { BoundQuery, NameBinding } from '../../../sql/bound-query.js';
import { quoteIdentifier, SQLITE } from '../../../sql/dialect.js';
import { parseSelect } from '../../../sql/parser.js';
import { columnNamed, tableNamed } from '../../../sql/schema-names.js';
import type { Scope, ScopeSource } from '../../../sql/scope.js';
import { SourceBinder } from '../../../sql/source-binder.js';
import { sqlFault } from '../../../sql/sql-fault.js';
import type { Span } from '../../../sql/tokenizer.js';
import type { TokenCursor } from '../../../sql/token-cursor.js';
import {
  cursorOver,
  insideParentheses,
  readCreate,
  readNameList,
  readObjectName,
  spanUntil,
} from '../../../sql/definitions/create-text.js';

/** A token that names a column outside of any expression: in a definition, a list of columns, SET. */
export interface ColumnToken {
  readonly token: Identifier;
  readonly ref: ColumnRef;
}

/** The text of a CREATE statement with every name in it resolved. */
export interface BoundText {
  readonly query: BoundQuery;
  readonly columns: readonly ColumnToken[];
  /** INSERTs without a list of columns: the table, and the offset after its name. */
  readonly inserts: readonly { readonly table: number; readonly at: number }[];
}

const NOTHING: Select = {
  kind: 'select',
  with: null,
  terms: [],
  orderBy: [],
  limit: null,
  span: { start: 0, end: 0 },
};

function coreOf(select: Select): SelectCore | null {
  const body = select.terms[0]?.body;
  return body?.kind === 'core' ? body : null;
}

/** Resolves the names in the parts of one CREATE statement; all offsets are into its text. */
export class TextBinder {
  readonly sql: string;
  readonly database: Database;
  readonly #binder: Binder;
  readonly #columns: ColumnToken[] = [];
  readonly #inserts: { table: number; at: number }[] = [];
  /** NEW, OLD and excluded, whose columns are always named with them. */
  readonly #rows = new Set<ScopeSource>();

  constructor(sql: string, database: Database) {
    this.sql = sql;
    this.database = database;
    this.#binder = new Binder(sql, database, SQLITE);
  }

  /** Parses a part with words before it that make it a query; spaces in front keep its offsets. */
  #parse(words: string, { start, end }: Span): Select {
    return parseSelect(' '.repeat(start - words.length) + words + this.sql.slice(start, end), SQLITE);
  }

  expression(span: Span, scope: Scope | null): void {
    const column = coreOf(this.#parse('SELECT ', span))?.columns[0];
    if (column?.kind !== 'result') throw this.fault(span, 'expected an expression');
    this.#binder.bindExpression(column.expression, scope, null);
  }

  /** The columns and expressions of an index, a key or a conflict target, all of one table. */
  terms(span: Span, scope: Scope, table: number): void {
    for (const { expression } of this.#parse('SELECT 1 ORDER BY ', span).orderBy) {
      const bare = bareExpression(expression);
      // SQLite reads a string as a column's name here.
      if (bare.kind === 'literal' && bare.type === 'string') {
        this.column({ kind: 'identifier', name: bare.value, quote: 'single', span: bare.span }, table);
      } else {
        this.#binder.bindExpression(expression, scope, null);
      }
    }
  }

  select(span: Span, parent: Scope | null): void {
    this.#binder.bindSelect(this.#parse('', span), { environment: null, parent }, 'result');
  }

  /** The tables of a FROM clause, given without the word. */
  sources(span: Span, parent: Scope | null): ScopeSource[] {
    // No longer than the words before the name in the shortest statement.
    const from = coreOf(this.#parse('SELECT*FROM ', span))?.from ?? null;
    return new SourceBinder(this.#binder, null, parent).bind(from);
  }

  /** A row of a table that a trigger or upsert gives a name. */
  row(table: string, label: string): ScopeSource[] {
    const text = `SELECT*FROM ${quoteIdentifier(table)} AS ${label}`;
    const sources = new SourceBinder(this.#binder, null, null).bind(coreOf(parseSelect(text, SQLITE))?.from ?? null);
    for (const source of sources) this.#rows.add(source);
    return sources;
  }

  /** Index of a table. @throws SqlRewriteError when there is none of the name */
  table(name: Identifier): number {
    const table = tableNamed(this.database, name.name);
    if (table < 0) throw this.fault(name.span, `no such table: ${name.name}`);
    return table;
  }

  /** Records the name of a column; one that the table lacks refers to nothing. */
  column(token: Identifier, table: number): void {
    const column = columnNamed(this.database, table, token.name);
    if (column >= 0) this.#columns.push({ token, ref: { table, column } });
  }

  /** Records an INSERT without a list of columns. */
  insert(table: number, at: number): void {
    this.#inserts.push({ table, at });
  }

  bound(): BoundText {
    const { tables, cores, joins, inTables } = this.#binder;
    const names = this.#binder.names.map((binding) => this.#withoutRow(binding));
    const query = { sql: this.sql, select: NOTHING, names, tables, cores, joins, inTables };
    return { query, columns: this.#columns, inserts: this.#inserts };
  }

  /** A name without NEW or OLD never means their columns: in double quotes it is a string. */
  #withoutRow(binding: NameBinding): NameBinding {
    const { token, qualifier, found } = binding;
    if (qualifier !== null || found === null || !('source' in found.target)) return binding;
    if (!this.#rows.has(found.target.source)) return binding;
    if (token.quote !== 'double') throw this.fault(token.span, `no such column: ${token.name}`);
    return { ...binding, found: null };
  }

  fault({ start }: Span, reason: string): Error {
    return sqlFault(this.sql, start, reason, 'Fix the definition, or leave its table out of the perturbation.');
  }
}

const STATEMENTS = ['INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'SELECT', 'WITH', 'VALUES'];

const scopeOf = (sources: readonly ScopeSource[], parent: Scope | null): Scope => ({ sources, aliases: [], parent });

/** Reads one CREATE TRIGGER statement and resolves the names in it. */
class TriggerBinder {
  readonly #cursor: TokenCursor;
  readonly #binder: TextBinder;
  #rows: Scope = scopeOf([], null);

  constructor(sql: string, database: Database) {
    this.#cursor = cursorOver(sql);
    this.#binder = new TextBinder(sql, database);
  }

  bind(): BoundText {
    const cursor = this.#cursor;
    readCreate(cursor, 'TRIGGER');
    if (!cursor.acceptWord('BEFORE') && !cursor.acceptWord('AFTER')) cursor.acceptWords('INSTEAD', 'OF');
    const event = cursor.next().text.toUpperCase();
    const columns = cursor.acceptWord('OF') ? cursor.list(() => cursor.expectName('a column name')) : [];
    cursor.expectWord('ON');
    const name = readObjectName(cursor);
    const table = this.#binder.table(name);
    for (const column of columns) this.#binder.column(column, table);
    const labels = event === 'INSERT' ? ['new'] : event === 'DELETE' ? ['old'] : ['new', 'old'];
    this.#rows = scopeOf(
      labels.flatMap((label) => this.#binder.row(name.name, label)),
      null,
    );
    this.#bindBody();
    return this.#binder.bound();
  }

  #bindBody(): void {
    const cursor = this.#cursor;
    cursor.acceptWords('FOR', 'EACH', 'ROW');
    if (cursor.acceptWord('WHEN'))
      this.#binder.expression(
        spanUntil(cursor, () => this.#isBegin()),
        this.#rows,
      );
    cursor.expectWord('BEGIN');
    while (!cursor.isWord('END')) {
      this.#bindStatement();
      cursor.expectOperator(';');
    }
  }

  /** BEGIN is no reserved word: a column may have that name. */
  #isBegin(): boolean {
    return this.#cursor.isWord('BEGIN') && STATEMENTS.some((word) => this.#cursor.isWord(word, 1));
  }

  #bindStatement(): void {
    const cursor = this.#cursor;
    if (cursor.isWord('INSERT') || cursor.isWord('REPLACE')) this.#bindInsert();
    else if (cursor.acceptWord('UPDATE')) this.#bindUpdate();
    else if (cursor.acceptWords('DELETE', 'FROM')) this.#bindDelete();
    else this.#binder.select(this.#until(), this.#rows);
  }

  /** Returns the span up to the end of the statement, or up to a clause outside parentheses. */
  #until(...clauses: readonly ('FROM' | 'WHERE' | 'DO' | ',' | 'ON CONFLICT')[]): Span {
    const cursor = this.#cursor;
    let previous = '';
    return spanUntil(cursor, () => {
      const word = cursor.peek().kind === 'quoted' ? '' : cursor.peek().text.toUpperCase();
      // `IS DISTINCT FROM` is an operator.
      const starts = clauses.some((clause) =>
        clause === 'ON CONFLICT' ? this.#isUpsert() : clause === word && !(word === 'FROM' && previous === 'DISTINCT'),
      );
      previous = word;
      return starts || word === ';';
    });
  }

  #isUpsert(): boolean {
    const cursor = this.#cursor;
    return cursor.isWord('ON') && cursor.isWord('CONFLICT', 1) && (cursor.isOperator('(', 2) || cursor.isWord('DO', 2));
  }

  #bindInsert(): void {
    const cursor = this.#cursor;
    this.#skipConflictRule();
    cursor.expectWord('INTO');
    const name = readObjectName(cursor);
    const table = this.#binder.table(name);
    if (cursor.isOperator('(')) for (const column of readNameList(cursor)) this.#binder.column(column, table);
    else if (!cursor.isWord('DEFAULT')) this.#binder.insert(table, name.span.end);
    if (cursor.acceptWords('DEFAULT', 'VALUES')) return;
    this.#binder.select(this.#until('ON CONFLICT'), this.#rows);
    while (this.#isUpsert()) this.#bindUpsert(name, table);
  }

  /** `INSERT OR REPLACE`: the words up to the table. */
  #skipConflictRule(): void {
    this.#cursor.next();
    if (this.#cursor.acceptWord('OR')) this.#cursor.next();
  }

  #bindUpsert(name: Identifier, table: number): void {
    const cursor = this.#cursor;
    const sources = this.#binder.sources(name.span, null);
    const target = scopeOf(sources, null);
    cursor.acceptWords('ON', 'CONFLICT');
    if (cursor.isOperator('(')) this.#binder.terms(insideParentheses(cursor), target, table);
    if (cursor.acceptWord('WHERE')) this.#binder.expression(this.#until('DO'), target);
    cursor.expectWord('DO');
    if (cursor.acceptWord('NOTHING')) return;
    cursor.expectWord('UPDATE');
    const rows = [...this.#binder.row(name.name, 'excluded'), ...this.#rows.sources];
    const scope = scopeOf(sources, scopeOf(rows, null));
    for (const value of this.#readAssignments(table)) this.#binder.expression(value, scope);
    if (cursor.acceptWord('WHERE')) this.#binder.expression(this.#until('ON CONFLICT'), scope);
  }

  #bindUpdate(): void {
    const cursor = this.#cursor;
    if (cursor.acceptWord('OR')) cursor.next();
    const name = readObjectName(cursor);
    const own = this.#binder.sources(name.span, null);
    spanUntil(cursor, () => cursor.isWord('SET'));
    const values = this.#readAssignments(this.#binder.table(name));
    const others = cursor.acceptWord('FROM') ? this.#binder.sources(this.#until('WHERE'), this.#rows) : [];
    const scope = scopeOf([...own, ...others], this.#rows);
    for (const value of values) this.#binder.expression(value, scope);
    if (cursor.acceptWord('WHERE')) this.#binder.expression(this.#until(), scope);
  }

  /** Reads `SET a = …, (b, c) = …` and returns the expressions. */
  #readAssignments(table: number): Span[] {
    const cursor = this.#cursor;
    cursor.expectWord('SET');
    return cursor.list(() => {
      const names = cursor.isOperator('(') ? readNameList(cursor) : [cursor.expectName('a column name')];
      for (const name of names) this.#binder.column(name, table);
      cursor.expectOperator('=');
      return this.#until(',', 'FROM', 'WHERE', 'ON CONFLICT');
    });
  }

  #bindDelete(): void {
    const cursor = this.#cursor;
    const name = readObjectName(cursor);
    const scope = scopeOf(this.#binder.sources(name.span, null), this.#rows);
    this.#until('WHERE');
    if (cursor.acceptWord('WHERE')) this.#binder.expression(this.#until(), scope);
  }
}

/**
 * Resolves the names in a CREATE TRIGGER statement, by SQLite's rules for NEW, OLD and `excluded`.
 * @throws SqlRewriteError with the position of what can't be read, or of a name that is unknown
 */
export function bindTrigger(sql: string, database: Database): BoundText {
  return new TriggerBinder(sql, database).bind();
}
