import { NativeModuleError } from '../../../errors.js';
import { BETTER_SQLITE, BUNDLED_BETTER_SQLITE } from './better-sqlite3-driver.js';
import { NODE_SQLITE, PACKAGED_NODE_SQLITE } from './node-sqlite-driver.js';
import type { DriverChoice, SqliteDriver } from './sqlite-driver.js';

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
