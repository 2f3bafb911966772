import Sqlite from 'better-sqlite3';
import type { Dataset } from '../../formats/dataset.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';

/** Reads rows of a data set's databases, as queries over them; each query once. */
export class RowReader {
  readonly #dataset: Pick<Dataset, 'sqliteBytes' | 'sqliteFile'>;
  readonly #known = new Map<string, readonly (readonly SqlValue[])[] | null>();
  readonly #types = new Map<string, readonly (string | null)[] | null>();

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
    if (rows === undefined) {
      rows = this.#open(origin, (sqlite) => sqlite.prepare(query).raw().safeIntegers().all() as SqlValue[][]);
      this.#known.set(key, rows);
    }
    return rows;
  }

  /** The declared type of each result column of a query, null for computed ones; null as `rowsOf`. */
  typesOf(origin: string, query: string): readonly (string | null)[] | null {
    const key = JSON.stringify([origin, query]);
    let types = this.#types.get(key);
    if (types === undefined) {
      types = this.#open(origin, (sqlite) =>
        sqlite
          .prepare(query)
          .columns()
          .map(({ type }) => type),
      );
      this.#types.set(key, types);
    }
    return types;
  }

  /** Whether a query over a database has no rows; null where that can't be told. */
  isEmpty(origin: string, query: string): boolean | null {
    const rows = this.rowsOf(origin, `SELECT EXISTS (${query})`);
    return rows === null ? null : rows[0]?.[0] !== 1n;
  }

  #open<T>(origin: string, read: (sqlite: Sqlite.Database) => T): T | null {
    // Only the input's own files: others would have to be written first.
    if ((this.#dataset.sqliteBytes?.(origin) ?? null) === null) return null;
    const file = this.#dataset.sqliteFile(origin, '');
    if (file === null) return null;
    try {
      return readUntouched(file, read);
    } catch (error) {
      if (error instanceof Sqlite.SqliteError) return null;
      throw error;
    }
  }
}
