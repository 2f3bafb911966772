import { itemAt, mustGet } from '../../present.js';

/** A field of a CSV text: its span with its quotes, and what it says. */
interface CsvField {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A record of a CSV text: its span without the line end, and its fields. */
export interface CsvRecord {
  readonly start: number;
  readonly end: number;
  readonly fields: readonly CsvField[];
}

// A field in quotes (what follows them up to the comma belongs to it) or a bare one, then what ends it. An unclosed quote
// is a character like others.
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"([^,\r\n]*)|([^,\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * The records of a text of comma-separated values with the places of their fields; blank lines and a byte order mark are
 * none.
 */
export function parseCsvSpans(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let fields: CsvField[] = [];
  FIELD.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (FIELD.lastIndex < text.length || fields.length > 0) {
    const start = FIELD.lastIndex;
    const [whole, quoted, rest, bare, ending] = mustGet(FIELD.exec(text), 'FIELD.exec(text)');
    const end = start + whole.length - mustGet(ending, 'ending').length;
    const value = bare ?? `${mustGet(quoted, 'quoted').replaceAll('""', '"')}${rest}`;
    fields.push({ start, end, value });
    if (ending === ',') continue;
    if (fields.length > 1 || value.trim() !== '') records.push({ start: itemAt(fields, 0).start, end, fields });
    fields = [];
  }
  return records;
}
