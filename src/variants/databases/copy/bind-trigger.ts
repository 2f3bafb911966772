import type { Database } from '../../../schema/schema.js';
import type { Identifier } from '../../../sql/ast.js';
import type { Scope, ScopeSource } from '../../../sql/scope.js';
import type { TokenCursor } from '../../../sql/token-cursor.js';
import type { Span } from '../../../sql/tokenizer.js';
import {
  cursorOver,
  insideParentheses,
  readCreate,
  readNameList,
  readObjectName,
  spanUntil,
} from '../../../sql/definitions/create-text.js';
import { TextBinder, type BoundText } from './text-binder.js';

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
