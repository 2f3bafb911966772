import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type CsvDataset } from './csv-dataset.js';
import { readCsvRows, type CsvTable } from './csv-tables.js';
import { guardFormula, headerEnd, renderCsvRecord } from './csv-text.js';
import { loadText } from './json-file.js';
import { moveEntries, type OutputFolder, type OutputSet } from './output-set.js';
import { writeQuestions } from './question-output.js';
import { readStoredColumns } from './sqlite-tables.js';
import { zip } from '../present.js';

const NO_CELLS: Iterable<readonly string[]> = [];

/** A table of a schema that is written, and the file it was made from. */
interface TableOutput {
  readonly csv: CsvTable;
  readonly table: string;
  readonly names: readonly string[];
  /** Per column its position in the file; null = added. */
  readonly columns: readonly (number | null)[];
}

const toText = (cell: unknown): string =>
  typeof cell === 'string' ? guardFormula(cell) : typeof cell === 'number' || typeof cell === 'bigint' ? `${cell}` : '';

/** Cells of the added columns, row by row, from the database of the variant; none where there is no such file. */
function* readAdded({ table, names, columns }: TableOutput, file: string | null): Generator<readonly string[]> {
  if (file === null) return;
  const added = names.filter((_, c) => columns[c] === null);
  for (const row of readStoredColumns(file, table, added)) yield row.map(toText);
}

function* renderWithAdded(output: TableOutput, file: string | null): Generator<string> {
  const { csv, names, columns } = output;
  yield renderCsvRecord(names, csv.dialect);
  const added = (file === null ? NO_CELLS : readAdded(output, file))[Symbol.iterator]();
  for (const row of readCsvRows(csv)) {
    const cells = (added.next().value as readonly string[] | undefined) ?? [];
    let next = 0;
    const all = moveEntries(row, columns).map((cell) => cell ?? cells[next++] ?? '');
    yield renderCsvRecord(all, csv.dialect);
  }
  added.return?.();
}

/** A table with renamed columns: the rows keep their bytes. */
function* renderRenamed({ csv, names }: TableOutput): Generator<string> {
  const text = loadText(csv.file);
  yield renderCsvRecord(names, csv.dialect);
  yield text.slice(headerEnd(text, csv.dialect));
}

/** A table's file; the input's bytes where its columns are what they were. */
function renderTable(output: TableOutput, file: string | null): Iterable<string | Uint8Array> {
  if (output.columns.includes(null)) return renderWithAdded(output, file);
  const before = output.csv.table.columns.map(({ originalName }) => originalName);
  const isSame = output.names.every((name, c) => name === before[c]);
  return isSame ? [readFileSync(output.csv.file)] : renderRenamed(output);
}

/**
 * Writes the folders of CSV files back: `csv/tables/<db_id>/<table>.csv` for each database, perturbed ones with renamed
 * or added columns, and `csv/examples.*`. Cells of the input come back as they are; those of added columns come from
 * the variant's database, else are empty, and a text that begins like a formula gets an apostrophe in front.
 */
export function writeCsvDataset(set: OutputSet, folder: OutputFolder): void {
  const { csvTables } = set.input as CsvDataset;
  for (const output of set.schemas) {
    const hasAdded = output.columns.some((columns) => columns.includes(null));
    const file = hasAdded ? set.sqliteFile(output.schema.id) : null;
    const files = csvTables.get(output.origin) ?? [];
    for (const [csv, [table, columns]] of zip(files, zip(output.schema.tables, output.columns))) {
      const name = `${csv.table.originalName}${extname(csv.file)}`;
      const names = table.columns.map(({ originalName }) => originalName);
      const rendered = renderTable({ csv, table: table.originalName, names, columns }, file);
      folder.write(`csv/tables/${output.schema.id}/${name}`, rendered);
    }
  }
  writeQuestions(set, folder, 'csv/examples');
}
