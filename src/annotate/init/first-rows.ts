import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../errors.js';
import type { Dataset } from '../../formats/dataset.js';
import type { Database, Table } from '../../schema/schema.js';
import { foldName, quoteIdentifier } from '../../sql/dialect.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { columnsOf } from '../../sql/execution/table-pragmas.js';

/** Rows shown of a table. */
const ROWS = 5;
/** Longest cell text. */
const LONGEST_CELL = 200;

function cellText(cell: string | number | bigint | Buffer | null): string {
  if (cell === null) return '';
  if (Buffer.isBuffer(cell)) return `(${cell.length} bytes)`;
  const text = String(cell);
  const characters = Array.from(text.slice(0, 2 * LONGEST_CELL));
  return characters.length <= LONGEST_CELL ? text : `${characters.slice(0, LONGEST_CELL).join('')}…`;
}

/** Rows of one table; of what the file lacks, cells are empty and rows are none. */
function rowsOf(sqlite: Sqlite.Database, table: Table): readonly (readonly string[])[] {
  const present = new Set(columnsOf(sqlite, table.originalName).map(({ name }) => foldName(name)));
  if (present.size === 0) return [];
  const columns = table.columns.map(({ originalName }) =>
    present.has(foldName(originalName)) ? quoteIdentifier(originalName) : 'NULL',
  );
  const sql = `SELECT ${columns.join(', ')} FROM ${quoteIdentifier(table.originalName)} LIMIT ${ROWS}`;
  const rows = sqlite.prepare(sql).raw().safeIntegers().all() as Parameters<typeof cellText>[0][][];
  return rows.map((row) => row.map(cellText));
}

/**
 * The first rows of each table as texts, up to five; none where the data set has no rows. Files that a format writes first
 * go into `scratch`.
 * @throws InputFormatError when a database can't be read
 */
export function firstRows(
  dataset: Dataset,
  database: Database,
  scratch: string,
): readonly (readonly (readonly string[])[])[] {
  const file = dataset.hasRows(database.id) ? dataset.sqliteFile(database.id, scratch) : null;
  if (file === null) return database.tables.map(() => []);
  try {
    return readUntouched(file, (sqlite) => database.tables.map((table) => rowsOf(sqlite, table)));
  } catch (cause) {
    throw new InputFormatError('the file can’t be read as a SQLite database', {
      where: { file, id: database.id },
      cause,
      fix: 'Check that --databases holds this data set’s own files.',
    });
  }
}
