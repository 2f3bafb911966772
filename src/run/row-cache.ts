import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { causeText } from '../cause-text.js';
import { NativeModuleError } from '../errors.js';
import { isSqliteError, openConnection } from '../sql/execution/open-connection.js';
import { makeFolder } from './output-place.js';
import { defaultCacheFolder } from './cache-folder.js';
import { sha256Of } from './sha256.js';
import type { ShardOption } from './shard.js';

/** Values kept back before they are written in one transaction: a kill loses at most these, and they are only recomputed. */
const WRITE_EVERY = 512;

/** Bytes of a key. */
const KEY_BYTES = 16;

export type SqlValue = number | Buffer | null;

/** The table that holds a cache's values, and what a warning calls these. */
export interface RowLayout {
  readonly what: string;
  readonly table: string;
  /** Columns beside the key, as CREATE TABLE has them. */
  readonly columns: readonly string[];
}

interface RowCacheOptions<Key, Row, Value> {
  /** The text that a value is kept by the hash of; different keys have different ones. */
  readonly textOf: (key: Key) => string;
  readonly decode: (row: Row) => Value;
  readonly encode: (value: Value) => readonly SqlValue[];
  readonly warn: (message: string) => void;
  readonly readonly?: boolean;
}

/**
 * Values on disk by the hash of their key, one row each. Several processes may share a file. At the first error of its file
 * an opened cache is given up with one warning: from then on it knows nothing and keeps nothing, since every value can
 * be computed again.
 */
export class RowCache<Key, Row, Value> {
  readonly #layout: RowLayout;
  readonly #options: RowCacheOptions<Key, Row, Value>;
  readonly #database: Sqlite.Database;
  readonly #select: Sqlite.Statement<[Buffer], Row>;
  readonly #insert: Sqlite.Statement<SqlValue[]>;
  readonly #pending = new Map<string, { readonly key: Buffer; readonly value: Value }>();
  #givenUp = false;

  /** @throws Error when the folder or the file can't be opened, or is not there and is only to be read */
  constructor(path: string, layout: RowLayout, options: RowCacheOptions<Key, Row, Value>) {
    const { table, columns } = layout;
    const { readonly = false } = options;
    this.#layout = layout;
    this.#options = options;
    if (!readonly) makeFolder(dirname(path));
    this.#database = openConnection(path, { timeout: 30_000, readonly });
    // A rollback journal, not WAL: a killed process leaves nothing that the next one has to recover by checkpoint.
    this.#database.pragma('synchronous = NORMAL');
    this.#database.exec(
      `CREATE TABLE IF NOT EXISTS ${table} (key BLOB PRIMARY KEY, ${columns.join(', ')}) WITHOUT ROWID`,
    );
    const names = columns.map((column) => column.split(' ', 1).join(''));
    this.#select = this.#database.prepare<[Buffer], Row>(`SELECT ${names.join(', ')} FROM ${table} WHERE key = ?`);
    this.#insert = this.#database.prepare<SqlValue[]>(
      `INSERT OR IGNORE INTO ${table} VALUES (?${', ?'.repeat(columns.length)})`,
    );
  }

  get(of: Key): Value | null {
    const key = keyOf(this.#options.textOf(of));
    const pending = this.#pending.get(key.toString('hex'));
    if (pending !== undefined) return pending.value;
    const row = this.#attempt(() => this.#select.get(key));
    return row === undefined ? null : this.#options.decode(row);
  }

  put(of: Key, value: Value): void {
    if (this.#givenUp) return;
    const key = keyOf(this.#options.textOf(of));
    this.#pending.set(key.toString('hex'), { key, value });
    if (this.#pending.size >= WRITE_EVERY) this.flush();
  }

  flush(): void {
    if (this.#pending.size === 0) return;
    const writeAll = this.#database.transaction(() => {
      for (const { key, value } of this.#pending.values()) this.#insert.run(key, ...this.#options.encode(value));
    });
    this.#attempt(writeAll);
    this.#pending.clear();
  }

  /** Begins to write and takes it back: a file that can be read only is given up now, not at the first flush. */
  tryWriting(): void {
    this.#attempt(() => {
      this.#database.exec(`BEGIN; DELETE FROM ${this.#layout.table} WHERE key = x''; ROLLBACK`);
    });
  }

  /** Takes over the values of another cache's file. */
  absorb(file: string): void {
    const { table } = this.#layout;
    this.#attempt(() => {
      this.#database.prepare('ATTACH ? AS other').run(file);
      this.#database.exec(`INSERT OR IGNORE INTO ${table} SELECT * FROM other.${table}; DETACH other`);
    });
  }

  close(): void {
    this.flush();
    this.#database.close();
  }

  #attempt<T>(use: () => T): T | undefined {
    if (this.#givenUp) return undefined;
    try {
      return use();
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      // SQLite has rolled back by itself after some errors.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      this.#givenUp = true;
      this.#pending.clear();
      this.#options.warn(unusableCache(this.#layout.what, this.#database.name, error));
      return undefined;
    }
  }
}

function unusableCache(what: string, path: string, error: unknown): string {
  return `${what} are not cached, ${path} can't be used: ${causeText(error)}`;
}

/**
 * Opens a cache. A bad one costs time, not the run: it warns once; null where it can't even be opened.
 * @throws NativeModuleError when no database can be opened here, as an installation without SQLite is no cache's fault
 */
export function openCache<T>(
  what: string,
  folder: string,
  warn: (message: string) => void,
  open: (folder: string) => T,
): T | null {
  try {
    return open(folder);
  } catch (error) {
    if (error instanceof NativeModuleError) throw error;
    warn(unusableCache(what, folder, error));
    return null;
  }
}

function keyOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES);
}

const VECTORS: RowLayout = { what: 'vectors', table: 'vector', columns: ['vector BLOB NOT NULL'] };

interface VectorRow {
  readonly vector: Buffer;
}

/** An own copy: a buffer that SQLite gives may begin where no float32 can. */
function vectorOf({ vector }: VectorRow): Float32Array {
  return new Float32Array(Uint8Array.from(vector).buffer);
}

function rowOf(vector: Float32Array): readonly Buffer[] {
  return [Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)];
}

/** Vectors of texts on disk, float32 to the bit; an encoder or device with another fingerprint has a file of its own. */
export type VectorCache = RowCache<string, VectorRow, Float32Array>;

interface CachedRun extends ShardOption {
  /** Undefined = the platform's cache folder. */
  readonly cacheFolder?: string | undefined;
}

/**
 * Opens the vectors of an encoder, as `openCache`; null for a shard, as SQLite's locks do not hold on every network file
 * system. @throws as `openCache`
 */
export function openVectorCache(
  { shard, cacheFolder }: CachedRun,
  encoderFingerprint: string,
  warn: (message: string) => void,
): VectorCache | null {
  if (shard != null) return null;
  const file = `vectors-1-${sha256Of(encoderFingerprint).slice(0, 16)}.sqlite`;
  const open = (folder: string): VectorCache =>
    new RowCache(join(folder, file), VECTORS, { textOf: (text) => text, decode: vectorOf, encode: rowOf, warn });
  return openCache(VECTORS.what, cacheFolder ?? defaultCacheFolder(), warn, open);
}
