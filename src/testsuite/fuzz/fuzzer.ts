import Sqlite from 'better-sqlite3';
import { createRng } from '../../run/seeded-rng.js';
import type { Database } from '../../schema/schema.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { Catalog } from '../fill/table-catalog.js';
import { emptyDatabase } from './empty-database.js';
import { fuzzTables, type FuzzTable } from './fuzz-tables.js';
import { queryConstants } from './query-constants.js';
import { parentsFirst, randomRows } from './random-rows.js';
import type { Cells } from './reference-check.js';

/** What random databases are made for. */
export interface FuzzSource {
  readonly database: Database;
  /** The original SQLite file; null where there is none, and its schema is all there is. */
  readonly file: string | null;
}

/** The rows of each table by its name; cells in the sequence of `Fuzzer.tables`. */
export type TableRows = ReadonlyMap<string, readonly (readonly SqlValue[])[]>;

/** Random databases of one schema: Test-suite accuracy §4.1. */
export interface Fuzzer {
  /** The file's tables with the columns that can be written, in the order of creation. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** Queries that could not be read, whose constants are missing. */
  readonly unread: number;
  /** The rows of a random database; the same seed gives the same. */
  database(seed: number): TableRows;
  /** A database in memory with these rows and the original's tables, types, collations, indexes and views. */
  materialize(rows: TableRows): Sqlite.Database;
  /** Replaces all rows of a database from `materialize`, whose prepared statements stay valid. */
  load(sqlite: Sqlite.Database, rows: TableRows): void;
  /** Releases what `database` tries rows on. */
  close(): void;
}

/** What a table asks of its rows that the drawing of rows knows nothing of. */
const UNMODELED = /\bCHECK\b|\bAS\s*\(/iu;

class SchemaFuzzer implements Fuzzer {
  readonly tables: Fuzzer['tables'];
  readonly unread: number;
  readonly #id: string;
  readonly #tables: readonly FuzzTable[];
  readonly #order: readonly number[];
  readonly #sizes: readonly number[];
  readonly #empty: Buffer;
  /** Where rows of tables that may refuse them are tried; always empty. */
  readonly #scratch: Sqlite.Database;
  readonly #tried: ReadonlySet<number>;
  /** By table, where values go. */
  readonly #written: readonly (readonly number[])[];
  readonly #inserts: readonly string[];

  constructor({ database, file }: FuzzSource, queries: readonly string[]) {
    const constants = queryConstants(queries, database);
    this.#scratch = emptyDatabase(file, database);
    const read = (sqlite: Sqlite.Database): readonly FuzzTable[] =>
      fuzzTables(new Catalog(sqlite, database), database, constants);
    this.#tables = file === null ? read(this.#scratch) : readUntouched(file, read);
    this.#empty = this.#scratch.serialize();
    this.#scratch.pragma('foreign_keys = off');
    this.#id = database.id;
    this.#order = parentsFirst(this.#tables);
    this.#sizes = constants.sizes;
    this.unread = constants.unread;
    this.#tried = new Set(this.#tables.flatMap((table, t) => (this.#isUnmodeled(table) ? [t] : [])));
    this.#written = this.#tables.map(({ columns }) => columns.flatMap((column, c) => (column.isGenerated ? [] : [c])));
    this.tables = this.#tables.map(({ name, columns }, t) => ({
      name,
      columns: this.#written[t]!.map((column) => columns[column]!.name),
    }));
    this.#inserts = this.tables.map(({ name, columns }) => {
      const names = columns.map((column) => quoteIdentifier(column)).join(', ');
      return `INSERT INTO ${quoteIdentifier(name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
    });
  }

  database(seed: number): TableRows {
    const rng = createRng(seed, `fuzz:${this.#id}`);
    const filter = (table: number, rows: readonly Cells[]): readonly Cells[] =>
      this.#tried.has(table) ? this.#accepted(table, rows) : rows;
    const rows = randomRows(this.#tables, this.#order, this.#sizes, rng, filter);
    return new Map(
      this.#tables.map(({ name }, t) => {
        const written = this.#written[t]!;
        return [name, rows[t]!.map((cells) => written.map((column) => cells[column]!))];
      }),
    );
  }

  materialize(rows: TableRows): Sqlite.Database {
    const sqlite = new Sqlite(this.#empty);
    try {
      sqlite.pragma('foreign_keys = off');
      sqlite.pragma('temp_store = memory');
      this.#insert(sqlite, rows);
      return sqlite;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  }

  load(sqlite: Sqlite.Database, rows: TableRows): void {
    sqlite.transaction(() => {
      for (const { name } of this.tables) sqlite.exec(`DELETE FROM main.${quoteIdentifier(name)}`);
      this.#insert(sqlite, rows);
    })();
  }

  close(): void {
    this.#scratch.close();
  }

  #insert(sqlite: Sqlite.Database, rows: TableRows): void {
    sqlite.transaction(() => {
      for (const [t, { name }] of this.tables.entries()) {
        const own = rows.get(name) ?? [];
        if (own.length === 0) continue;
        const insert = sqlite.prepare(this.#inserts[t]!);
        for (const cells of own) insert.run(cells);
      }
    })();
  }

  #isUnmodeled({ name, columns, foreignKeys }: FuzzTable): boolean {
    // Values of a parent's other type: a STRICT table or a row id takes none.
    const referring = foreignKeys.flatMap((key) => key.columns);
    if (columns.some(({ isStrict, isInteger }, c) => isStrict || (isInteger && referring.includes(c)))) return true;
    const sql = this.#scratch.prepare("SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'").pluck();
    const indexed = this.#scratch.prepare(
      `SELECT 1 FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS part WHERE list."unique" AND part.cid = -2`,
    );
    return UNMODELED.test(sql.get(name) as string) || indexed.get(name) !== undefined;
  }

  /** The rows that the table takes one after the other. */
  #accepted(table: number, rows: readonly Cells[]): readonly Cells[] {
    const insert = this.#scratch.prepare(this.#inserts[table]!);
    const written = this.#written[table]!;
    this.#scratch.exec('BEGIN');
    try {
      return rows.filter((cells) => {
        try {
          return insert.run(written.map((column) => cells[column])).changes === 1;
        } catch (error) {
          if (error instanceof Sqlite.SqliteError) return false;
          throw error;
        }
      });
    } finally {
      this.#scratch.exec('ROLLBACK');
    }
  }
}

/**
 * A source of random databases for a schema: values of their columns' types, references that hold, unique keys; mixed in
 * per column, constants that the queries (gold and neighbors) compare it with and values close to them; tables near the
 * sizes that LIMIT and HAVING ask for, others small to large, with duplicates and nulls where the schema allows them.
 * Numbers keep below 2^31 but for constants: the paper's 2^63 makes sums fail. Test-suite accuracy §4.1.
 * @throws InputFormatError when the file is not a readable SQLite database
 */
export function createFuzzer(source: FuzzSource, queries: readonly string[]): Fuzzer {
  return new SchemaFuzzer(source, queries);
}
