import type Sqlite from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/dialect.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { columnsOf, tableNames } from '../../sql/execution/table-pragmas.js';
import { DenotationRunner } from '../../testsuite/denotation/denotation-runner.js';
import { openEmptied } from '../../rows/fuzz/empty-database.js';
import type { TableRows } from '../../rows/fuzz/fuzzer.js';

/** A table's columns that can be written. */
export interface WrittenTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables of a database, with the columns that are no others' results. */
export function writtenTables(sqlite: Sqlite.Database): readonly WrittenTable[] {
  return tableNames(sqlite).map((name) => ({
    name,
    columns: columnsOf(sqlite, name).flatMap((column) => (column.hidden === 0 ? [column.name] : [])),
  }));
}

const listOf = (columns: readonly string[]): string => columns.map((column) => quoteIdentifier(column)).join(', ');

/** The rows of some tables of a database. */
export function readRows(sqlite: Sqlite.Database, tables: readonly WrittenTable[]): TableRows {
  return new Map(
    tables.map(({ name, columns }) => {
      const rows = sqlite
        .prepare(`SELECT ${listOf(columns)} FROM main.${quoteIdentifier(name)}`)
        .raw()
        .safeIntegers();
      return [name, rows.all() as SqlValue[][]];
    }),
  );
}

/** A database's tables in memory without its rows, for other rows to be put in. */
export class RowsDatabase {
  readonly sqlite: Sqlite.Database;
  readonly runner: DenotationRunner;
  readonly #deletes: readonly Sqlite.Statement[];
  readonly #inserts: ReadonlyMap<string, Sqlite.Statement>;

  /** @param tables those that get rows; all others stay empty */
  constructor(original: Sqlite.Database, tables: readonly WrittenTable[]) {
    const sqlite = openEmptied(original.serialize());
    this.sqlite = sqlite;
    this.#deletes = tables.map(({ name }) => sqlite.prepare(`DELETE FROM ${quoteIdentifier(name)}`));
    this.#inserts = new Map(
      tables.map(({ name, columns }) => {
        const places = columns.map(() => '?').join(', ');
        return [name, sqlite.prepare(`INSERT INTO ${quoteIdentifier(name)} (${listOf(columns)}) VALUES (${places})`)];
      }),
    );
    this.runner = new DenotationRunner(sqlite);
  }

  load(rows: TableRows): void {
    this.sqlite.transaction(() => {
      for (const remove of this.#deletes) remove.run();
      for (const [name, insert] of this.#inserts) for (const cells of rows.get(name) ?? []) insert.run(cells);
    })();
  }
}
