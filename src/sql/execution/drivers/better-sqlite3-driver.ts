import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import type { DriverChoice, SqliteDriver } from './sqlite-driver.js';

const require = createRequire(import.meta.url);

/** Version 13 is built for it and crashes below: Node 20 and 22.0 to 22.13. WiseLibs/better-sqlite3#1514 */
const NODE_API_OF_13 = 10;

/** @throws Error where loading this version would end the process */
function checkNode(version: string): void {
  if (Number.parseInt(version, 10) < 13 || Number(process.versions.napi) >= NODE_API_OF_13) return;
  throw new Error(`better-sqlite3 ${version} takes Node 22.14 or newer, this is ${process.versions.node}`);
}

function load(id: string): SqliteDriver {
  const { version } = require(`${id}/package.json`) as { version: string };
  checkNode(version);
  const Database = require(id) as typeof Sqlite;
  // Its binary is loaded with the first database.
  new Database(':memory:').close();
  return {
    name: `better-sqlite3 ${version}`,
    open: (source, options) => new Database(source, options),
  };
}

/** better-sqlite3 13, which has its binaries in its package. */
export const BUNDLED_BETTER_SQLITE: DriverChoice = {
  id: 'better-sqlite3-bundled',
  load: () => load('better-sqlite3-bundled'),
};

/** better-sqlite3 as the user has it; version 12 downloads or compiles its binary when it is installed. */
export const BETTER_SQLITE: DriverChoice = { id: 'better-sqlite3', load: () => load('better-sqlite3') };
