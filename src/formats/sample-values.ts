import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { InputFormatError } from '../errors.js';
import type { Database } from '../schema/schema.js';

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

/**
 * Sample cell values of a database: per table and column up to three distinct ones, from the first rows.
 * A database file that is absent gives empty lists; the file is opened read-only.
 * @throws InputFormatError when the file is not a SQLite database or lacks a table or column of the schema.
 */
export function loadSampleValues(folder: string, database: Database): readonly (readonly (readonly string[])[])[] {
  const file = sqlitePath(folder, database.id);
  if (!existsSync(file)) return database.tables.map((table) => table.columns.map(() => []));
  try {
    const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      return database.tables.map((table) => {
        const columns = table.columns.map((column) => quote(column.originalName)).join(', ');
        const statement = sqlite.prepare(`SELECT ${columns} FROM ${quote(table.originalName)} LIMIT ${ROWS}`);
        const rows = statement.raw().safeIntegers().all() as unknown[][];
        return table.columns.map((_, c) => distinctTexts(rows.map((row) => row[c])));
      });
    } finally {
      sqlite.close();
    }
  } catch (cause) {
    throw new InputFormatError('the database can’t be read as tables.json describes it', {
      where: { file, id: database.id },
      cause,
      fix: 'Check that --databases holds this data set’s own files.',
    });
  }
}
