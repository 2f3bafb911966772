import type { Identifier } from '../ast.js';
import { sqlFault } from '../sql-fault.js';
import { TokenCursor } from '../token-cursor.js';
import type { Span } from '../tokenizer.js';

const FIX = 'Open the database with SQLite’s own shell and check this definition.';

/** A cursor over the text of a CREATE statement; queries in it are read apart, by their spans. */
export function cursorOver(sql: string): TokenCursor {
  return new TokenCursor(sql, () => {
    throw sqlFault(sql, 0, 'a query where none can be', FIX);
  });
}

/** Reads tokens up to one that `isEnd` accepts outside parentheses, and returns what they span. */
export function spanUntil(cursor: TokenCursor, isEnd: () => boolean): Span {
  const { start } = cursor.peek();
  while (cursor.peek().kind !== 'end' && !isEnd()) skipOne(cursor);
  return cursor.spanFrom(start);
}

function skipOne(cursor: TokenCursor): void {
  if (cursor.isOperator('(')) insideParentheses(cursor);
  else cursor.next();
}

/** Reads a pair of parentheses and returns the span between them, white space and comments at both ends left out. */
export function insideParentheses(cursor: TokenCursor): Span {
  cursor.expectOperator('(');
  const span = spanUntil(cursor, () => cursor.isOperator(')'));
  cursor.expectOperator(')');
  return span;
}

/** Reads `[schema.]name`; the schema of a stored object is always its own. */
export function readObjectName(cursor: TokenCursor): Identifier {
  const first = cursor.expectName('a name');
  return cursor.acceptOperator('.') ? cursor.expectName('a name') : first;
}

/** Reads `CREATE … kind [IF NOT EXISTS] name`. @throws SqlRewriteError when the text is another statement */
export function readCreate(cursor: TokenCursor, kind: 'TABLE' | 'INDEX' | 'VIEW' | 'TRIGGER'): Identifier {
  cursor.expectWord('CREATE');
  for (const word of ['TEMP', 'TEMPORARY', 'UNIQUE']) cursor.acceptWord(word);
  cursor.expectWord(kind);
  cursor.acceptWords('IF', 'NOT', 'EXISTS');
  return readObjectName(cursor);
}

/** Reads `(a, b COLLATE c DESC, …)` and returns the names; none where there is no parenthesis. */
export function readNameList(cursor: TokenCursor): Identifier[] {
  if (!cursor.acceptOperator('(')) return [];
  const names = cursor.list(() => {
    const name = cursor.expectName('a column name');
    spanUntil(cursor, () => cursor.isOperator(',') || cursor.isOperator(')'));
    return name;
  });
  cursor.expectOperator(')');
  return names;
}
