import { InputFormatError, SqlRewriteError } from '../../../errors.js';
import { columnKey, type Database } from '../../../schema/schema.js';
import { foldName, quoteIdentifier, renderIdentifier, SQLITE } from '../../../sql/dialect.js';
import { applyEdits, insertion, sortEdits, spacedEdit, type SqlEdit } from '../../../sql/edits.js';
import { QueryRewriter, rewriteQuery } from '../../../sql/query-rewriter.js';
import { tokenize, unquote } from '../../../sql/tokenizer.js';
import { bindTrigger, type BoundText, TextBinder } from './text-binder.js';
import type { PlacedAddition, ResolvedChange } from './resolved-change.js';
import type { SchemaCatalog, SchemaEntry } from './schema-catalog.js';
import { type TableText, readTableText, type TablePart } from '../../../sql/definitions/table-text.js';
import { columnNamed, tableNamed } from '../../../sql/schema-names.js';
import {
  cursorOver,
  insideParentheses,
  queryAsRelation,
  queryColumns,
  readCreate,
  readObjectName,
  readViewText,
  spanUntil,
  viewColumns,
} from '../../../sql/definitions/create-text.js';
import type { Scope } from '../../../sql/scope.js';

const identifier = (name: string): string => renderIdentifier(name, SQLITE);

/** Checks whether a text names one of these tables; a text that can't be cut into tokens may. */
function mentions(sql: string, tables: ReadonlySet<string>): boolean {
  try {
    return tokenize(sql).some((token) => tables.has(foldName(unquote(token))));
  } catch {
    const folded = foldName(sql);
    return [...tables].some((table) => folded.includes(table));
  }
}

/** Writes added columns into a table's definition, each before the column that it is put before. */
function additionEdits(text: TableText, additions: readonly PlacedAddition[]): SqlEdit[] {
  const end = text.columns.at(-1)?.end ?? 0;
  return [...text.columns.keys(), text.columns.length].flatMap((place) => {
    const here = additions.filter((addition) => addition.place === place);
    const list = here.map(({ name, declaredType }) => `${identifier(name)} ${declaredType}`.trimEnd()).join(', ');
    const start = text.columns[place]?.name.span.start;
    if (list === '') return [];
    return start === undefined
      ? [{ start: end, end, before: '', after: `, ${list}` }]
      : [{ start, end: start, before: '', after: `${list}, ` }];
  });
}

/** Checks for a view, trigger or index whose definition is unfit to be changed. */
export type BrokenCheck = (entry: SchemaEntry) => boolean;

/** Rewrites the texts of a schema for a change; made for one use by {@link rewriteSchema}. */
class SchemaRewriter {
  readonly #catalog: SchemaCatalog;
  readonly #change: ResolvedChange;
  readonly #isBroken: BrokenCheck;

  constructor(catalog: SchemaCatalog, change: ResolvedChange, isBroken: BrokenCheck) {
    this.#catalog = catalog;
    this.#change = change;
    this.#isBroken = isBroken;
  }

  run(): Map<SchemaEntry, string> {
    const texts = new Map<SchemaEntry, string>();
    for (const entry of this.#catalog.entries) {
      if (entry.sql === null || !mentions(entry.sql, this.#change.tables)) continue;
      const text = this.#rewrite(entry, entry.sql);
      if (text !== entry.sql) texts.set(entry, text);
    }
    return texts;
  }

  #rewrite(entry: SchemaEntry, sql: string): string {
    if (/^CREATE\s+VIRTUAL\s/i.test(sql)) {
      this.#checkContent(entry);
      return sql;
    }
    return entry.type === 'view' ? this.#rewriteView(entry, sql) : this.#rewriteNames(entry, sql);
  }

  /** Reads an entry; null if it is broken in the original, and so stays. Refuses others that can't be read. */
  #read<T>(entry: SchemaEntry, bind: () => T): T | null {
    try {
      return bind();
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      if ((entry.type === 'view' || entry.type === 'trigger') && this.#isBroken(entry)) return null;
      throw refusal(entry, error);
    }
  }

  #rewriteNames(entry: SchemaEntry, sql: string): string {
    const { database } = this.#catalog;
    if (entry.type === 'table') {
      const bound = this.#read(entry, () => bindTable(sql, database));
      return bound === null ? sql : this.#apply(entry, bound, this.#columnEdits(entry, bound.text));
    }
    const bind = entry.type === 'index' ? bindIndex : bindTrigger;
    const bound = this.#read(entry, () => bind(sql, database));
    return bound === null ? sql : this.#apply(entry, bound, []);
  }

  #columnEdits(entry: SchemaEntry, text: TableText): SqlEdit[] {
    const index = this.#catalog.tables.findIndex(({ name }) => name === entry.name);
    const table = this.#catalog.tables[index];
    const read = text.columns.map(({ name }) => name.name);
    if (table === undefined || read.join('\0') !== table.columns.map(({ name }) => name).join('\0')) {
      throw refusal(entry, new Error(`its columns read as ${read.join(', ')}, which SQLite does not confirm`));
    }
    return additionEdits(text, this.#change.additions.get(index) ?? []);
  }

  #apply(entry: SchemaEntry, bound: BoundText, more: readonly SqlEdit[]): string {
    const { sql } = bound.query;
    try {
      const names = new QueryRewriter(bound.query, this.#change.schema, this.#change.changed, SQLITE).run();
      const edits = [...names, ...this.#tokenEdits(bound), ...this.#insertEdits(bound), ...more];
      return applyEdits(sql, sortEdits(edits));
    } catch (error) {
      throw error instanceof SqlRewriteError ? refusal(entry, error) : error;
    }
  }

  #tokenEdits({ query, columns }: BoundText): SqlEdit[] {
    return columns.flatMap(({ token: { span }, ref }) => {
      const name = this.#change.schema.renames.get(columnKey(ref));
      return name === undefined ? [] : [spacedEdit(query.sql, span.start, span.end, identifier(name))];
    });
  }

  /** An INSERT without a list of columns gets the one that it had in mind: all that are not generated. */
  #insertEdits({ query, inserts }: BoundText): SqlEdit[] {
    return inserts.flatMap(({ table, at }) => {
      if (!this.#change.additions.has(table)) return [];
      const columns = this.#catalog.tables[table]?.columns ?? [];
      const names = columns.flatMap(({ hidden, name }, column) =>
        hidden > 0 ? [] : [identifier(this.#change.schema.renames.get(columnKey({ table, column })) ?? name)],
      );
      return [insertion(query.sql, at, `(${names.join(', ')})`)];
    });
  }

  /** A view keeps the names of its columns: where its query gives others, the view gets a list of them. */
  #rewriteView(entry: SchemaEntry, sql: string): string {
    const { database } = this.#catalog;
    const view = this.#read(entry, () => {
      const text = readViewText(sql);
      return { text, names: viewColumns(text, sql, database) };
    });
    if (view === null) return sql;
    try {
      const { edits } = rewriteQuery(queryAsRelation(view.text, sql), database, this.#change.schema, SQLITE);
      return this.#withNames(applyEdits(sql, edits), view.names);
    } catch (error) {
      throw error instanceof SqlRewriteError ? refusal(entry, error) : error;
    }
  }

  #withNames(sql: string, names: readonly string[]): string {
    const view = readViewText(sql);
    const own = queryColumns(view, sql, this.#change.changed);
    const isSame = names.length === own.length && names.every((name, i) => name === own[i]);
    // Always in quotes: so the list can be told from one that was there before.
    const list = `(${names.map((name) => quoteIdentifier(name)).join(', ')})`;
    const { start, end } = view.list;
    if (view.columns === null) return isSame ? sql : applyEdits(sql, [{ start, end, before: '', after: list }]);
    // A list of this very form is our own: the inverse of a change takes it away again.
    const isOurs = sql.slice(start, end) === list;
    return isSame && isOurs ? sql.slice(0, start) + sql.slice(end) : sql;
  }

  /** A full-text index over a table's columns finds them by their names. */
  #checkContent(entry: SchemaEntry): void {
    const { database, indexed } = this.#catalog;
    const content = indexed.find(({ index }) => index === entry.name);
    if (content === undefined) return;
    const table = tableNamed(database, content.table);
    const isRenamed = content.columns.some((name) =>
      this.#change.schema.renames.has(columnKey({ table, column: columnNamed(database, table, name) })),
    );
    const title = database.tables[table]?.originalName ?? content.table;
    if (isRenamed) throw refusal(entry, new Error(`it takes its content from ${title} by name`));
  }
}

function refusal({ type, name }: SchemaEntry, cause: Error): Error {
  const fix = 'Leave the column out of the perturbation, or take the object out of a copy of the database.';
  if (!(cause instanceof SqlRewriteError)) {
    return new InputFormatError(`${type} ${name} can’t follow the change: ${cause.message}`, { fix });
  }
  const { summary, place } = cause;
  return new SqlRewriteError(`${type} ${name} can’t follow the change: ${summary}`, { fix, cause, place });
}

/**
 * The texts of a schema that a change alters, by entry: tables, indexes, views and triggers. Of each text only the
 * tokens that the change concerns are edited. A view keeps the names of its columns.
 * @throws SqlRewriteError when a view, trigger, index or constraint can't be read, or can't be kept equal in meaning
 * @throws InputFormatError when a virtual table depends on a renamed column
 */
export function rewriteSchema(
  catalog: SchemaCatalog,
  change: ResolvedChange,
  isBroken: BrokenCheck,
): ReadonlyMap<SchemaEntry, string> {
  return new SchemaRewriter(catalog, change, isBroken).run();
}

/** A CREATE TABLE statement with its names resolved. */
interface BoundTable extends BoundText {
  readonly text: TableText;
}

function bindPart(binder: TextBinder, part: TablePart, scope: Scope, table: number): void {
  switch (part.kind) {
    case 'expression':
      return binder.expression(part.span, scope);
    case 'terms':
      return binder.terms(part.span, scope, table);
    case 'names':
      return part.names.forEach((name) => binder.column(name, table));
    case 'parent': {
      // SQLite stores foreign keys to tables and columns that do not exist.
      const parent = tableNamed(binder.database, part.table.name);
      return part.names.forEach((name) => binder.column(name, parent));
    }
  }
}

/**
 * Resolves the names in a CREATE TABLE statement: definitions, keys, foreign keys, CHECK and generated columns.
 * @throws SqlRewriteError with the position of what can't be read
 */
function bindTable(sql: string, database: Database): BoundTable {
  const text = readTableText(sql);
  const binder = new TextBinder(sql, database);
  const table = binder.table(text.name);
  const scope: Scope = { sources: binder.sources(text.name.span, null), aliases: [], parent: null };
  for (const { name } of text.columns) binder.column(name, table);
  for (const part of text.parts) bindPart(binder, part, scope, table);
  return { ...binder.bound(), text };
}

/**
 * Resolves the names in a CREATE INDEX statement.
 * @throws SqlRewriteError with the position of what can't be read
 */
function bindIndex(sql: string, database: Database): BoundText {
  const cursor = cursorOver(sql);
  readCreate(cursor, 'INDEX');
  cursor.expectWord('ON');
  const name = readObjectName(cursor);
  const binder = new TextBinder(sql, database);
  const scope: Scope = { sources: binder.sources(name.span, null), aliases: [], parent: null };
  binder.terms(insideParentheses(cursor), scope, binder.table(name));
  if (cursor.acceptWord('WHERE'))
    binder.expression(
      spanUntil(cursor, () => false),
      scope,
    );
  return binder.bound();
}
