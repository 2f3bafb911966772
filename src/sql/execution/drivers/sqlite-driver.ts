import type Sqlite from 'better-sqlite3';

/** How a database is opened; as better-sqlite3's options. */
export interface OpenOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  /** Milliseconds to wait for a locked file, 5,000 by default. */
  readonly timeout?: number;
}

/**
 * A package that opens SQLite databases. What it opens has the part of better-sqlite3's interface that
 * `test/sql/execution/sqlite-driver-conformance.ts` lists; above all, a statement says truly whether it only reads.
 */
export interface SqliteDriver {
  /** Package and version: "better-sqlite3 12.9.0". */
  readonly name: string;
  /**
   * Opens a file, `:memory:`, or the bytes of a database.
   * @throws SqliteError as SQLite has it
   */
  open(source: string | Buffer, options?: OpenOptions): Sqlite.Database;
}

/** A driver that may serve here. */
export interface DriverChoice {
  /** Its package, as it is imported. */
  readonly id: string;
  /**
   * Loads the driver and tries it.
   * @throws Error when the package is missing, has no binary for this machine, or doesn't suit this Node
   */
  load(): SqliteDriver;
}
