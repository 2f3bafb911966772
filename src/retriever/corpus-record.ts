import { z } from 'zod';
import { COLUMN_TYPES } from '../schema/schema.js';
import { createReadTable, skipTable, type CorpusEntry } from './corpus-reader.js';
import { isWdcRecord, parseWdcRecord } from './wdc-record.js';

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
export function parseCorpusRecord(value: unknown, where: string): CorpusEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return skipTable('malformed record', where);
  return isWdcRecord(value) ? parseWdcRecord(value, where) : parseCompact(value, where);
}

/** The JSON value in a text, or undefined where it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** All tables of a JSON text: one object, an array of objects, or an object a line. `where` names the text. */
export function* parseCorpusText(text: string, where: string): Generator<CorpusEntry> {
  const whole = tryParseJson(text);
  if (Array.isArray(whole)) {
    for (const [position, value] of whole.entries()) yield parseCorpusRecord(value, `${where}#${position + 1}`);
    return;
  }
  if (whole !== undefined) {
    yield parseCorpusRecord(whole, where);
    return;
  }
  for (const [position, line] of text.split('\n').entries()) {
    if (line.trim() !== '') yield parseCorpusRecord(tryParseJson(line), `${where}:${position + 1}`);
  }
}
