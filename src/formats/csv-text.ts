import { CsvError, parse, type Options } from 'csv-parse/sync';
import { InputFormatError } from '../errors.js';

/** How a CSV text is written; WikiTableQuestions escapes with a backslash where RFC 4180 doubles the quote. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly escape: '"' | '\\';
  readonly newline: '\n' | '\r\n' | '\r';
}

export const CSV: CsvDialect = { delimiter: ',', escape: '"', newline: '\n' };

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Records that a delimiter is judged by. */
const SNIFFED = 20;

interface CsvShape {
  readonly fit: number;
  readonly width: number;
}

/** Where the characters of line ends stand outside quotes, from the first on. */
function* lineEnds(text: string, escape: CsvDialect['escape']): Generator<number> {
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (isQuoted && char === '\\' && escape === '\\') i++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '\n' || char === '\r')) yield i;
  }
}

/**
 * Returns the line ends between the records of a text. Files that were put together mix `\n` and `\r\n`, so both do; a
 * carriage return alone only if the first line ends so, as old spreadsheets of the Macintosh write.
 */
function recordEnds(text: string, escape: CsvDialect['escape']): ('\n' | '\r\n' | '\r')[] {
  const first = lineEnds(text, escape).next();
  const isAlone = first.done !== true && text[first.value] === '\r' && text[first.value + 1] !== '\n';
  return isAlone ? ['\r'] : ['\r\n', '\n'];
}

/** How many of the first records have as many cells as the header, and how many that is. */
function shapeUnder(text: string, delimiter: string): CsvShape {
  try {
    const recordDelimiter = recordEnds(text, '"');
    const options: Options = { delimiter, recordDelimiter, bom: true, relaxColumnCount: true, skipEmptyLines: true };
    const rows = parse(text, { ...options, to: SNIFFED });
    const width = rows[0]?.length ?? 0;
    return { width, fit: width < 2 ? 0 : rows.filter((row) => row.length === width).length / rows.length };
  } catch (error) {
    if (error instanceof CsvError) return { fit: 0, width: 0 };
    throw error;
  }
}

/** The delimiter under which most of the first records have the header's width; the widest where several do. */
function sniffDelimiter(text: string): string {
  const shapes = DELIMITERS.map((delimiter) => ({ delimiter, ...shapeUnder(text, delimiter) }));
  return shapes.reduce((best, one) =>
    one.fit > best.fit || (one.fit === best.fit && one.width > best.width) ? one : best,
  ).delimiter;
}

/** The dialect of a CSV text; `.tsv` files are taken as they are called. */
export function sniffCsvDialect(text: string, file: string): CsvDialect {
  return {
    delimiter: /\.tsv$/iu.test(file) ? '\t' : sniffDelimiter(text),
    escape: '"',
    newline: recordEnds(text, '"').find((end) => text.includes(end)) ?? '\n',
  };
}

function csvFault(error: CsvError, file: string): InputFormatError {
  const line = typeof error['lines'] === 'number' ? { line: error['lines'] } : {};
  return new InputFormatError('this is not CSV with one record per row', {
    where: { file, ...line },
    cause: error,
    fix: 'Quote cells that hold the delimiter, a quote or a line break, and give each row at most the header’s cells.',
  });
}

/**
 * The records of a CSV text, the header first. Empty lines are left out; a record with fewer cells than the header is
 * filled up with empty ones.
 * @throws InputFormatError when quoting is broken or a record has more cells than the header
 */
export function parseCsv(text: string, file: string, dialect: CsvDialect): readonly (readonly string[])[] {
  const { delimiter, escape } = dialect;
  try {
    const recordDelimiter = recordEnds(text, escape);
    const options: Options = { delimiter, escape, recordDelimiter, bom: true, skipEmptyLines: true };
    const rows = parse(text, { ...options, relaxColumnCountLess: true });
    const width = rows[0]?.length ?? 0;
    return rows.map((row) => (row.length < width ? [...row, ...Array<string>(width - row.length).fill('')] : row));
  } catch (error) {
    throw error instanceof CsvError ? csvFault(error, file) : error;
  }
}

/** A cell as it is written: in quotes where it must be; `alone` says that it is its record's only one. */
export function renderCsvCell(cell: string, { delimiter, escape }: CsvDialect, alone = false): string {
  if (escape === '\\') return `"${cell.replace(/["\\]/gu, '\\$&')}"`;
  // An empty line is no record, so the one empty cell of a record is quoted.
  const plain = cell === '' ? !alone : !cell.includes(delimiter) && !/["\r\n]|^\s|\s$/u.test(cell);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}

/** A record as a line, with its line end. */
export function renderCsvRecord(cells: readonly string[], dialect: CsvDialect): string {
  const texts = cells.map((cell) => renderCsvCell(cell, dialect, cells.length === 1));
  return `${texts.join(dialect.delimiter)}${dialect.newline}`;
}

/** Where a text begins after its header record; needs the text to be CSV. */
export function headerEnd(text: string, { escape }: CsvDialect): number {
  const last = recordEnds(text, escape).at(-1);
  for (const at of lineEnds(text, escape)) {
    // A line of white space is a record, one of nothing else than its end is none.
    if (text[at] === last && /[^\uFEFF\r\n]/u.test(text.slice(0, at))) return at + 1;
  }
  return text.length;
}

/**
 * A cell that comes from elsewhere than the user's own files, so that no spreadsheet runs it: a text that begins like
 * a formula gets an apostrophe in front. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function guardFormula(cell: string): string {
  const isFormula = /^[=+\-@\t\r]/u.test(cell) && !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(cell);
  return isFormula ? `'${cell}` : cell;
}
