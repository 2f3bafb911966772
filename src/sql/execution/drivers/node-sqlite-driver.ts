import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { NodeSqliteDatabase, type NodeSqliteModule } from './node-sqlite-database.js';
import type { DriverChoice, SqliteDriver } from './sqlite-driver.js';

const require = createRequire(import.meta.url);

/** Loads `node:sqlite` without its word that it is experimental, which would be in every command's output. */
function requireQuietly(id: string): NodeSqliteModule {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return require(id) as NodeSqliteModule;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function driverOf(module: NodeSqliteModule, name: string): SqliteDriver {
  const driver: SqliteDriver = {
    name,
    // What of better-sqlite3's interface is used, which the conformance suite of drivers has in full.
    open: (source, options) => new NodeSqliteDatabase(module, source, options) as unknown as Sqlite.Database,
  };
  driver.open(':memory:').close();
  return driver;
}

/** SQLite within Node, from 22.16 on. */
export const NODE_SQLITE: DriverChoice = {
  id: 'node:sqlite',
  load() {
    const module = requireQuietly(this.id);
    if (module.StatementSync?.prototype.setReturnArrays === undefined) {
      throw new Error(`it takes Node 22.16 or newer, this is ${process.versions.node}`);
    }
    return driverOf(module, `node:sqlite of Node ${process.versions.node}`);
  },
};

/** A package with the interface of `node:sqlite` and binaries for Node 20 in it. */
export const PACKAGED_NODE_SQLITE: DriverChoice = {
  id: '@photostructure/sqlite',
  load() {
    const { version } = require(`${this.id}/package.json`) as { version: string };
    return driverOf(requireQuietly(this.id), `${this.id} ${version}`);
  },
};
