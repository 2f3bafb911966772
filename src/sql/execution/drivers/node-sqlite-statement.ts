import type { NativeColumn, NativeDatabase, NativeStatement, NativeValue } from './node-sqlite-module.js';
import { translated } from './translated-error.js';

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

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A statement of `node:sqlite` with better-sqlite3's interface. */
export class NodeSqliteStatement {
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
    return value instanceof Uint8Array ? asBuffer(value) : value;
  }

  #proveReadOnly(): boolean {
    const explained = new NodeSqliteStatement(this.#database, `EXPLAIN ${this.source}`);
    return isReadOnlyProgram(explained.all() as { opcode: string; p2: number }[]);
  }
}
