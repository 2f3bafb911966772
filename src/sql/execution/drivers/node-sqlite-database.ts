import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cantOpen, translated } from './translated-error.js';
import type { OpenOptions } from './sqlite-driver.js';

/** A value of SQLite as `node:sqlite` takes and gives it, integers read as bigint. */
type NativeValue = null | number | bigint | string | Uint8Array;

/** A statement of `node:sqlite`, as far as it is used. https://nodejs.org/api/sqlite.html */
interface NativeStatement {
  setReadBigInts(on: boolean): void;
  setReturnArrays(on: boolean): void;
  run(...values: unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: unknown[]): NativeValue[] | undefined;
  all(...values: unknown[]): NativeValue[][];
  iterate(...values: unknown[]): IterableIterator<NativeValue[]>;
  columns(): readonly NativeColumn[];
}

/** A column of a statement's results. */
interface NativeColumn {
  readonly name: string;
  readonly column: string | null;
  readonly table: string | null;
  readonly database: string | null;
  readonly type: string | null;
}

/** A database of `node:sqlite`, as far as it is used. */
interface NativeDatabase {
  readonly isTransaction: boolean;
  prepare(sql: string): NativeStatement;
  exec(sql: string): void;
  function(
    name: string,
    options: { readonly varargs?: boolean; readonly deterministic?: boolean },
    run: (...values: never[]) => unknown,
  ): void;
  /** Missing where databases are never opened in SQLite's defensive mode. */
  enableDefensive?(on: boolean): void;
  close(): void;
}

/** `node:sqlite`, or a package with its interface. */
export interface NodeSqliteModule {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly?: boolean }) => NativeDatabase;
  readonly StatementSync?: { readonly prototype: Partial<NativeStatement> };
}

/** An instruction of a prepared statement, as EXPLAIN lists it. */
interface Instruction {
  readonly opcode: string;
  readonly p2: number;
}

const WRITES = new Set(['Checkpoint', 'Vacuum', 'JournalMode']);

/**
 * Checks whether a program leaves the database as it is: what `sqlite3_stmt_readonly` answers, by the rule with which
 * SQLite sets that answer (`resolveP2Values` in vdbeaux.c).
 */
function isReadOnlyProgram(program: readonly Instruction[]): boolean {
  return !program.some(({ opcode, p2 }) => WRITES.has(opcode) || (opcode === 'Transaction' && p2 !== 0));
}

/** A text that is no statement. */
const REST = /^(?:[\s;\uFEFF]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*$/;

/** Semicolons, and what may hold some. */
const SEMICOLONS = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(;)/g;
const TRIGGER = /^\s*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i;

/** Checks whether a text that SQLite has prepared goes on after its first statement. */
function goesOn(sql: string): boolean {
  if (TRIGGER.test(sql)) return false;
  for (const { 1: semicolon, index } of sql.matchAll(SEMICOLONS)) {
    if (semicolon !== undefined) return !REST.test(sql.slice(index));
  }
  return false;
}

/** Prepares one statement. @throws RangeError, with better-sqlite3's words, where the text has none or several */
function prepareOne(database: NativeDatabase, sql: string): NativeStatement {
  if (REST.test(sql)) throw new RangeError('The supplied SQL string contains no statements');
  const statement = translated(() => database.prepare(sql));
  if (goesOn(sql)) {
    throw new RangeError('The supplied SQL string contains more than one statement');
  }
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

/** A statement of `node:sqlite` with better-sqlite3's interface. */
class NodeSqliteStatement {
  readonly source: string;
  readonly #database: NativeDatabase;
  readonly #native: NativeStatement;
  #columns: readonly NativeColumn[] | null = null;
  #readonly: boolean | null = null;
  #shape: 'object' | 'array' | 'value' = 'object';
  #isBigInt = false;

  constructor(database: NativeDatabase, sql: string) {
    this.#database = database;
    this.#native = prepareOne(database, sql);
    this.source = sql;
  }

  /** True if it gives rows. */
  get reader(): boolean {
    return this.columns().length > 0;
  }

  get readonly(): boolean {
    this.#readonly ??= this.#proveReadOnly();
    return this.#readonly;
  }

  raw(on = true): this {
    this.#shape = on ? 'array' : 'object';
    return this;
  }

  pluck(on = true): this {
    this.#shape = on ? 'value' : 'object';
    return this;
  }

  safeIntegers(on = true): this {
    this.#isBigInt = on;
    return this;
  }

  columns(): readonly NativeColumn[] {
    this.#columns ??= this.#native.columns().map((column) => ({ ...column }));
    return this.#columns;
  }

  run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint } {
    const { changes, lastInsertRowid } = translated(() => this.#native.run(...values.flat()));
    const rowid = this.#isBigInt ? BigInt(lastInsertRowid) : Number(lastInsertRowid);
    return { changes: Number(changes), lastInsertRowid: rowid };
  }

  get(...values: unknown[]): unknown {
    const row = translated(() => this.#native.get(...values.flat()));
    return row === undefined ? undefined : this.#toRow(row);
  }

  all(...values: unknown[]): unknown[] {
    return translated(() => this.#native.all(...values.flat())).map((row) => this.#toRow(row));
  }

  *iterate(...values: unknown[]): IterableIterator<unknown> {
    const rows = translated(() => this.#native.iterate(...values.flat()));
    try {
      for (let next = translated(() => rows.next()); next.done !== true; next = translated(() => rows.next())) {
        yield this.#toRow(next.value);
      }
    } finally {
      rows.return?.();
    }
  }

  #toRow(row: readonly NativeValue[]): unknown {
    if (this.#shape === 'value') return this.#toValue(row[0] ?? null);
    const values = row.map((value) => this.#toValue(value));
    if (this.#shape === 'array') return values;
    return Object.fromEntries(this.columns().map(({ name }, i) => [name, values[i]]));
  }

  #toValue(value: NativeValue): NativeValue {
    if (typeof value === 'bigint') return this.#isBigInt ? value : Number(value);
    return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
  }

  #proveReadOnly(): boolean {
    const explained = new NodeSqliteStatement(this.#database, `EXPLAIN ${this.source}`);
    return isReadOnlyProgram(explained.all() as { opcode: string; p2: number }[]);
  }
}

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
