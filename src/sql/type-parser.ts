import type { TokenCursor } from './token-cursor.js';

/** Types of PostgreSQL whose names are more than one word. */
const LONG_TYPES = [
  ['DOUBLE', 'PRECISION'],
  ['NATIONAL', 'CHARACTER', 'VARYING'],
  ['NATIONAL', 'CHARACTER'],
  ['NATIONAL', 'CHAR'],
  ['CHARACTER', 'VARYING'],
  ['CHAR', 'VARYING'],
  ['BIT', 'VARYING'],
];
const INTERVAL_WORDS = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'TO'];

/** Parses the type of `CAST(x AS type)` and returns its source text. @throws SqlRewriteError with the position */
export function parseCastType(cursor: TokenCursor): string {
  switch (cursor.dialect.name) {
    case 'postgresql':
      return parseTypeName(cursor);
    case 'mysql':
      return parseWords(cursor, () => cursor.peek().kind === 'word');
    case 'sqlite':
      return parseWords(cursor, () => cursor.isName());
  }
}

function textSince(cursor: TokenCursor, start: number): string {
  const { end } = cursor.spanFrom(start);
  return cursor.sql.slice(start, Math.max(start, end));
}

function parseWords(cursor: TokenCursor, isPart: () => boolean): string {
  const { start } = cursor.peek();
  while (isPart()) cursor.next();
  parsePrecision(cursor);
  // MySQL: CHAR(10) CHARACTER SET utf8mb4
  while (cursor.dialect.name === 'mysql' && isPart()) cursor.next();
  return textSince(cursor, start);
}

function parsePrecision(cursor: TokenCursor): void {
  if (!cursor.acceptOperator('(')) return;
  cursor.list(() => parseSignedNumber(cursor));
  cursor.expectOperator(')');
}

function parseSignedNumber(cursor: TokenCursor): void {
  if (!cursor.acceptOperator('-')) cursor.acceptOperator('+');
  if (cursor.peek().kind !== 'number') throw cursor.fault('expected a number');
  cursor.next();
}

/** Parses a type as PostgreSQL writes it, also after `::`, and returns its source text. @throws SqlRewriteError with the position */
export function parseTypeName(cursor: TokenCursor): string {
  const { start } = cursor.peek();
  const interval = cursor.isWord('INTERVAL');
  const timed = cursor.isWord('TIME') || cursor.isWord('TIMESTAMP');
  if (!LONG_TYPES.some((words) => cursor.acceptWords(...words))) parseQualified(cursor);
  parsePrecision(cursor);
  if (timed && !cursor.acceptWords('WITH', 'TIME', 'ZONE')) cursor.acceptWords('WITHOUT', 'TIME', 'ZONE');
  while (interval && INTERVAL_WORDS.some((word) => cursor.acceptWord(word)));
  parseBounds(cursor);
  return textSince(cursor, start);
}

function parseQualified(cursor: TokenCursor): void {
  cursor.expectName('a type');
  while (cursor.acceptOperator('.')) cursor.expectNameAfterDot('a type');
}

function parseBounds(cursor: TokenCursor): void {
  while (cursor.acceptOperator('[')) {
    if (cursor.peek().kind === 'number') cursor.next();
    cursor.expectOperator(']');
  }
}
