import { isUtf8 } from 'node:buffer';
import type { Column, ColumnType, Table } from '../../schema/schema.js';
import { applyEdits, sortEdits, type SqlEdit } from '../../sql/edits.js';
import { CSV, renderCsvCell } from '../csv-text.js';
import type { TracedColumn } from '../output-set.js';
import { itemAt, mustGet } from '../../present.js';

/** BIRD's words for the types of added columns. */
const WORDS: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  number: 'real',
  time: 'date',
  boolean: 'integer',
  others: 'text',
};

/** BIRD's word for a column type. */
export function birdTypeName(type: ColumnType): string {
  return WORDS[type];
}

/** A field of a CSV text: its span with its quotes, and what it says. */
interface CsvField {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A record of a CSV text: its span without the line end, and its fields. */
interface CsvRecord {
  readonly start: number;
  readonly end: number;
  readonly fields: readonly CsvField[];
}

// A field in quotes (what follows them up to the comma belongs to it) or a bare one, then what ends it. An unclosed quote
// is a character like others.
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"([^,\r\n]*)|([^,\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * The records of a text of comma-separated values with the places of their fields; blank lines and a byte order mark
 * are none.
 */
export function parseCsvSpans(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let fields: CsvField[] = [];
  FIELD.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (FIELD.lastIndex < text.length || fields.length > 0) {
    const start = FIELD.lastIndex;
    const [whole, quoted = '', rest = '', bare, ending = ''] = mustGet(FIELD.exec(text), 'FIELD.exec(text)');
    const end = start + whole.length - ending.length;
    const value = bare ?? `${quoted.replaceAll('""', '"')}${rest}`;
    fields.push({ start, end, value });
    if (ending === ',') continue;
    const [first, ...others] = fields;
    if (first !== undefined && (others.length > 0 || value.trim() !== ''))
      records.push({ start: first.start, end, fields });
    fields = [];
  }
  return records;
}

/**
 * Characters of the bytes 0x80 to 0x9f; the others are Latin-1's.
 * https://encoding.spec.whatwg.org/index-windows-1252.txt
 */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const BYTES: ReadonlyMap<string, number> = new Map([...HIGH].map((character, index) => [character, 0x80 + index]));

/** The text of bytes in Windows-1252; every byte is a character, so that `encodeWindows1252` gives the bytes back. */
export function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (character) => HIGH.charAt(character.charCodeAt(0) - 0x80));
}

/** The bytes of a text in Windows-1252; null where it holds a character that the encoding lacks. */
export function encodeWindows1252(text: string): Buffer | null {
  const bytes = Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = BYTES.get(text.charAt(i)) ?? text.charCodeAt(i);
    if (byte > 0xff) return null;
    bytes[i] = byte;
  }
  return bytes;
}

type ChangedColumn = Pick<TracedColumn, 'column' | 'from'>;

/** A table before and after a perturbation. */
export interface ChangedTable {
  readonly original: Table;
  readonly columns: readonly ChangedColumn[];
  /** Follows the changes in a text that describes the table. */
  readonly follow: (text: string) => string;
}

/** A description after a perturbation. */
export interface ChangedDescription {
  readonly bytes: Buffer;
  /** In order of position; offsets are into the original's text. */
  readonly edits: readonly SqlEdit[];
}

interface Layout {
  readonly records: readonly CsvRecord[];
  readonly width: number;
  readonly identifier: number;
  readonly name: number;
  readonly format: number;
}

const fold = (text: string): string => text.trim().toLowerCase();

/** Where the columns of a description stand; null for a file that is no such table. */
function layoutOf(text: string): Layout | null {
  const [header, ...records] = parseCsvSpans(text);
  // A byte order mark as the bytes of a file that is not all UTF-8.
  const titles = (header?.fields ?? []).map(({ value }) => fold(value.replace(/^ï»¿/, '')));
  const identifier = titles.indexOf('original_column_name');
  const [name, format] = [titles.indexOf('column_name'), titles.indexOf('data_format')];
  return identifier < 0 ? null : { records, width: titles.length, identifier, name, format };
}

function renderRow(column: Column, { width, identifier, name, format }: Layout): string {
  const fields = Array.from({ length: width }, () => '');
  if (name >= 0) fields[name] = column.name;
  if (format >= 0) fields[format] = birdTypeName(column.type);
  fields[identifier] = column.originalName;
  return fields.map((field) => renderCsvCell(field, CSV)).join(',');
}

/** Edits of one description file; offsets are into its text. */
class DescriptionEditor {
  readonly #edits: SqlEdit[] = [];
  readonly #text: string;
  readonly #layout: Layout;
  readonly #change: ChangedTable;
  readonly #lineEnd: string;

  constructor(text: string, layout: Layout, change: ChangedTable) {
    [this.#text, this.#layout, this.#change] = [text, layout, change];
    this.#lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  }

  run(): readonly SqlEdit[] {
    for (const traced of this.#change.columns) {
      if (traced.from === null) this.#add(traced);
      else this.#rename(traced.from, traced.column);
    }
    const gone = this.#goneRows();
    for (const row of this.#layout.records) {
      if (gone.has(row)) this.#remove(row);
      else this.#follow(row);
    }
    return sortEdits(this.#edits);
  }

  /** The rows of columns that the table has no longer. */
  #goneRows(): ReadonlySet<CsvRecord> {
    const kept = new Set(this.#change.columns.map(({ from }) => from));
    return new Set(
      this.#change.original.columns.flatMap((column) => (kept.has(column) ? [] : (this.#rowOf(column) ?? []))),
    );
  }

  #remove({ start, end }: CsvRecord): void {
    const lineEnd = /^(?:\r\n|\r|\n)/.exec(this.#text.slice(end, end + 2))?.[0] ?? '';
    const until = end + lineEnd.length;
    this.#edits.push({ start, end: until, before: this.#text.slice(start, until), after: '' });
  }

  /** The cells that describe a column may speak of others. */
  #follow(row: CsvRecord): void {
    const { identifier, name } = this.#layout;
    row.fields.forEach(({ value }, index) => {
      if (index === identifier || index === name) return;
      const followed = this.#change.follow(value);
      if (followed !== value) this.#replace(row, index, followed);
    });
  }

  #rowOf(column: Column): CsvRecord | undefined {
    const { records, identifier } = this.#layout;
    return records.find(({ fields }) => fold(fields[identifier]?.value ?? '') === fold(column.originalName));
  }

  #rename(before: Column, after: Column): void {
    if (before.originalName === after.originalName) return;
    const row = this.#rowOf(before);
    if (row === undefined) return;
    this.#replace(row, this.#layout.identifier, after.originalName);
    if ((row.fields[this.#layout.name]?.value ?? '').trim() !== '') this.#replace(row, this.#layout.name, after.name);
  }

  #replace({ fields }: CsvRecord, index: number, value: string): void {
    const { start, end } = itemAt(fields, index);
    this.#edits.push({ start, end, before: this.#text.slice(start, end), after: renderCsvCell(value, CSV) });
  }

  /** Adds a row where the column is: before the row of the next column that has one, else last. */
  #add(added: ChangedColumn): void {
    const { columns } = this.#change;
    const row = renderRow(added.column, this.#layout);
    const following = columns.slice(columns.indexOf(added) + 1);
    const [next] = following.flatMap(({ from }) => (from === null ? [] : (this.#rowOf(from) ?? [])));
    if (next !== undefined) this.#insert(next.start, `${row}${this.#lineEnd}`);
    else this.#insert(this.#lastKept()?.end ?? this.#text.trimEnd().length, `${this.#lineEnd}${row}`);
  }

  #lastKept(): CsvRecord | undefined {
    const gone = this.#goneRows();
    return this.#layout.records.findLast((row) => !gone.has(row));
  }

  #insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, before: '', after: text });
  }
}

/**
 * A table's description (`database_description/<table>.csv`) after a perturbation: rows of renamed columns get the new
 * identifier and name, added columns get a row, those of columns that are gone go, and mentions of renamed columns in
 * the other cells follow. All other bytes stay, in UTF-8 or Windows-1252 as they were; a file in Windows-1252 becomes
 * UTF-8 where a new name needs it. A file without `original_column_name` stays as it is.
 */
export function changeDescription(bytes: Buffer, change: ChangedTable): ChangedDescription {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : decodeWindows1252(bytes);
  const layout = layoutOf(text);
  const edits = layout === null ? [] : new DescriptionEditor(text, layout, change).run();
  if (edits.length === 0) return { bytes, edits };
  const changed = applyEdits(text, edits);
  return { bytes: (isUtf8(bytes) ? null : encodeWindows1252(changed)) ?? Buffer.from(changed), edits };
}
