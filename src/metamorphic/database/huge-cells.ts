import type Sqlite from 'better-sqlite3';
import type { RowKey } from '../../rows/viewed-table.js';
import { foldName, quoteIdentifier } from '../../sql/dialect.js';
import type { ColumnInfo } from '../../sql/execution/table-pragmas.js';

/** Bytes above which a cell is not carried through queries. */
const HUGE = 1 << 20;

/** A cell that a token stands in for. */
interface HugeCell {
  readonly column: string;
  readonly rowid: bigint;
  readonly token: Buffer;
}

/** A column that is written: where its values come from, folded, and what it is called there and now. */
export interface WrittenColumn {
  readonly name: string;
  readonly from: { readonly table: string; readonly column: string } | null;
}

/** A table of the origin that has huge cells. */
interface HugeTable {
  readonly name: string;
  /** SQL of the row id. */
  readonly rowid: string;
  /** Folded names of all its columns, in order. */
  readonly columns: readonly string[];
  readonly cells: readonly HugeCell[];
}

const q = (name: string): string => quoteIdentifier(name);

/**
 * Keeps the huge cells of an origin out of the queries that give the tables of mutated schemas, which would hold several
 * copies of each at once: short tokens stand in for them, and the cells themselves go from file to file one by one. A
 * table that stays as it is goes as a whole, by SQLite's transfer of rows page by page.
 */
export class HugeCells {
  readonly #sqlite: Sqlite.Database;
  readonly #tables = new Map<string, HugeTable>();

  /** `sqlite`: the origin as `main`. */
  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
  }

  /** What to select of a table's columns: themselves, with tokens for huge cells. */
  standIns(table: string, columns: readonly ColumnInfo[], key: RowKey | null): readonly string[] {
    const rowid = key?.isRowid === true ? (key.columns[0]?.sql ?? null) : null;
    const cells = rowid === null ? [] : columns.flatMap(({ name }) => this.#cellsOf(table, name, rowid));
    if (rowid === null || cells.length === 0) return columns.map(({ name }) => q(name));
    const names = columns.map(({ name }) => foldName(name));
    this.#tables.set(foldName(table), { name: table, rowid, columns: names, cells });
    const spoken = new Set(cells.map(({ column }) => column));
    return columns.map(({ name }) => {
      if (!spoken.has(foldName(name))) return q(name);
      const token = `CAST(${literal(tokenStart(table, name))} || ${rowid} AS BLOB)`;
      return `CASE WHEN octet_length(${q(name)}) > ${HUGE} THEN ${token} ELSE ${q(name)} END`;
    });
  }

  /** The origin's table that a query gives row by row and column by column, where it has huge cells; else null. */
  wholeTable(select: string, plans: readonly WrittenColumn[]): string | null {
    const table = this.#tables.get(plans[0]?.from?.table ?? '');
    if (table === undefined || table.columns.length !== plans.length) return null;
    const list = plans.map(({ name }, c) => {
      const column = table.columns[c] ?? '';
      return column === foldName(name) ? q(column) : `${q(column)} AS ${q(name)}`;
    });
    const whole = `SELECT ${list.join(', ')} FROM ${q(table.name)}`;
    return foldName(select) === foldName(whole) ? table.name : null;
  }

  /** Writes the huge cells where their tokens are in a table. */
  putBack(target: string, plans: readonly WrittenColumn[]): void {
    for (const { name, from } of plans) {
      const table = this.#tables.get(from?.table ?? '');
      for (const cell of table?.cells ?? []) {
        if (table !== undefined && cell.column === from?.column) this.#write(target, name, table, cell);
      }
    }
  }

  #write(target: string, name: string, table: HugeTable, { column, rowid, token }: HugeCell): void {
    const source = `SELECT ${q(column)} FROM main.${q(table.name)} WHERE ${table.rowid} = ?`;
    // Cells that were written already are not read to be compared.
    const isToken = `octet_length(${q(name)}) = ? AND ${q(name)} = ?`;
    const update = `UPDATE ${target} SET ${q(name)} = (${source}) WHERE ${isToken}`;
    this.#sqlite.prepare(update).run(rowid, token.length, token);
  }

  #cellsOf(table: string, column: string, rowid: string): readonly HugeCell[] {
    const query = `SELECT ${rowid} FROM main.${q(table)} WHERE octet_length(${q(column)}) > ${HUGE}`;
    const rowids = this.#sqlite.prepare(query).pluck().safeIntegers().all() as bigint[];
    return rowids.map((id) => ({
      column: foldName(column),
      rowid: id,
      token: Buffer.from(`${tokenStart(table, column)}${id}`),
    }));
  }
}

/** Begins the tokens of a column; the row id follows. */
function tokenStart(table: string, column: string): string {
  return `perturbql: huge cell ${JSON.stringify([foldName(table), foldName(column)])} of row `;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
