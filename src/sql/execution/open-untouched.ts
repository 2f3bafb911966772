import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { brokenViews, repairNotes, repairSchema, needsRepair, type SchemaNote } from './repaired-schema.js';
import { isSqliteError, openConnection, whileOpen } from './open-connection.js';
import { firstBytes, requireRegularFile } from '../../regular-file.js';

/** Bytes 18 and 19 of the header: 1 = rollback journal, 2 = write-ahead log. https://sqlite.org/fileformat2.html */
const WRITE_VERSION_AT = 18;

function usesLog(file: string): boolean {
  return firstBytes(file, WRITE_VERSION_AT + 1)[WRITE_VERSION_AT] === 2;
}

/** The database's bytes with what its log adds, which SQLite merges in a copy. */
function mergeLog(file: string, log: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(file, copy);
    copyFileSync(log, `${copy}-wal`);
    return whileOpen(openConnection(copy), (sqlite) => sqlite.serialize());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks whether `openUntouched` reads the whole file into memory. */
export function isReadFromMemory(file: string): boolean {
  return existsSync(`${file}-wal`) || usesLog(file);
}

/** Opens a file for reading as it is. */
function openAsStored(file: string): Sqlite.Database {
  requireRegularFile(file);
  if (!isReadFromMemory(file)) return openConnection(file, { readonly: true, fileMustExist: true });
  const log = `${file}-wal`;
  const bytes = existsSync(log) ? mergeLog(file, log) : readFileSync(file);
  bytes.fill(1, WRITE_VERSION_AT, WRITE_VERSION_AT + 2);
  return openConnection(bytes, { readonly: true });
}

function needsRepairIn(sqlite: Sqlite.Database): boolean {
  try {
    return needsRepair(sqlite);
  } catch (error) {
    // A file that is no database says so to whoever reads it.
    if (isSqliteError(error)) return false;
    throw error;
  }
}

/** The bytes of an open database with a schema that can be read. */
function repairedBytes(sqlite: Sqlite.Database): Buffer {
  return whileOpen(openConnection(sqlite.serialize()), (copy) => {
    repairSchema(copy);
    return copy.serialize();
  });
}

/**
 * Opens a SQLite file for reading only, leaving it and its folder as they are. A database in WAL mode is read from
 * memory: even a reader of the file would put -wal and -shm files next to it. So is one whose schema only other builds
 * of SQLite take, or only the application that wrote it (`repairSchema`).
 * @throws InputFormatError when it is no regular file
 */
export function openUntouched(file: string): Sqlite.Database {
  const sqlite = openAsStored(file);
  if (!needsRepairIn(sqlite)) return sqlite;
  return openConnection(whileOpen(sqlite, repairedBytes), { readonly: true });
}

/** Opens a SQLite file as `openUntouched` does, for as long as it is read. */
export function readUntouched<T>(file: string, read: (sqlite: Sqlite.Database) => T): T {
  return whileOpen(openUntouched(file), read);
}

/** Returns parts of a SQLite file not read as stored, and views that can't be read. @throws as `openUntouched` */
export function schemaNotesOf(file: string): readonly SchemaNote[] {
  return [...whileOpen(openAsStored(file), repairNotes), ...readUntouched(file, brokenViews)];
}

/** Opens the bytes of a SQLite file for as long as they are read. */
export function readBytes<T>(bytes: Uint8Array, read: (sqlite: Sqlite.Database) => T): T {
  const { buffer, byteOffset, byteLength } = bytes;
  return whileOpen(openConnection(Buffer.from(buffer, byteOffset, byteLength), { readonly: true }), read);
}
