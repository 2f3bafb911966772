import type Sqlite from 'better-sqlite3';
import type { Dataset, RowSource } from '../../formats/dataset.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { isSqliteError } from '../../sql/execution/open-connection.js';
import { readBytes, readUntouched } from '../../sql/execution/open-untouched.js';

/** Where the rows of data sets are read, as far as a relation asked. */
const sources = new WeakMap<Dataset, RowSource>();

/** Where the rows of a data set are read. @throws InputFormatError when a server can't be reached or read */
export async function openRows(dataset: Dataset): Promise<RowSource> {
  const source = (await dataset.readServerRows?.()) ?? dataset;
  sources.set(dataset, source);
  return source;
}

/** Where the rows of a data set were read so far. */
export function openedRows(dataset: Dataset): RowSource {
  return sources.get(dataset) ?? dataset;
}

/** The input's own file of a database; others would have to be written first. */
export function ownFile(dataset: RowSource, origin: string): string | null {
  return (dataset.sqliteBytes?.(origin) ?? null) === null ? null : dataset.sqliteFile(origin, '');
}

/**
 * Reads a data set's own database; null where there are no rows to be read: no SQLite file in the input and no copy, or
 * one that lacks a table or column of its schema.
 */
export function readOwnDatabase<T>(dataset: RowSource, origin: string, read: (sqlite: Sqlite.Database) => T): T | null {
  const file = ownFile(dataset, origin);
  try {
    if (dataset.copy !== undefined) return readBytes(dataset.copy.bytes, read);
    return file === null ? null : readUntouched(file, read);
  } catch (error) {
    if (isSqliteError(error)) return null;
    throw error;
  }
}

/** Readers by data set: relations of one run ask the same. */
const readers = new WeakMap<object, RowReader>();

/** Reads rows of a data set's databases, as queries over them; each query once while one database is asked. */
export class RowReader {
  readonly #dataset: RowSource;
  #origin = '';
  readonly #known = new Map<string, readonly (readonly SqlValue[])[] | null>();
  readonly #types = new Map<string, readonly (string | null)[] | null>();

  constructor(dataset: RowSource) {
    this.#dataset = dataset;
  }

  /** The reader of a data set. */
  static of(dataset: RowSource): RowReader {
    const reader = readers.get(dataset) ?? new RowReader(dataset);
    readers.set(dataset, reader);
    return reader;
  }

  /**
   * The rows of a query over a database, integers as `bigint`; null as `readOwnDatabase`.
   */
  rowsOf(origin: string, query: string): readonly (readonly SqlValue[])[] | null {
    this.#turnTo(origin);
    let rows = this.#known.get(query);
    if (rows === undefined) {
      rows = readOwnDatabase(
        this.#dataset,
        origin,
        (sqlite) => sqlite.prepare(query).raw().safeIntegers().all() as SqlValue[][],
      );
      this.#known.set(query, rows);
    }
    return rows;
  }

  /** The declared type of each result column of a query, null for computed ones; null as `rowsOf`. */
  typesOf(origin: string, query: string): readonly (string | null)[] | null {
    this.#turnTo(origin);
    let types = this.#types.get(query);
    if (types === undefined) {
      types = readOwnDatabase(this.#dataset, origin, (sqlite) =>
        sqlite
          .prepare(query)
          .columns()
          .map(({ type }) => type),
      );
      this.#types.set(query, types);
    }
    return types;
  }

  /** Checks whether a query over a database has no rows; null where that can't be told. */
  isEmpty(origin: string, query: string): boolean | null {
    const rows = this.rowsOf(origin, `SELECT EXISTS (${query})`);
    return rows === null ? null : rows[0]?.[0] !== 1n;
  }

  /** Forgets what was read of another database. */
  #turnTo(origin: string): void {
    if (origin === this.#origin) return;
    this.#origin = origin;
    this.#known.clear();
    this.#types.clear();
  }
}
