import { insertInto, insertRows, replaceRows, type TableRows, type WrittenTable } from './written-tables.js';
import type Sqlite from 'better-sqlite3';
import { isSqliteError, openConnection } from '../../sql/execution/open-connection.js';
import type { Database } from '../../schema/schema.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import type { Rng } from '../../stage.js';
import { NO_CONSTRAINTS, type MinedConstraints } from '../constraints/mine-constraints.js';
import { Catalog } from './table-catalog.js';
import { emptyDatabase } from './empty-database.js';
import { type Cells, drawnTables, type FuzzTable } from './fuzz-table.js';
import { FuzzTables } from './fuzz-tables.js';
import { NO_CONSTANTS } from './query-constants.js';
import { randomRows, type RowPlan } from './random-rows.js';
import { referencesHold } from './reference-check.js';

/** The schema and queries that random databases are made for. */
export interface FuzzSource {
  readonly database: Database;
  /** The original SQLite file; null where there is none, and its schema is all there is. */
  readonly file: string | null;
  /** The constraints that the rows satisfy; without, keys and foreign keys that the file declares. */
  readonly constraints?: MinedConstraints;
}

/** Requirements of a table on its rows that the drawing of rows knows nothing of. */
const UNMODELED = /\bCHECK\b|\bAS\s*\(/iu;

/** The tables of one schema that random rows are drawn for, without rows; read once for any number of queries. */
export class FuzzSchema {
  readonly database: Database;
  /** The file's tables with the columns that can be written, in the order of creation. */
  readonly tables: readonly WrittenTable[];
  readonly fuzzTables: FuzzTables;
  readonly #tables: readonly FuzzTable[];
  readonly #empty: Buffer;
  /** Where rows of tables that may refuse them are tried; always empty. */
  readonly #scratch: Sqlite.Database;
  /** By the names of such tables. */
  readonly #tried: ReadonlyMap<string, WrittenTable>;

  /** @throws InputFormatError when the file is not a readable SQLite database */
  constructor({ database, file, constraints = NO_CONSTRAINTS }: FuzzSource) {
    this.database = database;
    this.#scratch = emptyDatabase(file, database);
    const read = (sqlite: Sqlite.Database): FuzzTables =>
      new FuzzTables(new Catalog(sqlite, database), database, constraints);
    this.fuzzTables = file === null ? read(this.#scratch) : readUntouched(file, read);
    const tables = this.fuzzTables.of(NO_CONSTANTS);
    this.#tables = tables;
    this.#empty = this.#scratch.serialize();
    this.#scratch.pragma('foreign_keys = off');
    this.tables = tables.map(targetOf);
    const unmodeled = new Set(tables.filter((table) => this.#isUnmodeled(table)).map(({ name }) => name));
    this.#tried = new Map(this.tables.filter(({ name }) => unmodeled.has(name)).map((table) => [table.name, table]));
  }

  /** The rows of one random database. */
  draw(plan: RowPlan, rng: Rng): TableRows {
    const filter = (table: FuzzTable, rows: readonly Cells[]): readonly Cells[] => {
      const target = this.#tried.get(table.name);
      return target === undefined ? rows : this.#accepted(table, target, rows);
    };
    const drawn = randomRows(plan, rng, filter);
    return new Map(drawn.map(({ schema, rows }) => [schema.name, rows.map((cells) => writtenCells(schema, cells))]));
  }

  /**
   * Checks whether rows that were taken from a database leave its references whole, and no table empty that must not
   * be.
   */
  keeps(rows: TableRows): boolean {
    const all = drawnTables(this.#tables, (table) => wholeRows(table, rows.get(table.name) ?? []));
    return all.every(({ schema, rows: own }) => !schema.isFilled || own.length > 0) && referencesHold(all);
  }

  /** A database in memory with these rows and the original's tables, types, collations, indexes and views. */
  materialize(rows: TableRows): Sqlite.Database {
    const sqlite = openConnection(this.#empty);
    try {
      sqlite.pragma('foreign_keys = off');
      sqlite.pragma('temp_store = memory');
      insertRows(sqlite, this.tables, rows);
      return sqlite;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  }

  /** Replaces all rows of a database from `materialize`, whose prepared statements stay valid. */
  load(sqlite: Sqlite.Database, rows: TableRows): void {
    replaceRows(sqlite, this.tables, rows);
  }

  /** Releases what rows are tried on. */
  close(): void {
    this.#scratch.close();
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
  #accepted(table: FuzzTable, target: WrittenTable, rows: readonly Cells[]): readonly Cells[] {
    const statement = this.#scratch.prepare(insertInto(target));
    this.#scratch.exec('BEGIN');
    try {
      return rows.filter((cells) => {
        try {
          return statement.run(writtenCells(table, cells)).changes === 1;
        } catch (error) {
          if (isSqliteError(error)) return false;
          throw error;
        }
      });
    } finally {
      this.#scratch.exec('ROLLBACK');
    }
  }
}

function targetOf({ name, columns }: FuzzTable): WrittenTable {
  return { name, columns: columns.filter(({ isGenerated }) => !isGenerated).map((column) => column.name) };
}

/** The cells of the columns that can be written. */
function writtenCells({ columns }: FuzzTable, cells: Cells): Cells {
  return cells.filter((_, column) => columns[column]?.isGenerated === false);
}

/** Rows with a cell for each column, NULL for those that can't be written. */
function wholeRows({ columns }: FuzzTable, rows: readonly (readonly SqlValue[])[]): readonly (readonly SqlValue[])[] {
  if (!columns.some(({ isGenerated }) => isGenerated)) return rows;
  let next = 0;
  const places = columns.map(({ isGenerated }) => (isGenerated ? -1 : next++));
  return rows.map((cells) => places.map((place) => cells[place] ?? null));
}
