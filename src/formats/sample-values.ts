import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../errors.js';
import type { Database, Table } from '../schema/schema.js';
import { foldName, quoteIdentifier } from '../sql/dialect.js';
import { boundedCell, columnsOf, isView } from '../sql/execution/table-pragmas.js';
import { isSqliteError } from '../sql/execution/open-connection.js';
import { readUntouched } from '../sql/execution/open-untouched.js';
import { runQueryOnce } from '../sql/execution/query-once.js';

/** Rows looked at for samples, and distinct values kept per column. */
const ROWS = 50;
const VALUES = 3;

/** Path of a database in Spider's layout: `<folder>/<db_id>/<db_id>.sqlite`. */
export function sqlitePath(folder: string, dbId: string): string {
  return join(folder, dbId, `${dbId}.sqlite`);
}

/** Up to three distinct values among a column's first cells, as texts; a cell may be a list of values. */
export function sampleCells(cells: readonly unknown[]): readonly string[] {
  const values = cells.slice(0, ROWS).flat() as readonly unknown[];
  const texts = values.flatMap((cell) =>
    typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'bigint' ? [String(cell).trim()] : [],
  );
  return [...new Set(texts.filter((text) => text !== ''))].slice(0, VALUES);
}

/** Characters shown of a sample value. */
const SHOWN_LENGTH = 60;

/** A sample value as a prompt shows it: on one line, cut, in single quotes. */
export function shownSample(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ');
  return `'${(line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}…` : line).replaceAll("'", "''")}'`;
}

/** Milliseconds that the rows of a view may take. */
const VIEW_MS = 10_000;

/** Bytes of a view's rows. */
const VIEW_BYTES = 64 << 20;

/**
 * A view may run for ever or take any memory, so its rows are read in a process with limits; none where it passes them,
 * or calls what SQLite does not know.
 */
function firstRowsOfView(file: string, sql: string, maxRows: number): readonly (readonly unknown[])[] {
  const limits = { timeoutMs: VIEW_MS, maxRows, maxBytes: VIEW_BYTES };
  const outcome = runQueryOnce({ task: { file, sql }, limits });
  return outcome.kind === 'rows' ? outcome.rows : [];
}

/** Returns a step's result, or nothing if SQLite can't run it: an object of the schema, not the file, is at fault. */
function orNothing<T>(step: () => readonly T[]): readonly T[] {
  try {
    return step();
  } catch (error) {
    if (isSqliteError(error) && error.code.startsWith('SQLITE_ERROR')) return [];
    throw error;
  }
}

/**
 * The first rows of a table of an open file, cells in the sequence of its schema's columns; null for a cell of more
 * than 64 KiB and a column that the file lacks, no rows where it lacks the table, it is a view that takes too long, or
 * SQLite can't read it.
 */
export function firstRowsOf(
  file: string,
  sqlite: Sqlite.Database,
  table: Table,
  limit: number,
): readonly (readonly unknown[])[] {
  const present = new Set(orNothing(() => columnsOf(sqlite, table.originalName)).map(({ name }) => foldName(name)));
  // Spider lists a table of SQLite's own (world_1's sqlite_sequence) that a database may lack.
  const columns = table.columns.map(({ originalName }) =>
    present.has(foldName(originalName)) ? boundedCell(quoteIdentifier(originalName)) : 'NULL',
  );
  if (present.size === 0 || columns.length === 0) return [];
  const sql = `SELECT ${columns.join(', ')} FROM ${quoteIdentifier(table.originalName)} LIMIT ${limit}`;
  if (isView(sqlite, table.originalName)) return firstRowsOfView(file, sql, limit);
  return orNothing(() => sqlite.prepare(sql).raw().safeIntegers().all() as unknown[][]);
}

/**
 * Returns the result of `read` for each table of a schema, from its SQLite file, which is opened read-only.
 * @throws InputFormatError when the file is not a readable SQLite database.
 */
export function readTables<T>(
  file: string,
  database: Database,
  read: (sqlite: Sqlite.Database, table: Table) => T,
): readonly T[] {
  try {
    return readUntouched(file, (sqlite) => database.tables.map((table) => read(sqlite, table)));
  } catch (cause) {
    throw new InputFormatError('the file can’t be read as a SQLite database', {
      where: { file, id: database.id },
      cause,
      fix: 'Check that --databases holds this data set’s own files.',
    });
  }
}

/** `sampleCells` of each column of some rows; `width` is the number of columns. */
export function sampleRows(rows: readonly (readonly unknown[])[], width: number): readonly (readonly string[])[] {
  const first = rows.slice(0, ROWS);
  return Array.from({ length: width }, (_, c) => sampleCells(first.map((row) => row[c])));
}

/**
 * Sample cell values of a SQLite file: per table and column up to three distinct ones, from the first rows; none for a
 * table or column that the file lacks. A file that is absent gives empty lists; it is opened read-only.
 * @throws InputFormatError when the file is not a readable SQLite database.
 */
export function sampleSqliteFile(file: string, database: Database): readonly (readonly (readonly string[])[])[] {
  if (!existsSync(file)) return database.tables.map((table) => table.columns.map(() => []));
  return readTables(file, database, (sqlite, table) =>
    sampleRows(firstRowsOf(file, sqlite, table, ROWS), table.columns.length),
  );
}

/** Sample cell values of a database in Spider's layout. @throws InputFormatError as `sampleSqliteFile` does */
export function loadSampleValues(folder: string, database: Database): readonly (readonly (readonly string[])[])[] {
  return sampleSqliteFile(sqlitePath(folder, database.id), database);
}
