import type Sqlite from 'better-sqlite3';

/** Statements of an open project, each prepared once. */
export class Prepared {
  readonly #sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
  }

  statement(sql: string): Sqlite.Statement {
    const statement = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  get(sql: string, ...given: unknown[]): unknown {
    return this.statement(sql).get(...given);
  }

  all(sql: string, ...given: unknown[]): unknown[] {
    return this.statement(sql).all(...given);
  }

  run(sql: string, ...given: unknown[]): void {
    this.statement(sql).run(...given);
  }

  /** Does all of some work or none of it; nobody else writes meanwhile. */
  atOnce<T>(work: () => T): T {
    return this.#sqlite.transaction(work).immediate();
  }
}
