import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** The database's bytes with what its log adds, which SQLite merges in a copy. */
function mergeLog(file: string, log: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(file, copy);
    copyFileSync(log, `${copy}-wal`);
    const sqlite = new Sqlite(copy);
    try {
      return sqlite.serialize();
    } finally {
      sqlite.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Opens a SQLite file for reading only, leaving it and its folder as they are. A database in WAL mode is read from
 * memory: even a reader of the file would put -wal and -shm files next to it.
 */
export function openUntouched(file: string): Sqlite.Database {
  const log = `${file}-wal`;
  const hasLog = existsSync(log);
  if (!hasLog && !usesLog(file)) return new Sqlite(file, { readonly: true, fileMustExist: true });
  const bytes = hasLog ? mergeLog(file, log) : readFileSync(file);
  bytes.fill(1, WRITE_VERSION_AT, WRITE_VERSION_AT + 2);
  return new Sqlite(bytes, { readonly: true });
}
