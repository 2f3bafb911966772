import { resultCodeName } from './result-codes.js';

/** An error of SQLite with better-sqlite3's name and code. */
class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

function isOfSqlite(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** An error for a file that should have been there. */
export function cantOpen(): Error {
  return new SqliteError('unable to open database file', 'SQLITE_CANTOPEN');
}

/** Runs a step of `node:sqlite`; its errors of SQLite come as better-sqlite3's, all others as they are. */
export function translated<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw isOfSqlite(error) ? new SqliteError(error.message, resultCodeName(error.errcode)) : error;
  }
}
