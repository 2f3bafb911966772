import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import { createReadTable, SAMPLE_ROWS, skipTable, type CorpusEntry, PathCorpusReader } from './corpus-reader.js';
import { isSqliteFile } from '../formats/sqlite-tables.js';
import { naturalName } from '../schema/natural-name.js';
import { quoteIdentifier } from '../sql/dialect.js';
import { isReadFromMemory, openUntouched } from '../sql/execution/open-untouched.js';

const MAX_IN_MEMORY_BYTES = 512 * 1024 * 1024;

function renderCell(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString();
  return typeof value === 'string' ? value : '';
}

/**
 * Reads an SQLite file, one corpus table per table with rows as samples; the file is never written, nor are files next
 * to it.
 */
export class SqliteCorpusReader extends PathCorpusReader {
  async *read(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    if (!isSqliteFile(this.path)) {
      yield skipTable('not an SQLite file', this.name);
      return;
    }
    if (isReadFromMemory(this.path) && (await stat(this.path)).size > MAX_IN_MEMORY_BYTES) {
      yield skipTable('SQLite file in WAL mode over 512 MB', this.name);
      return;
    }
    const database = openUntouched(this.path);
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
      const statement = database.prepare(`SELECT * FROM ${quoteIdentifier(table)} LIMIT ${SAMPLE_ROWS}`);
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
