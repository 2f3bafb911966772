import Sqlite from 'better-sqlite3';
import type { Dataset } from '../../formats/dataset.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';

/** Reads rows of a data set's databases, as queries over them; each query once. */
export class RowReader {
  readonly #dataset: Pick<Dataset, 'sqliteBytes' | 'sqliteFile'>;
  readonly #known = new Map<string, readonly (readonly SqlValue[])[] | null>();

  constructor(dataset: Pick<Dataset, 'sqliteBytes' | 'sqliteFile'>) {
    this.#dataset = dataset;
  }

  /**
   * The rows of a query over a database, integers as `bigint`; null where there are none to be read: no SQLite file in
   * the input, or one that lacks a table or column of its schema.
   */
  rowsOf(origin: string, query: string): readonly (readonly SqlValue[])[] | null {
    const key = JSON.stringify([origin, query]);
    let rows = this.#known.get(key);
    if (rows === undefined) this.#known.set(key, (rows = this.#read(origin, query)));
    return rows;
  }

  /** Whether a query over a database has no rows; null where that can't be told. */
  isEmpty(origin: string, query: string): boolean | null {
    const rows = this.rowsOf(origin, `SELECT EXISTS (${query})`);
    return rows === null ? null : rows[0]?.[0] !== 1n;
  }

  #read(origin: string, query: string): readonly (readonly SqlValue[])[] | null {
    // Only the input's own files: others would have to be written first.
    if ((this.#dataset.sqliteBytes?.(origin) ?? null) === null) return null;
    const file = this.#dataset.sqliteFile(origin, '');
    if (file === null) return null;
    try {
      return readUntouched(file, (sqlite) => {
        return sqlite.prepare(query).raw().safeIntegers().all() as readonly (readonly SqlValue[])[];
      });
    } catch (error) {
      if (error instanceof Sqlite.SqliteError) return null;
      throw error;
    }
  }
}
