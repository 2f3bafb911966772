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
