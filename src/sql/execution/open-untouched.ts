import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/** Bytes 18 and 19 of the header: 1 = rollback journal, 2 = write-ahead log. https://sqlite.org/fileformat2.html */
const WRITE_VERSION_AT = 18;

function usesLog(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const header = Buffer.alloc(WRITE_VERSION_AT + 1);
    readSync(handle, header, 0, header.length, 0);
    return header[WRITE_VERSION_AT] === 2;
  } finally {
    closeSync(handle);
  }
}

/**
 * Opens a SQLite file for reading only, leaving it and its folder as they are. A database in WAL mode is read from
 * memory: even a reader of the file would put -wal and -shm files next to it.
 */
export function openUntouched(file: string): Sqlite.Database {
  if (!usesLog(file) || existsSync(`${file}-wal`)) return new Sqlite(file, { readonly: true, fileMustExist: true });
  const bytes = readFileSync(file);
  bytes.fill(1, WRITE_VERSION_AT, WRITE_VERSION_AT + 2);
  return new Sqlite(bytes);
}
