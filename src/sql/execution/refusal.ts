import type { Refusal } from './query-outcome.js';

/** SQLite's own default for the length of a statement, https://sqlite.org/limits.html; better-sqlite3 allows 1 GB. */
export const MAX_SQL_LENGTH = 1_000_000;

/** Text that may come before the first word; SQLite skips a byte order mark, too. */
const TRIVIA = /[ \t\n\f\r\uFEFF]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const READING_WORD = /(?:SELECT|VALUES|WITH)(?![A-Za-z0-9_$\u0080-\uFFFF])/iy;

function skipTrivia(sql: string): number {
  let at = 0;
  for (;;) {
    TRIVIA.lastIndex = at;
    const match = TRIVIA.exec(sql);
    if (match === null) return at;
    at += match[0].length;
  }
}

/**
 * Why a text may not even be prepared, or null. A PRAGMA takes effect while it is prepared, and a NUL would hide what
 * follows it.
 */
export function refusalOf(sql: string): Refusal | null {
  if (sql.length > MAX_SQL_LENGTH) return 'too-long';
  if (sql.includes('\0')) return 'nul-character';
  const start = skipTrivia(sql);
  if (start === sql.length) return 'empty';
  READING_WORD.lastIndex = start;
  return READING_WORD.test(sql) ? null : 'not-a-select';
}
