import { z } from 'zod';
import { createReadTable, SAMPLE_ROWS, skipTable, type CorpusEntry } from './corpus-reader.js';

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

/** True for the shape that tells a WDC table from our own records: it has a `relation`. */
export function isWdcRecord(value: object): boolean {
  return 'relation' in value;
}

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
export function parseWdcRecord(value: unknown, where: string): CorpusEntry {
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
