import type Sqlite from 'better-sqlite3';
import { foldName } from '../../../sql/dialect.js';
import type { SqlValue } from '../database-change.js';
import { quoteName, readViewedTable } from '../views/viewed-table.js';

/** Rows that styles are taken from and new columns are compared with. */
const SAMPLED_ROWS = 2000;

/** A column of a table that gets another one. */
export interface ColumnSample {
  readonly name: string;
  /** As in CREATE TABLE; empty = none. */
  readonly declaredType: string;
  /** Cells of the first rows, by row id (by primary key WITHOUT ROWID). */
  readonly cells: readonly SqlValue[];
  /** Share of NULL in the whole column, 0 to 1; 0 of no rows. */
  readonly nullShare: number;
}

/** What added values are fitted to. */
export interface TableSample {
  readonly rowCount: number;
  readonly strict: boolean;
  readonly columns: readonly ColumnSample[];
}

/** SQLite tells its standard types in capitals, however the statement spells them. */
function asSpelled(type: string, statement: string): string {
  return !statement.includes(type) && statement.includes(type.toLowerCase()) ? type.toLowerCase() : type;
}

function declaredTypes(sqlite: Sqlite.Database, table: string): ReadonlyMap<string, string> {
  const select = sqlite.prepare(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`);
  const statement = (select.pluck().get(table) as string | null | undefined) ?? '';
  const columns = sqlite.pragma(`table_xinfo(${quoteName(table)})`) as { name: string; type: string }[];
  return new Map(columns.map(({ name, type }) => [foldName(name), asSpelled(type, statement)]));
}

/**
 * Reads a table's row count and NULL shares, and the cells of its first 2,000 rows: what `createAddedValues` needs. The
 * sample serves all columns that are added to the table, in all variants.
 * @throws InputFormatError when the database lacks the table, or it is SQLite's own
 */
export function sampleTable(sqlite: Sqlite.Database, table: string): TableSample {
  const { name, columns, strict, key } = readViewedTable(sqlite, table);
  const types = declaredTypes(sqlite, name);
  const names = columns.map(quoteName);
  const order = key === null ? '' : ` ORDER BY ${key.columns.map((column) => column.order).join(', ')}`;
  const select = `SELECT ${names.join(', ')} FROM ${quoteName(name)}${order} LIMIT ${SAMPLED_ROWS}`;
  const rows = sqlite.prepare(select).raw().safeIntegers().all() as SqlValue[][];
  const count = `SELECT count(*), ${names.map((column) => `count(${column})`).join(', ')} FROM ${quoteName(name)}`;
  const [rowCount, ...filled] = sqlite.prepare(count).raw().get() as number[];
  return {
    rowCount: rowCount!,
    strict,
    columns: columns.map((column, c) => ({
      name: column,
      declaredType: types.get(foldName(column)) ?? '',
      cells: rows.map((row) => row[c] ?? null),
      nullShare: rowCount === 0 ? 0 : 1 - filled[c]! / rowCount!,
    })),
  };
}
