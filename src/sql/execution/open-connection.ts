import type Sqlite from 'better-sqlite3';
import { loadSqliteDriver } from './drivers/sqlite-drivers.js';
import type { OpenOptions, SqliteDriver } from './drivers/sqlite-driver.js';

let loaded: SqliteDriver | null = null;

/**
 * The driver that serves here, loaded once.
 * @throws NativeModuleError when there is none
 */
export function sqliteDriver(): SqliteDriver {
  loaded ??= loadSqliteDriver();
  return loaded;
}

/**
 * Opens a SQLite database: a file, `:memory:`, or the bytes of one.
 * @throws SqliteError as SQLite has it; NativeModuleError when no driver can be loaded
 */
export function openConnection(source: string | Buffer, options?: OpenOptions): Sqlite.Database {
  return sqliteDriver().open(source, options);
}

/** Checks whether SQLite, rather than our code, reports it: its `code` names the result, "SQLITE_BUSY". */
export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === 'SqliteError' && 'code' in error;
}
