import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import { NativeModuleError } from '../errors.js';
import { createReadTable, SAMPLE_ROWS, skipTable, type CorpusEntry, type CorpusReader } from './corpus-reader.js';
import { naturalName } from '../schema/natural-name.js';

const MAX_IN_MEMORY_BYTES = 512 * 1024 * 1024;
const MAGIC = 'SQLite format 3\0';
/** Bytes 18 and 19 of the header: 1 = rollback journal, 2 = write-ahead log. https://sqlite.org/fileformat2.html */
const WRITE_VERSION_AT = 18;

async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const header = Buffer.alloc(100);
    const { bytesRead } = await file.read(header, 0, header.length, 0);
    return header.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function loadSqlite(): Promise<typeof Database> {
  try {
    return (await import('better-sqlite3')).default;
  } catch (cause) {
    throw new NativeModuleError('better-sqlite3 can not be loaded', {
      fix: 'Run `npm rebuild better-sqlite3`.',
      cause,
    });
  }
}

/** A database in WAL mode is read from memory: opening the file would put -wal and -shm files next to the user's. */
async function openUntouched(path: string, header: Buffer): Promise<Database.Database | null> {
  const Sqlite = await loadSqlite();
  if (header[WRITE_VERSION_AT] === 1) return new Sqlite(path, { readonly: true, fileMustExist: true });
  if ((await stat(path)).size > MAX_IN_MEMORY_BYTES) return null;
  const bytes = await readFile(path);
  bytes.fill(1, WRITE_VERSION_AT, WRITE_VERSION_AT + 2);
  return new Sqlite(bytes);
}

function renderCell(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString();
  return typeof value === 'string' ? value : '';
}

/** Reads an SQLite file, one corpus table per table with rows as samples; the file is never written, nor are files beside it. */
export class SqliteCorpusReader implements CorpusReader {
  readonly name: string;
  readonly #path: string;

  constructor(path: string, name: string) {
    this.#path = path;
    this.name = name;
  }

  async *read(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    const header = await readHeader(this.#path);
    if (header.toString('latin1', 0, 16) !== MAGIC) {
      yield skipTable('not an SQLite file', this.name);
      return;
    }
    const database = await openUntouched(this.#path, header);
    if (database === null) {
      yield skipTable('SQLite file in WAL mode over 512 MB', this.name);
      return;
    }
    try {
      yield* this.#readTables(database, signal);
    } finally {
      database.close();
    }
  }

  *#readTables(database: Database.Database, signal: AbortSignal): Generator<CorpusEntry> {
    let tables: string[];
    try {
      const list = database.prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
      );
      tables = list.pluck().all() as string[];
    } catch {
      yield skipTable('malformed SQLite file', this.name);
      return;
    }
    for (const table of tables) {
      signal.throwIfAborted();
      yield this.#readTable(database, table);
    }
  }

  #readTable(database: Database.Database, table: string): CorpusEntry {
    const where = `${this.name}#${table}`;
    try {
      const statement = database.prepare(`SELECT * FROM "${table.replaceAll('"', '""')}" LIMIT ${SAMPLE_ROWS}`);
      const headers = statement.columns().map((column) => column.name);
      const rows = statement.safeIntegers().raw().all() as unknown[][];
      return createReadTable(
        { id: where, title: this.#title(table), headers, rows: rows.map((row) => row.map(renderCell)) },
        where,
      );
    } catch {
      return skipTable('unreadable SQLite table', where);
    }
  }

  #title(table: string): string {
    const database = naturalName(basename(this.name).replace(/\.[^.]+$/u, ''));
    const name = naturalName(table);
    return database === name || database === '' ? name : `${database}: ${name}`;
  }
}
