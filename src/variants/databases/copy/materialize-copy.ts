import { chmodSync, constants, copyFileSync, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { makeFolder } from '../../../run/output-place.js';
import { isSqliteError, openConnection, whileOpen } from '../../../sql/execution/open-connection.js';
import { InputFormatError, PerturbqlError, SqlRewriteError } from '../../../errors.js';
import { carryCells, type CarriedCell } from '../../../rows/cells/carry-cells.js';
import { commitFile } from '../../../run/durable-file.js';
import { JOURNALS, removeDatabase, removeJournals } from '../../../sql/execution/database-files.js';
import { changeDatabase } from './change-database.js';
import type { DatabaseChange } from '../database-change.js';

/** Copies a database with what its journals hold: SQLite brings the copy up to date when it opens it. */
function copyDatabase(source: string, copy: string): void {
  removeDatabase(copy);
  for (const suffix of ['', ...JOURNALS]) {
    if (suffix !== '' && !existsSync(source + suffix)) continue;
    copyFileSync(source + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    chmodSync(copy + suffix, statSync(source + suffix).mode | 0o600);
  }
}

/** Opens a copy to be changed: nothing reads it before it is whole, so it needs no journal. */
function openCopy(copy: string): Sqlite.Database {
  const sqlite = openConnection(copy);
  // Lets the schema be edited.
  sqlite.unsafeMode(true);
  sqlite.pragma('locking_mode = EXCLUSIVE');
  // Leaving the mode of the write-ahead log writes its content into the file.
  sqlite.pragma('journal_mode = DELETE');
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF']) sqlite.pragma(pragma);
  return sqlite;
}

/** Carries cells from the original; from what its journals make of it where it has any. */
function carryFrom(source: string, target: string, cells: readonly CarriedCell[]): void {
  if (cells.length === 0 || !JOURNALS.some((suffix) => existsSync(source + suffix))) {
    carryCells(source, target, cells);
    return;
  }
  const whole = `${target}.source`;
  try {
    copyDatabase(source, whole);
    openCopy(whole).close();
    carryCells(whole, target, cells);
  } finally {
    removeDatabase(whole);
  }
}

/** An error of any kind with the file that it is about. */
function located(error: unknown, file: string): unknown {
  if (error instanceof PerturbqlError) {
    const details = { fix: error.fix, where: { file, ...error.where }, cause: error.cause };
    if (error instanceof SqlRewriteError) return new SqlRewriteError(error.summary, { ...details, place: error.place });
    return error instanceof InputFormatError ? new InputFormatError(error.message, details) : error;
  }
  if (!isSqliteError(error)) return error;
  return new InputFormatError('the database can’t be read or changed', {
    where: { file },
    fix: 'Check the file with sqlite3 FILE "PRAGMA integrity_check".',
    cause: error,
  });
}

function checkPaths(source: string, target: string): void {
  if (!existsSync(source) || !statSync(source).isFile()) {
    const fix = 'Check that --databases holds the databases of this data set.';
    throw new InputFormatError('there is no such database file', { where: { file: source }, fix });
  }
  if (resolve(source) !== resolve(target)) return;
  const fix = 'Name another file to write to.';
  throw new InputFormatError('a database is never written over itself', { where: { file: source }, fix });
}

/**
 * Writes a SQLite file that is the source after a change of the open copy, which gives back the cells that are still to be
 * carried from the source. Durable: a crash leaves the old target or the whole new one. The source is only ever copied,
 * never opened.
 * @throws InputFormatError when the source is missing or no database, and what `change` throws, with the file
 */
export function changeCopy(
  source: string,
  target: string,
  change: (sqlite: Sqlite.Database) => readonly CarriedCell[],
): void {
  checkPaths(source, target);
  makeFolder(dirname(target));
  const temporary = `${target}.tmp`;
  try {
    copyDatabase(source, temporary);
    const huge = whileOpen(openCopy(temporary), change);
    removeJournals(temporary);
    carryFrom(source, temporary, huge);
    // A journal of an older target would be played into the new one.
    removeJournals(target);
    commitFile(temporary, target);
  } catch (error) {
    removeDatabase(temporary);
    throw located(error, source);
  }
}

/**
 * Writes a SQLite file that is the source with columns renamed and added. Names follow in indexes, keys, constraints,
 * generated columns, views and triggers, by the tokens that name them; views keep the names of their columns, and a
 * `SELECT *` in them their number. Row order, row ids, storage classes and every original cell stay as they are; so do
 * page size, encoding, `user_version`, `application_id` and auto-vacuum. The content of a write-ahead log or hot
 * journal next to the source is included; the target itself has a rollback journal, so that it can be read in a folder
 * that can't be written to. What is broken in the original stays broken, as it is. Durable: a crash leaves the old
 * target or the whole new one. The source is only ever copied, never opened.
 * @throws InputFormatError when the source is missing or no database, a table or column of the change is missing or
 * can't be changed (of virtual tables, views, SQLite's own), or a column comes with another number of values than rows
 * @throws SqlRewriteError when a view, trigger, index or constraint can't be kept equal in meaning under a name
 */
export function materializeCopy(source: string, target: string, change: DatabaseChange): void {
  changeCopy(source, target, (sqlite) => changeDatabase(sqlite, change, { leavesHuge: true }));
}
