import type { ColumnType } from '../schema/schema.js';
import type { CorpusTable } from '../stage.js';
import { cleanText, cleanTitle, naturalHeaders } from '../schema/natural-name.js';

const NUMBER = /^[-+−]?\s?[$€£¥]?\s?\d[\d,. ]*\s?(?:%|[kmb]n?)?$/iu;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const TIME = new RegExp(
  [
    '^\\d{4}-\\d{1,2}-\\d{1,2}(?:[T ].*)?$',
    '^\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}$',
    '^\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?\\s?(?:am|pm)?$',
    `^${MONTH} \\d{1,2}(?:\\s?,? ?\\d{4})?$`,
    `^\\d{1,2} ${MONTH}(?:,? ?\\d{4})?$`,
    `^${MONTH} \\d{4}$`,
  ].join('|'),
  'iu',
);
const BOOLEAN = /^(?:true|false|yes|no|y|n)$/iu;

/**
 * Spider's type of a column, from its sample values: all of them must agree, else `text`. Years count as numbers, as
 * in 90 of the 106 year columns of Spider's own schemas; a column without values is `time` when its name says date.
 */
export function guessColumnType(name: string, values: readonly string[]): ColumnType {
  const filled = values.map((value) => value.trim()).filter((value) => value !== '');
  if (filled.length === 0) return /\b(?:date|datetime|timestamp)\b/u.test(name) ? 'time' : 'text';
  const agree = (pattern: RegExp): boolean => filled.every((value) => pattern.test(value));
  if (agree(BOOLEAN)) return 'boolean';
  if (agree(NUMBER)) return 'number';
  return agree(TIME) ? 'time' : 'text';
}

/** Sample rows that a corpus table keeps. */
export const SAMPLE_ROWS = 3;
const MAX_CELL_LENGTH = 80;

/** A table as it was read, before the corpus filter. */
export interface ReadTable {
  readonly kind: 'table';
  readonly table: CorpusTable;
  /** Language as the corpus states it ("en", "de"); null where it does not. */
  readonly language: string | null;
  /** File and record, for messages. */
  readonly where: string;
}

/** A record that gave no table, and why. */
export interface SkippedTable {
  readonly kind: 'skipped';
  /** A short fixed phrase; counts are kept per reason. */
  readonly reason: string;
  readonly where: string;
}

export type CorpusEntry = ReadTable | SkippedTable;

/** Reads the tables of a corpus one after another, in a fixed order; never more than one file's record in memory. */
export interface CorpusReader {
  /** File or folder name, for messages. */
  readonly name: string;
  read(signal: AbortSignal): AsyncIterable<CorpusEntry>;
}

/** A reader of what lies at a path; `name` is its file's or folder's, as ids and messages have it. */
export abstract class PathCorpusReader implements CorpusReader {
  readonly name: string;
  protected readonly path: string;

  constructor(path: string, name: string) {
    this.path = path;
    this.name = name;
  }

  abstract read(signal: AbortSignal): AsyncIterable<CorpusEntry>;
}

/** A table as a format gives it, before names, cells and types are brought into the corpus form. */
export interface RawTable {
  readonly id: string;
  readonly title: string;
  readonly headers: readonly string[];
  readonly types?: readonly ColumnType[] | undefined;
  /** Cells by row; short rows are filled up with empty cells, cells beyond the header are dropped. */
  readonly rows: readonly (readonly string[])[];
  readonly language?: string | null;
}

/** Brings a table into the corpus form: natural names, three sample rows of bounded cells, guessed types. */
export function createReadTable(raw: RawTable, where: string): ReadTable {
  const columns = naturalHeaders(raw.headers);
  const rows = raw.rows
    .slice(0, SAMPLE_ROWS)
    .map((row) => columns.map((_, column) => cleanText(row[column] ?? '').slice(0, MAX_CELL_LENGTH)));
  const types =
    raw.types ??
    columns.map((name, column) =>
      guessColumnType(
        name,
        rows.map((row) => row[column] ?? ''),
      ),
    );
  const table = { id: raw.id, title: cleanTitle(raw.title), columns, types, rows };
  return { kind: 'table', table, language: raw.language ?? null, where };
}

/** A record without a table. */
export function skipTable(reason: string, where: string): SkippedTable {
  return { kind: 'skipped', reason, where };
}
