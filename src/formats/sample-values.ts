import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../errors.js';
import type { Database, Table } from '../schema/schema.js';
import { openUntouched } from '../sql/execution/open-untouched.js';

/** Rows looked at for samples, and distinct values kept per column. */
const ROWS = 50;
const VALUES = 3;

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;

/** Path of a database in Spider's layout: `<folder>/<db_id>/<db_id>.sqlite`. */
export function sqlitePath(folder: string, dbId: string): string {
  return join(folder, dbId, `${dbId}.sqlite`);
}

function distinctTexts(cells: readonly unknown[]): string[] {
  const texts = cells.flatMap((cell) =>
    typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'bigint' ? [String(cell).trim()] : [],
  );
  return [...new Set(texts.filter((text) => text !== ''))].slice(0, VALUES);
}

function columnValues(sqlite: Sqlite.Database, table: Table): readonly (readonly string[])[] {
  const present = new Set(
    (sqlite.pragma(`table_xinfo(${quote(table.originalName)})`) as { name: string }[]).map(({ name }) =>
      name.toLowerCase(),
    ),
  );
  // Spider lists a table of SQLite's own (world_1's sqlite_sequence) that a database may lack.
  const columns = table.columns.map(({ originalName }) =>
    present.has(originalName.toLowerCase()) ? quote(originalName) : 'NULL',
  );
  if (present.size === 0 || columns.length === 0) return table.columns.map(() => []);
  const statement = sqlite.prepare(`SELECT ${columns.join(', ')} FROM ${quote(table.originalName)} LIMIT ${ROWS}`);
  const rows = statement.raw().safeIntegers().all() as unknown[][];
  return sampleRows(rows, table.columns.length);
}

/** Up to three distinct values per column from the first of the rows, as texts; `width` is the number of columns. */
export function sampleRows(rows: readonly (readonly unknown[])[], width: number): readonly (readonly string[])[] {
  const first = rows.slice(0, ROWS);
  return Array.from({ length: width }, (_, c) => distinctTexts(first.map((row) => row[c])));
}

/**
 * Sample cell values of a SQLite file: per table and column up to three distinct ones, from the first rows; none for a
 * table or column that the file lacks. A file that is absent gives empty lists; it is opened read-only.
 * @throws InputFormatError when the file is not a readable SQLite database.
 */
export function sampleSqliteFile(file: string, database: Database): readonly (readonly (readonly string[])[])[] {
  if (!existsSync(file)) return database.tables.map((table) => table.columns.map(() => []));
  try {
    const sqlite = openUntouched(file);
    try {
      return database.tables.map((table) => columnValues(sqlite, table));
    } finally {
      sqlite.close();
    }
  } catch (cause) {
    throw new InputFormatError('the file can’t be read as a SQLite database', {
      where: { file, id: database.id },
      cause,
      fix: 'Check that --databases holds this data set’s own files.',
    });
  }
}

/** Sample cell values of a database in Spider's layout. @throws InputFormatError as `sampleSqliteFile` does */
export function loadSampleValues(folder: string, database: Database): readonly (readonly (readonly string[])[])[] {
  return sampleSqliteFile(sqlitePath(folder, database.id), database);
}
