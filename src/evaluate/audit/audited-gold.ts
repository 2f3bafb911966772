import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { SQLITE, type SqlDialect } from '../../sql/dialect.js';
import { executableSql } from '../../sql/execution/executable-sql.js';
import type { ColumnFacts, GoldRows } from './gold-rows.js';
import { type NamedColumn, ReadQuery, readQuery } from './read-query.js';

/** A gold query that is audited: read once, executed where its database has rows. */
export class AuditedGold {
  readonly sql: string;
  readonly database: Database;
  readonly dialect: SqlDialect;
  /** Null where there are no rows, or the query is not SQLite's. */
  readonly rows: GoldRows | null;
  /** The SQL to execute: the query with its double-quoted strings in single quotes. */
  readonly executable: string;
  /** The gold as it is written; null where it can't be read. */
  readonly written: ReadQuery | null;
  readonly fault: SqlRewriteError | null;
  /** The executed query as parsed: variants are made from it. Null if it is not SQLite's. */
  readonly query: ReadQuery | null;

  constructor(sql: string, database: Database, dialect: SqlDialect, rows: GoldRows | null) {
    const isSqlite = dialect.name === SQLITE.name;
    const read = readQuery(sql, database, dialect);
    this.sql = sql;
    this.database = database;
    this.dialect = dialect;
    this.rows = isSqlite ? rows : null;
    this.executable = isSqlite ? executableSql(sql, database) : sql;
    this.fault = read instanceof SqlRewriteError ? read : null;
    this.written = read instanceof SqlRewriteError ? null : read;
    this.query = isSqlite && this.written !== null ? this.#readExecutable(this.written) : null;
  }

  /** A variant of the query, read; null where it can't be. */
  readVariant(sql: string): ReadQuery | null {
    const read = readQuery(sql, this.database, this.dialect);
    return read instanceof ReadQuery ? read : null;
  }

  /** How a column's values are stored; null where that can't be told. */
  async factsOf(column: NamedColumn | null): Promise<ColumnFacts | null> {
    return column === null ? null : ((await this.rows?.facts(column.table, column.column)) ?? null);
  }

  /** The same gold, of which nothing is executed. */
  withoutRows(): AuditedGold {
    return new AuditedGold(this.sql, this.database, this.dialect, null);
  }

  #readExecutable(written: ReadQuery): ReadQuery | null {
    return this.executable === this.sql ? written : this.readVariant(this.executable);
  }
}
