import { writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { InputFormatError, SqlRewriteError } from '../../errors.js';
import { createRng } from '../../run/seeded-rng.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { Catalog, type CatalogTable } from './table-catalog.js';
import { Planter } from './planter.js';
import { PlannedRows, type PlannedRow } from './planned-rows.js';
import { CellValues } from './cell-values.js';
import { witnessOf } from './witness.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';

/** A query that is to find something, and the schema that it is written for. */
export interface FillingQuery {
  readonly sql: string;
  readonly database: Database;
}

export interface FilledTables {
  /** Rows given to each table that had none, by name. */
  readonly rows: Readonly<Record<string, number>>;
  /** Queries that could not be read, and so have no rows of their own. */
  readonly unread: number;
}

function plantQueries(planter: Planter, queries: readonly FillingQuery[]): number {
  const planted = new Set<string>();
  let unread = 0;
  for (const { sql, database } of queries) {
    try {
      const query = bindQuery(sql, database);
      const shared = new Map<string, SqlValue>();
      const { copies } = witnessOf(query, 0);
      for (let turn = 0; turn < copies; turn++) {
        const witness = witnessOf(query, turn);
        const key = `${turn} ${JSON.stringify(witness, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))}`;
        if (!planted.has(key)) planter.plant(witness, database, shared);
        planted.add(key);
      }
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      unread++;
    }
  }
  return unread;
}

/** Rows that a constraint of the table refuses (CHECK, a trigger) are left out. */
function insertRows(sqlite: Sqlite.Database, { name, columns }: CatalogTable, rows: readonly PlannedRow[]): number {
  const written = columns.map((column, position) => ({ column, position })).filter(({ column }) => !column.generated);
  const names = written.map(({ column }) => quoteIdentifier(column.name)).join(', ');
  const places = written.map(() => '?').join(', ');
  const insert = sqlite.prepare(`INSERT OR IGNORE INTO ${quoteIdentifier(name)} (${names}) VALUES (${places})`);
  let count = 0;
  for (const { cells } of rows) {
    try {
      count += insert.run(written.map(({ position }) => cells[position] ?? null)).changes;
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError)) throw error;
    }
  }
  return count;
}

function fill(sqlite: Sqlite.Database, queries: readonly FillingQuery[], seed: number, id: string): FilledTables {
  const rng = createRng(seed, `fill:${id}`);
  const catalog = new Catalog(sqlite, queries[0]?.database ?? null);
  const values = new CellValues(rng);
  const planned = new PlannedRows(catalog, values, rng);
  const unread = plantQueries(new Planter(catalog, planned, values, rng), queries);
  planned.complete();
  const rows: Record<string, number> = {};
  sqlite.transaction(() => {
    for (const [position, table] of catalog.tables.entries()) {
      if (planned.isFilled(position)) rows[table.name] = insertRows(sqlite, table, planned.rowsOf(position));
    }
  })();
  return { rows, unread };
}

/**
 * Writes a copy of a database in which tables without rows have seeded ones, made so that the queries find something:
 * rows that meet their comparisons with constants and their joins, two and more of each, within types, NOT NULL,
 * primary keys and unique indexes, and referring to rows that exist. Tables with rows stay as they are. What a query
 * asks beyond that (arithmetic, ties, `= (SELECT avg …)`) is left to chance. The same input and seed give the same
 * rows.
 * @throws InputFormatError when the source is not a readable SQLite database
 */
export function fillEmptyTables(
  source: string,
  target: string,
  queries: readonly FillingQuery[],
  seed: number,
): FilledTables {
  try {
    writeFileSync(
      target,
      readUntouched(source, (original) => original.serialize()),
    );
  } catch (cause) {
    const fix = 'Check that --databases holds this data set’s own files, and that the copy’s folder can be written to.';
    throw new InputFormatError('the database can’t be copied', { where: { file: source }, cause, fix });
  }
  const copy = new Sqlite(target);
  try {
    copy.pragma('journal_mode = delete');
    copy.pragma('foreign_keys = off');
    return fill(copy, queries, seed, queries[0]?.database.id ?? '');
  } finally {
    copy.close();
  }
}
