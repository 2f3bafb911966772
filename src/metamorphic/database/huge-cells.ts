import type Sqlite from 'better-sqlite3';
import { HUGE_CELL, rootPage, type CarriedCell, type CellPlace } from '../../rows/cells/carry-cells.js';
import type { RowKey } from '../../rows/viewed-table.js';
import { foldName, quoteIdentifier, SQLITE } from '../../sql/dialect.js';
import type { ColumnInfo } from '../../sql/execution/table-pragmas.js';

/** What `table_xinfo` says of a column that is not stored. */
const GENERATED_WHEN_READ = 2;

/** A cell that a token stands in for. */
interface HugeCell {
  readonly column: string;
  readonly rowid: bigint;
  readonly token: Buffer;
  /** Where it is in the origin's file; null where it is not stored, but generated when it is read. */
  readonly place: CellPlace | null;
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
  readonly cells: readonly HugeCell[];
}

const q = (name: string): string => quoteIdentifier(name);

/**
 * Keeps the huge cells of an origin out of the queries that give the tables of mutated schemas, which would hold several
 * copies of each at once: short tokens stand in for them, and the cells themselves go from file to file, page by page.
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
    const cells = rowid === null ? [] : this.#cellsOf(table, columns, rowid);
    if (rowid === null || cells.length === 0) return columns.map(({ name }) => q(name));
    this.#tables.set(foldName(table), { name: table, rowid, cells });
    const spoken = new Set(cells.map(({ column }) => column));
    return columns.map(({ name }) => {
      if (!spoken.has(foldName(name))) return q(name);
      const token = `CAST(${literal(tokenStart(table, name))} || ${rowid} AS BLOB)`;
      return `CASE WHEN octet_length(${q(name)}) > ${HUGE_CELL} THEN ${token} ELSE ${q(name)} END`;
    });
  }

  /**
   * Writes the huge cells where their tokens are in a table of the attached file `mutant`, those of columns that indexes
   * hold; gives back the others, to be carried from file to file.
   */
  putBack(target: string, plans: readonly WrittenColumn[]): readonly CarriedCell[] {
    const indexed = indexedColumns(this.#sqlite, target);
    const rowid = this.#sqlite.memory ? null : rowidOf(plans);
    return plans.flatMap(({ name, from }, column) => {
      const table = this.#tables.get(from?.table ?? '');
      if (table === undefined) return [];
      return table.cells.flatMap((cell) => {
        if (cell.column !== from?.column) return [];
        if (rowid !== null && cell.place !== null && !indexed.has(foldName(name))) {
          return this.#carried(target, { rowid, name, column }, cell.place, cell.token);
        }
        this.#write(`mutant.${q(target)}`, name, table, cell);
        return [];
      });
    });
  }

  #carried(
    table: string,
    { rowid, name, column }: { readonly rowid: string; readonly name: string; readonly column: number },
    from: CellPlace,
    token: Buffer,
  ): readonly CarriedCell[] {
    const query = `SELECT ${rowid} FROM mutant.${q(table)} WHERE octet_length(${q(name)}) = ? AND ${q(name)} = ?`;
    const rows = this.#sqlite.prepare(query).pluck().safeIntegers().all(token.length, token) as bigint[];
    return rows.map((row) => ({ table, rowid: row, column, from }));
  }

  #write(target: string, name: string, table: HugeTable, { column, rowid, token }: HugeCell): void {
    const source = `SELECT ${q(column)} FROM main.${q(table.name)} WHERE ${table.rowid} = ?`;
    // Cells that were written already are not read to be compared.
    const isToken = `octet_length(${q(name)}) = ? AND ${q(name)} = ?`;
    const update = `UPDATE ${target} SET ${q(name)} = (${source}) WHERE ${isToken}`;
    this.#sqlite.prepare(update).run(rowid, token.length, token);
  }

  #cellsOf(table: string, columns: readonly ColumnInfo[], rowid: string): readonly HugeCell[] {
    const root = rootPage(this.#sqlite, table);
    const stored = columns.filter(({ hidden }) => hidden !== GENERATED_WHEN_READ);
    return columns.flatMap((column) => {
      const { name } = column;
      const query = `SELECT ${rowid} FROM main.${q(table)} WHERE octet_length(${q(name)}) > ${HUGE_CELL}`;
      const rowids = this.#sqlite.prepare(query).pluck().safeIntegers().all() as bigint[];
      const at = stored.indexOf(column);
      return rowids.map((id) => ({
        column: foldName(name),
        rowid: id,
        token: Buffer.from(`${tokenStart(table, name)}${id}`),
        place: at < 0 ? null : { root, rowid: id, column: at },
      }));
    });
  }
}

/** SQL of the row id of a table with these columns and no key that is one; null where they take all its names. */
function rowidOf(columns: readonly WrittenColumn[]): string | null {
  const taken = new Set(columns.map(({ name }) => foldName(name)));
  return SQLITE.rowids.find((name) => !taken.has(name)) ?? null;
}

/** Folded names of the columns of a table of the attached file that its indexes hold. */
function indexedColumns(sqlite: Sqlite.Database, table: string): ReadonlySet<string> {
  const indexes = sqlite.pragma(`mutant.index_list(${q(table)})`) as { readonly name: string }[];
  const parts = indexes.flatMap(({ name }) => {
    return sqlite.pragma(`mutant.index_info(${q(name)})`) as { readonly name: string | null }[];
  });
  return new Set(parts.map(({ name }) => foldName(name ?? '')));
}

/** Begins the tokens of a column; the row id follows. */
function tokenStart(table: string, column: string): string {
  return `perturbql: huge cell ${JSON.stringify([foldName(table), foldName(column)])} of row `;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
