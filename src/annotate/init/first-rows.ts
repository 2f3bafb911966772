import type { Dataset } from '../../formats/dataset.js';
import { firstRowsOf, readTables } from '../../formats/sample-values.js';
import type { Database } from '../../schema/schema.js';

type Cell = string | number | bigint | Buffer | null;

/** Rows shown of a table. */
const ROWS = 5;
/** Longest cell text. */
const LONGEST_CELL = 200;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (Buffer.isBuffer(cell)) return `(${cell.length} bytes)`;
  const text = String(cell);
  const characters = Array.from(text.slice(0, 2 * LONGEST_CELL));
  return characters.length <= LONGEST_CELL ? text : `${characters.slice(0, LONGEST_CELL).join('')}…`;
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
  return readTables(file, database, (sqlite, table) =>
    firstRowsOf(file, sqlite, table, ROWS).map((row) => row.map((cell) => cellText(cell as Cell))),
  );
}
