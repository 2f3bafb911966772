import type { Identifier } from '../ast.js';
import type { TokenCursor } from '../token-cursor.js';
import type { Span } from '../tokenizer.js';
import { cursorOver, insideParentheses, readCreate, readNameList, spanUntil } from './create-text.js';

/** A column as CREATE TABLE defines it. */
interface ColumnText {
  readonly name: Identifier;
  /** Offset after the last token of its definition. */
  readonly end: number;
}

/** CHECK or GENERATED ALWAYS AS; the span is that of the expression within its parentheses. */
export interface ExpressionPart {
  readonly kind: 'expression';
  readonly use: 'check' | 'generated';
  readonly span: Span;
}

/** A place of CREATE TABLE that names columns. */
export type TablePart =
  | ExpressionPart
  /** The columns of a PRIMARY KEY or UNIQUE constraint. */
  | { readonly kind: 'terms'; readonly span: Span }
  /** The columns of a FOREIGN KEY constraint. */
  | { readonly kind: 'names'; readonly names: readonly Identifier[] }
  /** REFERENCES: the parent table, and its columns when they are named. */
  | { readonly kind: 'parent'; readonly table: Identifier; readonly names: readonly Identifier[] };

/** The text of a CREATE TABLE statement, taken apart; offsets are into the text. */
export interface TableText {
  readonly name: Identifier;
  readonly columns: readonly ColumnText[];
  readonly parts: readonly TablePart[];
}

const CONSTRAINTS = ['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN'];

/**
 * Reads a CREATE TABLE statement as SQLite stores it.
 * @throws SqlRewriteError with the position where it is none that SQLite would store
 */
export function readTableText(sql: string): TableText {
  const cursor = cursorOver(sql);
  const name = readCreate(cursor, 'TABLE');
  const columns: ColumnText[] = [];
  const parts: TablePart[] = [];
  cursor.expectOperator('(');
  cursor.list(() => readElement(cursor, columns, parts));
  cursor.expectOperator(')');
  return { name, columns, parts };
}

function readElement(cursor: TokenCursor, columns: ColumnText[], parts: TablePart[]): void {
  const isConstraint = CONSTRAINTS.some((word) => cursor.isWord(word));
  const name = isConstraint ? null : cursor.expectName('a column name');
  while (cursor.peek().kind !== 'end' && !cursor.isOperator(',') && !cursor.isOperator(')')) {
    const part = readPart(cursor);
    if (part !== null) parts.push(part);
  }
  if (name !== null) columns.push({ name, end: cursor.spanFrom(name.span.end).end });
}

/** Reads a part, or skips what names no column. */
function readPart(cursor: TokenCursor): TablePart | null {
  if (cursor.acceptWords('PRIMARY', 'KEY') || cursor.acceptWord('UNIQUE')) return readKey(cursor);
  if (cursor.acceptWords('FOREIGN', 'KEY')) return { kind: 'names', names: readNameList(cursor) };
  if (cursor.acceptWord('CHECK')) return { kind: 'expression', use: 'check', span: insideParentheses(cursor) };
  if (cursor.acceptWord('AS')) return { kind: 'expression', use: 'generated', span: insideParentheses(cursor) };
  if (cursor.acceptWord('REFERENCES')) {
    return { kind: 'parent', table: cursor.expectName('a table name'), names: readNameList(cursor) };
  }
  skipPart(cursor);
  return null;
}

/** A key's columns; a column's own PRIMARY KEY and UNIQUE have none. */
function readKey(cursor: TokenCursor): TablePart | null {
  if (!cursor.acceptOperator('(')) return null;
  const span = spanUntil(cursor, () => cursor.isOperator(')') || cursor.isWord('AUTOINCREMENT'));
  cursor.acceptWord('AUTOINCREMENT');
  cursor.expectOperator(')');
  return { kind: 'terms', span };
}

function skipPart(cursor: TokenCursor): void {
  // The word after these is a name or a value, whatever it looks like.
  const named = ['CONSTRAINT', 'COLLATE', 'DEFAULT'].some((word) => cursor.acceptWord(word));
  if (cursor.isOperator('(')) insideParentheses(cursor);
  else if (!named || !(cursor.isOperator(',') || cursor.isOperator(')'))) cursor.next();
}
