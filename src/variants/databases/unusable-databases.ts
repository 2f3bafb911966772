import { formatCount } from '../../counts.js';
import { statSync } from 'node:fs';
import { InputFormatError } from '../../errors.js';
import type { Dataset, RowSource } from '../../formats/dataset.js';
import { ownFile } from './own-files.js';
import type { Database } from '../../schema/schema.js';
import { foldName, quoteIdentifier } from '../../sql/dialect.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { runQueryOnce } from '../../sql/execution/query-once.js';
import { DEFAULT_LIMITS } from '../../sql/execution/query-outcome.js';
import { type ListedTable, listTables } from '../../sql/execution/table-pragmas.js';

/** A database that has no file which holds it. */
export interface UnusableDatabase {
  readonly id: string;
  /** The file that is no such database; null where there is none. */
  readonly file: string | null;
  readonly reason: string;
  readonly cause?: unknown;
}

function hasNoTableOf(file: string, { tables }: Database): boolean {
  const found = readUntouched(file, (sqlite) => new Set(listTables(sqlite).map(({ name }) => foldName(name))));
  return tables.length > 0 && !tables.some(({ originalName }) => found.has(foldName(originalName)));
}

function faultOf(dataset: Dataset, database: Database): UnusableDatabase | null {
  const { id } = database;
  if (!dataset.hasRows(id)) return { id, file: null, reason: 'there is no database file' };
  const file = ownFile(dataset, id);
  if (file === null) return null;
  // SQLite takes such a file for a database without tables; more often it is a download that failed.
  if (statSync(file).size === 0) return { id, file, reason: 'the database file is empty' };
  return hasNoTableOf(file, database) ? { id, file, reason: 'the file has none of the schema’s tables' } : null;
}

function readFault(dataset: Dataset, database: Database): UnusableDatabase | null {
  try {
    return faultOf(dataset, database);
  } catch (cause) {
    const reason = 'the file can’t be read as a SQLite database';
    return { id: database.id, file: dataset.sqliteFile(database.id, ''), reason, cause };
  }
}

/**
 * The databases that examples ask about and that have no file which holds them, where a folder of databases was named.
 * @throws InputFormatError where that is all of them
 */
export function findUnusable(dataset: Dataset, databases: string | null): readonly UnusableDatabase[] {
  // Live servers have no files; other formats hold rows in files of their own.
  if (databases === null || dataset.sqliteBytes === undefined) return [];
  const used = new Set(Array.from(dataset.examples(), ({ dbId }) => dbId));
  const schemas = [...used].flatMap((id) => dataset.databases.get(id) ?? []);
  const unusable = schemas.flatMap((schema) => readFault(dataset, schema) ?? []);
  const [first] = unusable;
  if (first === undefined || unusable.length < schemas.length) return unusable;
  const others = unusable.length === 1 ? '' : `: none of its ${formatCount(unusable.length)} databases can be used`;
  throw new InputFormatError(first.reason, {
    where: { file: first.file ?? databases, id: first.id },
    ...(first.cause === undefined ? {} : { cause: first.cause }),
    fix: `Check that --databases holds this data set’s own files, or leave it out${others}.`,
  });
}

/** Milliseconds that all rows of a view may take. */
const VIEW_MS = 10_000;

function endlessView(file: string, { tables }: Database): string | null {
  const names = new Set(tables.map(({ originalName }) => foldName(originalName)));
  const views = readUntouched(file, listTables).filter(
    ({ name, type }) => type === 'view' && names.has(foldName(name)),
  );
  const limits = { ...DEFAULT_LIMITS, timeoutMs: VIEW_MS };
  const takesTooLong = ({ name }: ListedTable): boolean => {
    const { kind } = runQueryOnce({ task: { file, sql: `SELECT count(*) FROM ${quoteIdentifier(name)}` }, limits });
    return kind === 'timed-out' || kind === 'too-large';
  };
  return views.find(takesTooLong)?.name ?? null;
}

/**
 * Checks, for a run that reads all rows in this process, that the views among a data set's tables come to an end: each
 * is read once before, in a process with limits.
 * @throws InputFormatError naming the first that does not
 */
export function requireEndingViews(dataset: RowSource, databases: readonly Database[]): void {
  for (const database of databases) {
    const file = ownFile(dataset, database.id);
    const view = file === null ? null : endlessView(file, database);
    if (file === null || view === null) continue;
    throw new InputFormatError(`the rows of the view ${view} take longer than ${VIEW_MS / 1000} s or too much memory`, {
      where: { file, id: database.id },
      fix: 'Store them as a table, or leave out the questions on this database.',
    });
  }
}
