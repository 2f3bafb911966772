import type Sqlite from 'better-sqlite3';
import { openConnection } from '../../sql/execution/open-connection.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { columnsOf, tableNames } from '../../sql/execution/table-pragmas.js';

/** Thrown from within a query that has looked at more rows than it may. */
export class StepsExceeded extends Error {}

const COUNT = 'perturbql_count_step';

/**
 * A copy of a database, as it is at first, in which every row that a query looks at is counted, and the query ends where
 * there are too many. Nothing else can end it: better-sqlite3 has no interrupt, and a worker thread is not terminated
 * before the native call returns. So TEMP views come before the tables, with a condition that calls back; SQLite
 * merges them into the query, and loops and indexes stay.
 */
export class CountedCopy {
  readonly #copy: Sqlite.Database;
  #left = 0;

  constructor(sqlite: Sqlite.Database) {
    this.#copy = openConnection(sqlite.serialize());
    // The argument keeps SQLite from taking the call out of the loop.
    this.#copy.function(COUNT, { varargs: true }, () => {
      if (this.#left-- <= 0) throw new StepsExceeded();
      return 1;
    });
    this.#placeViews();
  }

  /**
   * Runs something on the copy that looks at no more than so many rows.
   * @throws StepsExceeded from within a query
   */
  run<T>(maxSteps: number, read: (copy: Sqlite.Database) => T): T {
    this.#left = maxSteps;
    return read(this.#copy);
  }

  close(): void {
    this.#copy.close();
  }

  #placeViews(): void {
    const copy = this.#copy;
    for (const name of tableNames(copy)) {
      const [table, first] = [name, columnsOf(copy, name)[0]?.name ?? 'rowid'].map((word) => quoteIdentifier(word));
      copy.exec(`CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} WHERE ${COUNT}(${first})`);
    }
    const views = copy.prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'view'").pluck().all() as string[];
    for (const view of views) copy.exec(view.replace(/^CREATE VIEW/u, 'CREATE TEMP VIEW'));
  }
}
