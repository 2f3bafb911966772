import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../errors.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { boundedCell, countFilled, isView } from '../../sql/execution/table-pragmas.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { readViewedTable } from '../keyed-table.js';
import { zip } from '../../present.js';

/** Rows that styles are taken from and new columns are compared with. */
const SAMPLED_ROWS = 2000;

/** A column of a table that gets another one. */
export interface ColumnSample {
  readonly name: string;
  /** As in CREATE TABLE; empty = none. */
  readonly declaredType: string;
  /** Cells of the first rows, by row id (by primary key WITHOUT ROWID); NULL for those of more than 64 KiB. */
  readonly cells: readonly SqlValue[];
  /** Share of NULL in the whole column, 0 to 1; 0 of no rows. */
  readonly nullShare: number;
}

/** The sample that added values are fitted to. */
export interface TableSample {
  readonly rowCount: number;
  readonly strict: boolean;
  readonly columns: readonly ColumnSample[];
}

/** SQLite tells its standard types in capitals, however the statement spells them. */
function asSpelled(type: string, statement: string): string {
  return !statement.includes(type) && statement.includes(type.toLowerCase()) ? type.toLowerCase() : type;
}

/** The statement that made a table; empty where SQLite itself did. */
function statementOf(sqlite: Sqlite.Database, table: string): string {
  const select = sqlite.prepare(`SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?`);
  return (select.pluck().get(table) as string | null | undefined) ?? '';
}

/**
 * Reads a table's row count and NULL shares, and the cells of its first 2,000 rows: what `createAddedValues` needs. The
 * sample serves all columns that are added to the table, in all variants.
 * @throws InputFormatError when the database lacks the table, or it is SQLite's own or a view
 */
export function sampleTable(sqlite: Sqlite.Database, table: string): TableSample {
  if (isView(sqlite, table)) {
    throw new InputFormatError('this is a view, which has no rows of its own', {
      where: { id: table },
      fix: 'Leave it out of the perturbation, and name its tables.',
    });
  }
  const { name, columns, strict, key } = readViewedTable(sqlite, table);
  const statement = statementOf(sqlite, name);
  const names = columns.map((column) => quoteIdentifier(column.name));
  const order = key === null ? '' : ` ORDER BY ${key.columns.map((column) => column.order).join(', ')}`;
  const select = `SELECT ${names.map(boundedCell).join(', ')} FROM ${quoteIdentifier(name)}${order} LIMIT ${SAMPLED_ROWS}`;
  const rows = sqlite.prepare(select).raw().safeIntegers().all() as SqlValue[][];
  const count = `SELECT count(*), ${names.map(countFilled).join(', ')} FROM ${quoteIdentifier(name)}`;
  const [rowCount, ...filled] = sqlite.prepare(count).raw().get() as [number, ...number[]];
  return {
    rowCount,
    strict,
    columns: zip(columns, filled).map(([column, ofColumn], c) => ({
      name: column.name,
      declaredType: asSpelled(column.type, statement),
      cells: rows.map((row) => row[c] ?? null),
      nullShare: rowCount === 0 ? 0 : 1 - ofColumn / rowCount,
    })),
  };
}
