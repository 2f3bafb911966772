import type Sqlite from 'better-sqlite3';
import { getOrMake } from '../../present.js';
import type { Dataset, RowSource } from '../../formats/dataset.js';
import { ownFile } from './own-files.js';
import type { ColumnRows } from '../relations/schema/schema-draft.js';
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

/**
 * Reads a data set's own database; null where there are no rows to be read: no SQLite file in the input and no copy, or
 * one that lacks a table or column of its schema.
 */
function readOwnDatabase<T>(dataset: RowSource, origin: string, read: (sqlite: Sqlite.Database) => T): T | null {
  const file = ownFile(dataset, origin);
  try {
    if (dataset.copy !== undefined) return readBytes(dataset.copy.bytes, read);
    return file === null ? null : readUntouched(file, read);
  } catch (error) {
    if (isSqliteError(error)) return null;
    throw error;
  }
}

/** The facts in the rows about a foreign key, and about the joins that follow it. */
export interface LinkFacts {
  /** True if the referencing table has rows to tell by. */
  readonly hasRows: boolean;
  /** True if some row is linked to more than one. */
  readonly manyParents: boolean;
  /** True if some row has a value that no row of the referenced table has. */
  readonly dangling: boolean;
  /** True if some row is linked to nothing, as its value is NULL. */
  readonly nulls: boolean;
  /** True if linked values are equal but not the same, as 1 and '1' are. */
  readonly unlike: boolean;
  /** True if each value is in one row of the referencing table. */
  readonly distinct: boolean;
}

function readFacts(sqlite: Sqlite.Database, child: ColumnRows, parent: ColumnRows): LinkFacts {
  const [k, p] = [`SELECT ${child.sql} AS k FROM ${child.from}`, `SELECT ${parent.sql} AS p FROM ${parent.from}`];
  const ask = (condition: string): boolean => sqlite.prepare(`SELECT ${condition}`).pluck().get() === 1;
  const exists = (query: string): boolean => ask(`EXISTS (${query})`);
  const joined = `FROM (${k}) AS a JOIN (${p}) AS b ON a.k = b.p`;
  return {
    hasRows: exists(k),
    manyParents: ask(`(SELECT count(*) ${joined}) > (SELECT count(*) FROM (${k}) WHERE k IN (${p}))`),
    dangling: exists(`SELECT 1 FROM (${k}) WHERE k IS NOT NULL AND NOT EXISTS (SELECT 1 FROM (${p}) WHERE k = p)`),
    nulls: exists(`SELECT 1 FROM (${k}) WHERE k IS NULL`),
    unlike: exists(`SELECT 1 ${joined} WHERE typeof(k) <> typeof(p) OR k IS NOT p COLLATE BINARY`),
    distinct: ask(`(SELECT count(k) FROM (${k})) = (SELECT count(DISTINCT k) FROM (${k}))`),
  };
}

/** Readers by data set: relations of one run ask the same. */
const readers = new WeakMap<object, RowReader>();

/** Reads rows of a data set's databases, as queries over them; each query once while one database is asked. */
export class RowReader {
  readonly #dataset: RowSource;
  #origin = '';
  readonly #known = new Map<string, unknown>();

  constructor(dataset: RowSource) {
    this.#dataset = dataset;
  }

  /** The reader of a data set. */
  static of(dataset: RowSource): RowReader {
    return getOrMake(readers, dataset, () => new RowReader(dataset));
  }

  /**
   * The rows of a query over a database, integers as `bigint`; null as `readOwnDatabase`.
   */
  rowsOf(origin: string, query: string): readonly (readonly SqlValue[])[] | null {
    return this.#read(
      origin,
      `rows of ${query}`,
      (sqlite) => sqlite.prepare(query).raw().safeIntegers().all() as SqlValue[][],
    );
  }

  /** The declared type of each result column of a query, null for computed ones; null as `rowsOf`. */
  typesOf(origin: string, query: string): readonly (string | null)[] | null {
    const read = (sqlite: Sqlite.Database): (string | null)[] => {
      const columns = sqlite.prepare(query).columns();
      return columns.map(({ type }) => type);
    };
    return this.#read(origin, `types of ${query}`, read);
  }

  /** Checks whether a query over a database has no rows; null where that can't be told. */
  isEmpty(origin: string, query: string): boolean | null {
    const rows = this.rowsOf(origin, `SELECT EXISTS (${query})`);
    return rows === null ? null : rows[0]?.[0] !== 1n;
  }

  /** Returns the facts in a database's rows about a link; null as `rowsOf`. */
  factsOf(origin: string, child: ColumnRows, parent: ColumnRows): LinkFacts | null {
    return this.#read(origin, JSON.stringify([child, parent]), (sqlite) => readFacts(sqlite, child, parent));
  }

  /** Reads once, and forgets what was read of another database. */
  #read<T>(origin: string, key: string, read: (sqlite: Sqlite.Database) => T): T | null {
    if (origin !== this.#origin) this.#known.clear();
    this.#origin = origin;
    if (!this.#known.has(key)) this.#known.set(key, readOwnDatabase(this.#dataset, origin, read));
    return this.#known.get(key) as T | null;
  }
}
