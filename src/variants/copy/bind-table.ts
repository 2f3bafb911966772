import type { Database } from '../../schema/schema.js';
import type { Scope } from '../../sql/scope.js';
import {
  cursorOver,
  insideParentheses,
  readCreate,
  readObjectName,
  spanUntil,
} from '../../sql/definitions/create-text.js';
import { readTableText, type TablePart, type TableText } from '../../sql/definitions/table-text.js';
import { tableNamed } from '../../sql/schema-names.js';
import { TextBinder, type BoundText } from './text-binder.js';

/** A CREATE TABLE statement with its names resolved. */
export interface BoundTable extends BoundText {
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
export function bindTable(sql: string, database: Database): BoundTable {
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
export function bindIndex(sql: string, database: Database): BoundText {
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
