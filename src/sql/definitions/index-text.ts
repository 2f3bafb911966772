import { cursorOver, insideParentheses, readCreate, readObjectName, spanUntil } from './create-text.js';

/**
 * The condition that a CREATE INDEX says after WHERE; null where it says none.
 * @throws SqlRewriteError when the text is another statement
 */
export function partialCondition(sql: string): string | null {
  const cursor = cursorOver(sql);
  readCreate(cursor, 'INDEX');
  cursor.expectWord('ON');
  readObjectName(cursor);
  insideParentheses(cursor);
  if (!cursor.acceptWord('WHERE')) return null;
  const { start, end } = spanUntil(cursor, () => false);
  return sql.slice(start, end);
}
