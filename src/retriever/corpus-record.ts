import { jsonIn } from '../json-in.js';
import { pipeline } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { extract } from 'tar-stream';
import { type CorpusEntry, createReadTable, PathCorpusReader, SAMPLE_ROWS, skipTable } from './corpus-reader.js';
import { COLUMN_TYPES } from '../schema/schema.js';
import { decodeText, MAX_RECORD_BYTES, openBytes, readBounded, readLines } from './text-stream.js';

const text = z.string().nullish();

/** A table of the WDC Web Table Corpus 2015 (Lehmberg et al. 2016), the fields that are used. */
const wdcSchema = z.looseObject({
  relation: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  pageTitle: text,
  title: text,
  url: text,
  hasHeader: z.boolean().nullish(),
  headerPosition: text,
  headerRowIndex: z.number().int().nullish(),
  tableType: text,
  tableOrientation: text,
  language: text,
});
type WdcRecord = z.infer<typeof wdcSchema>;

type Cells = readonly (readonly string[])[];

function transpose(cells: Cells): Cells {
  const width = cells.reduce((widest, line) => Math.max(widest, line.length), 0);
  return Array.from({ length: width }, (_, position) => cells.map((line) => line[position] ?? ''));
}

function rejection(record: WdcRecord): string | null {
  const type = record.tableType?.toUpperCase();
  if (type !== undefined && type !== 'RELATION') return `${type.toLowerCase()} table, not relational`;
  const position = record.headerPosition?.toUpperCase();
  if (record.hasHeader === false || position === 'NONE') return 'no header';
  return position === 'MIXED' ? 'mixed header' : null;
}

/**
 * The table's attributes as lists of cells. `relation` holds them directly; only where the page laid the records out
 * side by side (VERTICAL, header in the first column) it must be turned.
 */
function attributes(record: WdcRecord): Cells {
  const cells = record.relation.map((line) => line.map((cell) => (cell === null ? '' : String(cell))));
  const orientation = record.tableOrientation?.toUpperCase();
  const isTurned = orientation === 'VERTICAL' || record.headerPosition?.toUpperCase() === 'FIRST_COLUMN';
  return isTurned ? transpose(cells) : cells;
}

function titleOf(record: WdcRecord): string {
  const caption = record.title?.trim() ?? '';
  const page = record.pageTitle?.trim() ?? '';
  if (caption === '' || page.toLowerCase().includes(caption.toLowerCase())) return page;
  return page === '' ? caption : `${caption} - ${page}`;
}

/** Reads one WDC table; `relation` is stored by column, the header cell at `headerRowIndex` (0 where not given). */
function parseWdcRecord(value: unknown, where: string): CorpusEntry {
  const parsed = wdcSchema.safeParse(value);
  if (!parsed.success) return skipTable('malformed WDC record', where);
  const record = parsed.data;
  const reason = rejection(record);
  if (reason !== null) return skipTable(reason, where);
  const columns = attributes(record);
  const header = Math.max(0, record.headerRowIndex ?? 0);
  if (columns.length === 0 || columns.every((cells) => cells[header] === undefined))
    return skipTable('no header', where);
  return createReadTable(
    {
      id: where,
      title: titleOf(record),
      headers: columns.map((cells) => cells[header] ?? ''),
      rows: transpose(columns.map((cells) => cells.slice(header + 1, header + 1 + SAMPLE_ROWS))),
      language: record.language ?? null,
    },
    where,
  );
}

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Our compact form of a corpus table, one JSON object a line; other fields are ignored. */
const compactSchema = z
  .looseObject({
    id: z.union([z.string().min(1), z.number()]).optional(),
    title: z.string().optional(),
    columns: z.array(z.string()),
    types: z.array(z.enum(COLUMN_TYPES)).optional(),
    rows: z.array(z.array(cell)).optional(),
    language: z.string().nullish(),
  })
  .refine((table) => table.types === undefined || table.types.length === table.columns.length);

function parseCompact(value: unknown, where: string): CorpusEntry {
  const parsed = compactSchema.safeParse(value);
  if (!parsed.success) return skipTable('malformed record', where);
  const { id, title, columns, types, rows, language } = parsed.data;
  const cells = (rows ?? []).map((row) => row.map((item) => (item === null ? '' : String(item))));
  const raw = { id: id === undefined ? where : String(id), title: title ?? '', headers: columns, types, rows: cells };
  return createReadTable({ ...raw, language: language ?? null }, where);
}

/** Reads one parsed JSON value as a corpus table: WDC where it has a `relation`, else our compact form. */
function parseCorpusRecord(value: unknown, where: string): CorpusEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return skipTable('malformed record', where);
  // A table of WDC has a relation, a record of our own has none.
  return 'relation' in value ? parseWdcRecord(value, where) : parseCompact(value, where);
}

/** All tables of a JSON text: one object, an array of objects, or an object a line. `where` names the text. */
function* parseCorpusText(text: string, where: string): Generator<CorpusEntry> {
  const whole = jsonIn(text);
  if (Array.isArray(whole)) {
    for (const [position, value] of whole.entries()) yield parseCorpusRecord(value, `${where}#${position + 1}`);
    return;
  }
  if (whole !== undefined) {
    yield parseCorpusRecord(whole, where);
    return;
  }
  for (const [position, line] of text.split('\n').entries()) {
    if (line.trim() !== '') yield parseCorpusRecord(jsonIn(line), `${where}:${position + 1}`);
  }
}

/**
 * Reads JSON files: one table a line (.jsonl, .ndjson), or one table, an array or a table a line (.json); each plain or .gz.
 * A record is our compact form `{id, title, columns, types?, rows?}`, with `types` guessed where missing, or a WDC table.
 */
export class JsonCorpusReader extends PathCorpusReader {
  read(signal: AbortSignal): AsyncIterable<CorpusEntry> {
    return /\.json(?:\.gz)?$/iu.test(this.path) ? this.#readWhole(signal) : this.#readLines(signal);
  }

  async *#readLines(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    let number = 0;
    for await (const line of readLines(openBytes(this.path))) {
      signal.throwIfAborted();
      number++;
      const where = `${this.name}:${number}`;
      if (line === null) yield skipTable('record over 64 MB', where);
      else if (line.trim() !== '') yield parseCorpusRecord(jsonIn(line), where);
    }
  }

  async *#readWhole(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    const bytes = await readBounded(openBytes(this.path));
    signal.throwIfAborted();
    // A .json file this large can only be a table a line, the form of the corpus's own larger parts.
    if (bytes === null) yield* this.#readLines(signal);
    else yield* parseCorpusText(decodeText(bytes), this.name);
  }
}

function unzip(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_RECORD_BYTES });
  } catch {
    return null;
  }
}

/** Reads the JSON files in a .tar, .tar.gz or .tgz archive, the form in which the WDC Web Table Corpus 2015 is published. */
export class TarCorpusReader extends PathCorpusReader {
  async *read(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    const archive = extract();
    pipeline(openBytes(this.path), archive, () => undefined);
    for await (const entry of archive) {
      signal.throwIfAborted();
      const { name, type } = entry.header;
      const where = `${this.name}/${name.replace(/^\.\//u, '')}`;
      const bytes = await readBounded(entry as AsyncIterable<Uint8Array>);
      if (type !== 'file') continue;
      if (/\.(?:jsonl?|ndjson)(?:\.gz)?$/iu.test(name)) yield* this.#readEntry(bytes, where);
      else yield skipTable('unknown kind of file in an archive', where);
    }
  }

  *#readEntry(bytes: Buffer | null, where: string): Generator<CorpusEntry> {
    if (bytes === null) {
      yield skipTable('record over 64 MB', where);
      return;
    }
    const plain = /\.gz$/iu.test(where) ? unzip(bytes) : bytes;
    if (plain === null) {
      yield skipTable('unreadable file', where);
      return;
    }
    yield* parseCorpusText(decodeText(plain), where);
  }
}
