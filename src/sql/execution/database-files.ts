import { rmSync } from 'node:fs';

/** Endings of the files next to a SQLite database that hold data of it. https://sqlite.org/tempfiles.html */
export const JOURNALS = ['-wal', '-journal'] as const;

/** Removes what SQLite puts next to a database: its journals, and the index of the log. */
export function removeJournals(file: string): void {
  for (const suffix of [...JOURNALS, '-shm']) rmSync(file + suffix, { force: true });
}

/** Removes a database, if it is there, with what SQLite puts next to it. */
export function removeDatabase(file: string): void {
  removeJournals(file);
  rmSync(file, { force: true });
}
