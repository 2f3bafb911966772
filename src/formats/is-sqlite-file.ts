import { closeSync, openSync, readSync } from 'node:fs';

/** How every SQLite file begins. https://sqlite.org/fileformat.html#magic_header_string */
const SQLITE_HEADER = Buffer.from('SQLite format 3\0', 'latin1');

/** Checks whether a file is a SQLite database, told by its content; opening it says whether it is a project. */
export function isSqliteFile(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(SQLITE_HEADER.length);
    return readSync(handle, bytes, 0, bytes.length, 0) === bytes.length && bytes.equals(SQLITE_HEADER);
  } finally {
    closeSync(handle);
  }
}
