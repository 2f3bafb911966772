import type Sqlite from 'better-sqlite3';
import type { DriverChoice, OpenOptions, SqliteDriver } from './drivers/sqlite-driver.js';
import { NativeModuleError } from '../../errors.js';
import { BETTER_SQLITE, BUNDLED_BETTER_SQLITE } from './drivers/better-sqlite3-driver.js';
import { NODE_SQLITE, PACKAGED_NODE_SQLITE } from './drivers/node-sqlite-driver.js';

/**
 * Drivers in the order in which they are tried. libsql is not among them: it has neither functions of the caller's nor
 * serialization, and does not tell whether a statement only reads.
 */
export const SQLITE_DRIVERS: readonly DriverChoice[] = [
  BUNDLED_BETTER_SQLITE,
  BETTER_SQLITE,
  NODE_SQLITE,
  PACKAGED_NODE_SQLITE,
];

function causeOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

/**
 * Loads the first driver that works here.
 * @throws NativeModuleError with what is wrong with each, when none does
 */
export function loadSqliteDriver(choices: readonly DriverChoice[] = SQLITE_DRIVERS): SqliteDriver {
  const causes: string[] = [];
  for (const choice of choices) {
    try {
      return choice.load();
    } catch (error) {
      causes.push(`${choice.id}: ${causeOf(error)}`);
    }
  }
  throw new NativeModuleError(`no SQLite driver can be loaded: ${causes.join('; ')}`, {
    fix: 'Use Node 22.16 or newer, or run `npm install @photostructure/sqlite`; `perturbql doctor` checks it.',
  });
}

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

/** Works with something that is open, such as a connection, and closes it afterwards. */
export function whileOpen<C extends { close(): unknown }, T>(opened: C, work: (opened: C) => T): T {
  try {
    return work(opened);
  } finally {
    opened.close();
  }
}

/** Checks whether SQLite, rather than our code, reports it: its `code` names the result, "SQLITE_BUSY". */
export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === 'SqliteError' && 'code' in error;
}
