import { formatCount } from '../counts.js';
import { isFolder } from '../regular-file.js';
import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { InputFormatError } from '../errors.js';
import { fileSha256 } from '../run/sha256.js';
import { naturalHeaders, naturalName } from '../schema/natural-name.js';
import type { ColumnType, Table } from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';
import { parseCsv, sniffCsvDialect, type CsvDialect } from './csv-text.js';
import type { SkippedExample } from './dataset.js';
import { loadText } from './json-file.js';
import { sampleRows } from './sample-values.js';
import { type SqliteCell, type SqliteTable, uniqueNames } from './sqlite-tables.js';
import { itemAt, zip } from '../present.js';

/** The kind of a column's cells, and so SQLite's type for them; an empty cell is NULL in each, `\N` in all but TEXT. */
type CsvColumnKind = 'INTEGER' | 'REAL' | 'TIME' | 'TEXT';

/** A CSV file that is a table. */
export interface CsvTable {
  readonly file: string;
  readonly dialect: CsvDialect;
  readonly sha256: string;
  readonly table: Table;
  readonly kinds: readonly CsvColumnKind[];
  /** Up to three distinct cells per column, from the first rows. */
  readonly samples: readonly (readonly string[])[];
  /** Identifiers of the columns in which `\N` is NULL. */
  readonly nullMarked: readonly string[];
}

/** The mark for NULL by MySQL's INTO OUTFILE. https://dev.mysql.com/doc/refman/8.4/en/load-data.html */
const NULL_MARK = '\\N';

// A leading zero or plus is part of a code or a telephone number, not of an amount.
const INTEGER = /^-?(?:0|[1-9]\d*)$/u;
const REAL = /^-?(?:0|[1-9]\d*)?(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
const TIME =
  /^(?:\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}.*)?|\d{1,2}[/.]\d{1,2}[/.](?:\d{2}|\d{4})(?: \d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m)?)$/iu;
const LARGEST = 2n ** 63n - 1n;

function isInteger(cell: string): boolean {
  return INTEGER.test(cell) && (cell.length < 19 || (BigInt(cell) <= LARGEST && BigInt(cell) >= -LARGEST - 1n));
}

const isReal = (cell: string): boolean => /\d/u.test(cell) && REAL.test(cell) && Number.isFinite(Number(cell));

/** Whole numbers beyond 64 bits would lose digits as reals. */
const isAmount = (cell: string): boolean => isInteger(cell) || (!INTEGER.test(cell) && isReal(cell));

const TESTS: readonly (readonly [CsvColumnKind, (cell: string) => boolean])[] = [
  ['INTEGER', isInteger],
  ['REAL', isAmount],
  ['TIME', (cell) => TIME.test(cell)],
];

/** The narrowest kind that all cells of a column which are not NULL fit; text for a column without any. */
function kindOf(cells: readonly string[]): CsvColumnKind {
  if (cells.length === 0) return 'TEXT';
  return TESTS.find(([, test]) => cells.every(test))?.[0] ?? 'TEXT';
}

/** Checks whether a cell is NULL: the mark for it may be a word in a column of texts. */
function isNull(cell: string, kind: CsvColumnKind): boolean {
  const text = cell.trim();
  return text === '' || (text === NULL_MARK && kind !== 'TEXT');
}

const TYPES: Readonly<Record<CsvColumnKind, ColumnType>> = {
  INTEGER: 'number',
  REAL: 'number',
  TIME: 'time',
  TEXT: 'text',
};

/** Name of a table: its file's stem. */
const stemOf = (file: string): string => basename(file, extname(file));

/** https://sqlite.org/limits.html#max_column */
const MAX_COLUMNS = 2000;

/** @throws InputFormatError where SQLite would not take the file as a table */
function checkTable(name: string, columns: number, file: string): void {
  if (columns > MAX_COLUMNS) {
    throw new InputFormatError(
      `the table has ${formatCount(columns)} columns, SQLite takes ${formatCount(MAX_COLUMNS)}`,
      {
        where: { file },
        fix: 'Leave columns out, or divide the table.',
      },
    );
  }
  if (/^sqlite_/iu.test(name)) {
    throw new InputFormatError(`a table can’t be called "${name}": SQLite keeps names in sqlite_ for itself`, {
      where: { file },
      fix: 'Rename the file.',
    });
  }
}

/** Reads one CSV file: header and kinds of columns; its rows are read again when they are needed. */
function readCsvTable(file: string): CsvTable {
  const text = loadText(file);
  const dialect = sniffCsvDialect(text, file);
  const [header, ...rows] = parseCsv(text, file, dialect);
  if (header === undefined) {
    throw new InputFormatError('the file is empty', { where: { file }, fix: 'Give it a header, or move it away.' });
  }
  checkTable(stemOf(file), header.length, file);
  const names = uniqueNames(header.map((name) => name.replaceAll('\0', '').trim()));
  const trimmedAt = (column: number): readonly string[] => rows.map((row) => itemAt(row, column).trim());
  const kinds = names.map((_, c) => kindOf(trimmedAt(c).filter((cell) => cell !== '' && cell !== NULL_MARK)));
  const columns = zip(names, zip(naturalHeaders(names), kinds)).map(([name, [natural, kind]]) => ({
    name: natural === '' ? name.toLowerCase() : natural,
    originalName: name,
    type: TYPES[kind],
  }));
  const withoutNulls = (row: readonly string[]): readonly string[] =>
    zip(row, kinds).map(([cell, kind]) => (isNull(cell, kind) ? '' : cell));
  return {
    file,
    dialect,
    sha256: fileSha256(file),
    table: { name: naturalName(stemOf(file)), originalName: stemOf(file), columns },
    kinds,
    samples: sampleRows(rows.map(withoutNulls), names.length),
    nullMarked: zip(names, kinds).flatMap(([name, kind], c) =>
      kind !== 'TEXT' && trimmedAt(c).includes(NULL_MARK) ? [name] : [],
    ),
  };
}

function toCell(cell: string, kind: CsvColumnKind): SqliteCell {
  if (isNull(cell, kind)) return null;
  if (kind === 'INTEGER') return BigInt(cell.trim());
  return kind === 'REAL' ? Number(cell) : cell;
}

/** The rows of a table as its file has them. */
export function readCsvRows({ file, dialect }: CsvTable): readonly (readonly string[])[] {
  return parseCsv(loadText(file), file, dialect).slice(1);
}

function* toRows(table: CsvTable): Generator<readonly SqliteCell[]> {
  for (const row of readCsvRows(table)) yield zip(row, table.kinds).map(([cell, kind]) => toCell(cell, kind));
}

/** A table for SQLite: integers and reals as such, all else as text, empty cells and marks of NULL as NULL. */
export function toSqliteTable(csv: CsvTable): SqliteTable {
  const columns = zip(csv.table.columns, csv.kinds).map(([{ originalName }, kind]) => ({
    name: originalName,
    declaration: kind === 'TIME' ? 'TEXT' : kind,
  }));
  return { name: csv.table.originalName, columns, rows: toRows(csv) };
}

const isCsv = (name: string): boolean => /\.(?:csv|tsv)$/iu.test(name);

/** A table that can't be read, by its database and name. */
interface BrokenTable extends SkippedExample {
  readonly error: InputFormatError;
}

/** A folder's tables, and those of its files that are none. */
interface FolderTables {
  readonly tables: readonly CsvTable[];
  readonly broken: readonly BrokenTable[];
}

function readFolder(folder: string, names: readonly string[]): FolderTables {
  const [tables, broken]: [CsvTable[], BrokenTable[]] = [[], []];
  for (const name of names.filter(isCsv)) {
    try {
      tables.push(readCsvTable(join(folder, name)));
    } catch (error) {
      if (!(error instanceof InputFormatError)) throw error;
      const place = error.where.line === undefined ? name : `${name}:${error.where.line}`;
      broken.push({ id: `${basename(folder)}/${stemOf(name)}`, reason: error.message, place, error });
    }
  }
  checkNames(tables);
  return { tables, broken };
}

/** @throws InputFormatError where two tables of a folder have one name */
function checkNames(tables: readonly CsvTable[]): void {
  const seen = new Map<string, string>();
  for (const { file } of tables) {
    const key = foldName(stemOf(file));
    const other = seen.get(key);
    if (other !== undefined) {
      throw new InputFormatError(`two tables are called "${stemOf(file)}", the other is ${other}`, {
        where: { file },
        fix: 'Rename one of them.',
      });
    }
    seen.set(key, file);
  }
}

/** The names in a folder without hidden ones, such as the "._x.csv" that macOS leaves in archives. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort();
  } catch (cause) {
    throw new InputFormatError('this is no folder that can be read', {
      where: { file: folder },
      cause,
      fix: 'Give the folder with the CSV files, or with one folder per database.',
    });
  }
}

/** The databases of a folder, and the tables that can't be read. */
interface CsvFolder {
  readonly databases: ReadonlyMap<string, readonly CsvTable[]>;
  readonly skipped: readonly SkippedExample[];
}

function foldersBelow(folder: string, names: readonly string[]): readonly (readonly [string, FolderTables])[] {
  return names
    .filter((name) => isFolder(join(folder, name)))
    .map((name) => [name, readFolder(join(folder, name), listNames(join(folder, name)))] as const);
}

/**
 * The databases of a folder: one per sub-folder with CSV files, or the folder itself where the files lie in it. A file
 * that is no table is left out, and takes no other with it.
 * @throws InputFormatError when there is no table, both kinds of folders are mixed, or two tables have one name
 */
export function readCsvFolder(folder: string): CsvFolder {
  const names = listNames(folder);
  const own = readFolder(folder, names);
  const below = foldersBelow(folder, names);
  const filled = below.filter(([, { tables }]) => tables.length > 0);
  const isOne = own.tables.length > 0;
  if (isOne && filled.length > 0) {
    throw new InputFormatError('CSV files lie both in the folder and in sub-folders', {
      where: { file: folder },
      fix: 'Give one database’s folder, or put each database into a sub-folder of its own.',
    });
  }
  const broken = [own, ...below.map(([, one]) => one)].flatMap((one) => one.broken);
  if (!isOne && filled.length === 0) {
    if (broken[0] !== undefined) throw broken[0].error;
    throw new InputFormatError('no .csv or .tsv files in the folder or its sub-folders', {
      where: { file: folder },
      fix: 'Give the folder with the CSV files, or with one folder per database.',
    });
  }
  return {
    databases: new Map(isOne ? [[basename(folder), own.tables]] : filled.map(([id, { tables }]) => [id, tables])),
    skipped: broken.map(({ id, reason, place }) => ({ id, reason, ...(place === undefined ? {} : { place }) })),
  };
}
