import type Sqlite from 'better-sqlite3';
import { itemAt, mustGet } from '../../present.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { openConnection, whileOpen } from '../../sql/execution/open-connection.js';
import { withDefinitions } from '../../sql/execution/schema-edit.js';
import {
  blobType,
  lengthOf,
  readHeader,
  readVarint,
  RecordFile,
  type StoredValue,
  writeHeader,
  writeVarint,
} from './record-file.js';

/** A cell in the file of a rowid table. */
export interface CellPlace {
  /** First page of the table's tree. */
  readonly root: number;
  readonly rowid: bigint;
  /** Position among the columns that are stored: all but those that are generated when they are read. */
  readonly column: number;
}

/** A cell that goes from one file to another by its bytes: where it comes from, and whose place it takes. */
export interface CarriedCell {
  readonly from: CellPlace;
  readonly table: string;
  readonly rowid: bigint;
  readonly column: number;
}

/** Bytes above which a cell is not carried through queries, which hold several copies of it at once. */
export const HUGE_CELL = 1 << 20;

/** Bytes of records, without their huge cells, that are held at once. */
const BATCH_BYTES = 16 << 20;

/** A row of the target as it will be. */
interface GrownRow {
  readonly rowid: bigint;
  readonly length: number;
  /** The record without its huge cells. */
  readonly held: number;
  readonly pieces: () => Iterable<Buffer>;
}

/**
 * Puts cells of one SQLite file into rows of another that have anything else there, page by page: memory is the same
 * whatever their size. Both files have the same text encoding, no journal and no other user; indexes stay as they are,
 * so none may have one of the cells as its key.
 * @throws InputFormatError when a row is not where its tree leads
 */
export function carryCells(source: string, target: string, cells: readonly CarriedCell[]): void {
  if (cells.length === 0) return;
  whileOpen(new RecordFile(source, 'r'), (from) => {
    for (const table of new Set(cells.map((cell) => cell.table))) {
      const rows = cellsByRow(cells.filter((cell) => cell.table === table));
      for (let next = 0; next < rows.length;) next += carryBatch(from, target, table, rows.slice(next));
    }
  });
}

type RowCells = readonly [rowid: bigint, cells: readonly CarriedCell[]];

function cellsByRow(cells: readonly CarriedCell[]): readonly RowCells[] {
  const rows = new Map<bigint, CarriedCell[]>();
  for (const cell of cells) rows.set(cell.rowid, [...(rows.get(cell.rowid) ?? []), cell]);
  return [...rows];
}

/** Carries as many rows as fit into memory without their huge cells, but one; gives their number. */
function carryBatch(source: RecordFile, target: string, table: string, rows: readonly RowCells[]): number {
  return whileOpen(new RecordFile(target, 'r+'), (file) => {
    const root = whileOpen(openConnection(target, { readonly: true }), (sqlite) => rootPage(sqlite, table));
    const grown: GrownRow[] = [];
    let held = 0;
    for (const [rowid, cells] of rows) {
      const row = growRow(source, wholeRecord(file, root, rowid), rowid, cells);
      grown.push(row);
      if ((held += row.held) >= BATCH_BYTES) break;
    }
    resizeRows(target, table, grown);
    for (const { rowid, pieces } of grown) file.write(root, rowid, pieces());
    return grown.length;
  });
}

function wholeRecord(file: RecordFile, root: number, rowid: bigint): Buffer {
  return Buffer.concat([...file.read(root, rowid, 0, file.lengthOf(root, rowid))]);
}

function growRow(source: RecordFile, record: Buffer, rowid: bigint, cells: readonly CarriedCell[]): GrownRow {
  const { values } = readHeader(record);
  const sources = new Map(cells.map(({ column, from }) => [column, { from, value: valueAt(source, from) }]));
  const types = values.map(({ type }, column) => sources.get(column)?.value.type ?? type);
  const header = writeHeader(types);
  const pieces = function* (): Iterable<Buffer> {
    yield header;
    for (const [column, { start, length }] of values.entries()) {
      const cell = sources.get(column);
      if (cell === undefined) yield record.subarray(start, start + length);
      else yield* source.read(cell.from.root, cell.from.rowid, cell.value.start, cell.value.length);
    }
  };
  const length = types.reduce((sum, type) => sum + lengthOf(type), header.length);
  return { rowid, length, held: record.length, pieces };
}

/** Where a cell is in its record, of which only the header is read. */
function valueAt(source: RecordFile, { root, rowid, column }: CellPlace): StoredValue {
  const first = Math.min(9, source.lengthOf(root, rowid));
  const size = Number(readVarint(Buffer.concat([...source.read(root, rowid, 0, first)]), 0).value);
  const header = Buffer.concat([...source.read(root, rowid, 0, size)]);
  return itemAt(readHeader(header).values, column);
}

/** The first page of a table's tree in a database's main file. */
export function rootPage(sqlite: Sqlite.Database, table: string): number {
  const select = sqlite.prepare(
    "SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
  );
  return mustGet(select.pluck().get(table) as number | undefined, `the table ${table}`);
}

/**
 * The huge cells of a column of a rowid table in a database's main file; `rowid`: SQL of the table's row id, `at`: the
 * column's position as `CellPlace` counts.
 */
export function hugeCells(
  sqlite: Sqlite.Database,
  { table, rowid }: { readonly table: string; readonly rowid: string },
  column: string,
  at: number,
): readonly CellPlace[] {
  const root = rootPage(sqlite, table);
  const huge = `octet_length(${quoteIdentifier(column)}) > ${HUGE_CELL}`;
  const select = sqlite.prepare(`SELECT ${rowid} FROM main.${quoteIdentifier(table)} WHERE ${huge}`);
  const rows = select.pluck().safeIntegers().all() as bigint[];
  return rows.map((row) => ({ root, rowid: row, column: at }));
}

/**
 * Gives rows records of these lengths, with zeros for content. SQLite writes a blob of zeros without holding it where
 * nothing comes after it in the record, so the table is declared as such a blob while that happens.
 */
function resizeRows(file: string, table: string, rows: readonly GrownRow[]): void {
  whileOpen(openConnection(file), (sqlite) => {
    sqlite.unsafeMode(true);
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF']) sqlite.pragma(pragma);
    sqlite.exec('BEGIN');
    withDefinitions(sqlite, new Map([[table, `CREATE TABLE ${quoteIdentifier(table)} (c, d)`]]), () => {
      const update = sqlite.prepare(`UPDATE main.${quoteIdentifier(table)} SET c = zeroblob(?), d = ? WHERE rowid = ?`);
      for (const { rowid, length } of rows) update.run(...blankOf(length), rowid);
    });
    sqlite.exec('COMMIT');
  });
}

/** A blob's length and another value, a record of which has so many bytes: the header's size, two types, the two. */
function blankOf(length: number): [blob: number, other: bigint | null] {
  for (const other of [null, 2n]) {
    for (let typeBytes = 1; typeBytes < 9; typeBytes++) {
      const blob = length - 2 - typeBytes - (other === null ? 0 : 1);
      if (blob >= 0 && writeVarint(blobType(blob)).length === typeBytes) return [blob, other];
    }
  }
  return [0, null];
}
