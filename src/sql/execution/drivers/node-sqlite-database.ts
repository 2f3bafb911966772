import { copyFileSync, existsSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NativeDatabase, NodeSqliteModule } from './node-sqlite-module.js';
import { NodeSqliteStatement } from './node-sqlite-statement.js';
import type { OpenOptions } from './sqlite-driver.js';
import { cantOpen, translated } from './translated-error.js';

const kept = new Set<ScratchFile>();

function removeKept(): void {
  for (const file of kept) file.remove();
}

/** A file for a database that better-sqlite3 would hold in memory; it goes with `remove`, at the latest with the process. */
class ScratchFile {
  readonly path: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'perturbql-sqlite-'));

  constructor(bytes: Uint8Array | null) {
    this.path = join(this.#folder, 'scratch.sqlite');
    if (bytes !== null) writeFileSync(this.path, bytes);
    if (kept.size === 0 && !process.listeners('exit').includes(removeKept)) process.on('exit', removeKept);
    kept.add(this);
  }

  remove(): void {
    kept.delete(this);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** better-sqlite3's default. */
const BUSY_TIMEOUT = 5_000;

const NESTED = '"perturbql nested"';

type Work = (...values: never[]) => unknown;
type Begin = 'BEGIN' | 'BEGIN DEFERRED' | 'BEGIN IMMEDIATE' | 'BEGIN EXCLUSIVE';

/**
 * A database of `node:sqlite` with better-sqlite3's interface, as far as it is used here. One in memory, or given as
 * bytes, is a scratch file: not every version of `node:sqlite` can serialize.
 */
export class NodeSqliteDatabase {
  readonly name: string;
  readonly readonly: boolean;
  readonly #module: NodeSqliteModule;
  readonly #native: NativeDatabase;
  readonly #scratch: ScratchFile | null;
  readonly #path: string;
  #open = true;

  constructor(module: NodeSqliteModule, source: string | Buffer, options: OpenOptions = {}) {
    this.name = typeof source === 'string' ? source : ':memory:';
    this.readonly = options.readonly ?? false;
    this.#module = module;
    const isFile = typeof source === 'string' && source !== ':memory:';
    if (isFile && (options.fileMustExist ?? false) && !existsSync(source)) throw cantOpen();
    this.#scratch = isFile ? null : new ScratchFile(typeof source === 'string' ? null : source);
    this.#path = this.#scratch?.path ?? this.name;
    try {
      this.#native = translated(() => this.#connect(options.timeout ?? BUSY_TIMEOUT));
    } catch (error) {
      this.#scratch?.remove();
      throw error;
    }
  }

  get open(): boolean {
    return this.#open;
  }

  get memory(): boolean {
    return this.#scratch !== null;
  }

  get inTransaction(): boolean {
    return this.#native.isTransaction;
  }

  prepare(sql: string): NodeSqliteStatement {
    if (!this.#open) throw new TypeError('The database connection is not open');
    return new NodeSqliteStatement(this.#native, sql);
  }

  exec(sql: string): this {
    if (!this.#open) throw new TypeError('The database connection is not open');
    translated(() => this.#native.exec(sql));
    return this;
  }

  pragma(source: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
    const statement = this.prepare(`PRAGMA ${source}`);
    return simple ? statement.pluck().get() : statement.all();
  }

  function(
    name: string,
    ...rest: [Work] | [{ readonly varargs?: boolean; readonly deterministic?: boolean }, Work]
  ): this {
    const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest;
    translated(() => this.#native.function(name, options, run));
    return this;
  }

  transaction(work: Work): Work & Readonly<Record<'deferred' | 'immediate' | 'exclusive', Work>> {
    return Object.assign(this.#within('BEGIN', work), {
      deferred: this.#within('BEGIN DEFERRED', work),
      immediate: this.#within('BEGIN IMMEDIATE', work),
      exclusive: this.#within('BEGIN EXCLUSIVE', work),
    });
  }

  /** The bytes of the database, with what its write-ahead log adds. */
  serialize(): Buffer {
    const log = `${this.#path}-wal`;
    if (!existsSync(log)) return readFileSync(this.#path);
    const copy = new ScratchFile(readFileSync(this.#path));
    try {
      copyFileSync(log, `${copy.path}-wal`);
      const merged = new this.#module.DatabaseSync(copy.path, {});
      merged.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      merged.close();
      return readFileSync(copy.path);
    } finally {
      copy.remove();
    }
  }

  /** Lets the schema be edited, or not. */
  unsafeMode(on = true): this {
    this.#native.enableDefensive?.(!on);
    return this;
  }

  close(): this {
    if (!this.#open) return this;
    this.#open = false;
    translated(() => this.#native.close());
    this.#scratch?.remove();
    return this;
  }

  #connect(timeout: number): NativeDatabase {
    const native = new this.#module.DatabaseSync(this.#path, { readOnly: this.readonly });
    native.exec(`PRAGMA busy_timeout = ${timeout}`);
    // Nobody else has the file, and nothing of it outlives the connection.
    const isPrivate = this.#scratch !== null && !this.readonly;
    if (isPrivate) native.exec('PRAGMA synchronous = OFF');
    return native;
  }

  #within(begin: Begin, work: Work): Work {
    return (...values) => {
      const isNested = this.inTransaction;
      this.exec(isNested ? `SAVEPOINT ${NESTED}` : begin);
      try {
        const result = work(...values);
        this.exec(isNested ? `RELEASE ${NESTED}` : 'COMMIT');
        return result;
      } catch (error) {
        // SQLite has rolled back by itself after some errors.
        if (this.inTransaction) this.exec(isNested ? `ROLLBACK TO ${NESTED}; RELEASE ${NESTED}` : 'ROLLBACK');
        throw error;
      }
    };
  }
}
