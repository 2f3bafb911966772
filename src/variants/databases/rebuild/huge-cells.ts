import type Sqlite from 'better-sqlite3';
import { HUGE_CELL, hugeCells, type CarriedCell, type CellPlace } from '../../../rows/cells/carry-cells.js';
import type { RowKey } from '../../../rows/keyed-table.js';
import { foldName, quoteIdentifier, renderString } from '../../../sql/dialect.js';
import { type ColumnInfo, indexesOf, rowidOf } from '../../../sql/execution/table-pragmas.js';

/** The mark of a column that is not stored, in `table_xinfo`. */
const GENERATED_WHEN_READ = 2;

/** A column that is written: where its values come from, folded, and what it is called there and now. */
export interface WrittenColumn {
  readonly name: string;
  readonly from: { readonly table: string; readonly column: string } | null;
}

const q = (name: string): string => quoteIdentifier(name);

/** Folded names of a table's columns that its indexes hold; null where an index has an expression that may read any. */
function indexedColumns(sqlite: Sqlite.Database, table: string): ReadonlySet<string> | null {
  const indexes = indexesOf(sqlite, table);
  const names = indexes.flatMap(({ terms }) => terms.map(({ name }) => name));
  if (indexes.some(({ partial }) => partial === 1) || names.includes(null)) return null;
  return new Set(names.map((name) => foldName(name ?? '')));
}

/** Begins the tokens of a column; the row id follows. */
function tokenStart(table: string, column: string): string {
  return `perturbql: huge cell ${JSON.stringify([foldName(table), foldName(column)])} of row `;
}

/**
 * Keeps the huge cells of a database out of the queries that rebuild its tables, which would hold several copies of
 * each at once: short tokens stand in for them, and the cells themselves go from file to file, page by page. Those that
 * indexes hold or that are generated go through the queries.
 */
export class HugeCells {
  readonly #sqlite: Sqlite.Database;
  /** By folded name of the table, then of the column. */
  readonly #cells = new Map<string, ReadonlyMap<string, readonly CellPlace[]>>();

  /** `sqlite`: the database as `main`. */
  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
  }

  /** Returns the terms to select for a table's columns: themselves, with tokens for huge cells. */
  standIns(table: string, columns: readonly ColumnInfo[], key: RowKey | null): readonly string[] {
    const rowid = key?.isRowid === true ? (key.columns[0]?.sql ?? null) : null;
    const indexed = indexedColumns(this.#sqlite, table);
    const free =
      indexed === null ? [] : columns.filter(({ hidden, name }) => hidden === 0 && !indexed.has(foldName(name)));
    if (rowid === null || free.length === 0) return columns.map(({ name }) => q(name));
    const stored = columns.filter(({ hidden }) => hidden !== GENERATED_WHEN_READ);
    const cells = new Map(
      free.map((column) => {
        const { name } = column;
        return [foldName(name), hugeCells(this.#sqlite, { table, rowid }, name, stored.indexOf(column))];
      }),
    );
    this.#cells.set(foldName(table), cells);
    return columns.map(({ name }) => {
      if ((cells.get(foldName(name)) ?? []).length === 0) return q(name);
      const token = `CAST(${renderString(tokenStart(table, name))} || ${rowid} AS BLOB)`;
      return `CASE WHEN octet_length(${q(name)}) > ${HUGE_CELL} THEN ${token} ELSE ${q(name)} END`;
    });
  }

  /** The huge cells whose tokens are in a rebuilt table, to be carried there. */
  carriedTo(target: string, columns: readonly WrittenColumn[]): readonly CarriedCell[] {
    const rowid = rowidOf(columns);
    return columns.flatMap(({ name, from }, column) => {
      if (from === null || rowid === null) return [];
      const query = `SELECT ${rowid} FROM main.${q(target)} WHERE octet_length(${q(name)}) = ? AND ${q(name)} = ?`;
      return (this.#cells.get(from.table)?.get(from.column) ?? []).flatMap((place) => {
        const token = Buffer.from(`${tokenStart(from.table, from.column)}${place.rowid}`);
        const rows = this.#sqlite.prepare(query).pluck().safeIntegers().all(token.length, token) as bigint[];
        return rows.map((row) => ({ table: target, rowid: row, column, from: place }));
      });
    });
  }
}
