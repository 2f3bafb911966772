import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { type SqlDialect, SQLITE } from '../../sql/dialect.js';
import { executableSql } from '../../sql/executable-sql.js';
import type { ColumnFacts, GoldRows } from './gold-rows.js';
import { type NamedColumn, ReadQuery, readQuery } from './read-query.js';
import type { DatasetExample } from '../../formats/dataset.js';
import type { GoldFinding, GoldRepair } from './finding.js';
import { compareResults } from '../../sql/execution/result-comparison.js';

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

/** An example with its gold, which other examples may have, too. */
export interface AuditedExample {
  readonly example: DatasetExample;
  readonly gold: AuditedGold;
  /** The question with those that it follows in its interaction. */
  readonly dialog: string;
  /** The data set's hint for the question, such as BIRD's evidence; empty if there is none. */
  readonly evidence: string;
}

/** A fault in an example that its gold query alone does not show. */
export interface ExampleFinding extends GoldFinding {
  readonly example: DatasetExample;
}

/** A repaired gold, executed and compared with the gold where there are rows; null where it gives no rows itself. */
export async function verifiedRepair(gold: AuditedGold, sql: string): Promise<GoldRepair | null> {
  if (gold.rows === null) return { sql, result: 'not-executed' };
  const [before, after] = [await gold.rows.run(gold.executable), await gold.rows.run(sql)];
  if (after.kind !== 'rows') return null;
  const isSame = before.kind === 'rows' && compareResults(before, after, 'ordered', 'numeric') === null;
  return { sql, result: isSame ? 'same' : 'changed' };
}
