import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { CSV, type CsvDialect, parseCsv } from '../csv-text.js';
import { checkRecord, loadText, parseJson } from '../json-file.js';
import { itemAt } from '../../present.js';

/** A token of SQL: type, text, and for a literal its span in the question's tokens. */
const tokenSchema = z.tuple([z.string(), z.string(), z.array(z.int())]);

const columnSchema = z.tuple([z.string(), z.array(z.string()), z.array(z.string()), z.string()]).rest(z.unknown());

/** A question of SQUALL's data; fields that perturbql does not know are carried along. */
export const squallRecordSchema = z.looseObject({
  nt: z.string().min(1),
  // It becomes part of file names.
  tbl: z.string().regex(/^\w[\w.-]*$/u),
  columns: z.array(columnSchema),
  nl: z.array(z.string()),
  sql: z.array(tokenSchema).optional(),
  columns_innl: z.array(z.boolean()).optional(),
  nl_incolumns: z.array(z.boolean()).optional(),
  nl_ralign: z.array(z.array(z.unknown())).optional(),
});

export type SquallRecord = z.infer<typeof squallRecordSchema>;
export type SquallToken = z.infer<typeof tokenSchema>;
/** Header, its tokens, suffixes of derived columns, SQUALL's word for the type, and in the release a sample cell. */
export type SquallColumn = SquallRecord['columns'][number];

/** The column that one is derived from and how: "c3_number" → 3, "_number"; null for `id` and `agg`. */
export function splitSquallName(name: string): { readonly number: number; readonly suffix: string } | null {
  const match = /^c(\d+)(_.*)?$/u.exec(name);
  return match === null ? null : { number: Number(match[1]), suffix: match[2] ?? '' };
}

export type SquallCell = string | number | boolean | null;

const isCell = (cell: unknown): boolean => cell === null || ['string', 'number', 'boolean'].includes(typeof cell);

// By hand: a table has thousands of cells, and zod takes its time for each.
const dataSchema = z.custom<readonly (SquallCell | readonly SquallCell[])[]>(
  (data) => Array.isArray(data) && data.flat().every(isCell),
  'a list of texts, numbers and null is expected',
);

const fieldSchema = z.looseObject({ col: z.string().min(1), type: z.string(), data: dataSchema });

/** A file of SQUALL's `tables/json`. */
const tableSchema = z.looseObject({
  headers: z.array(z.string()),
  types: z.array(z.string()),
  contents: z.array(z.array(fieldSchema).min(1)),
  is_list: z.record(z.string(), z.boolean()).optional(),
});

export type SquallTableRecord = z.infer<typeof tableSchema>;
/** A column as SQUALL names it, "c3" or "c3_number", with a cell per row; of a list column a list per row. */
export type SquallField = z.infer<typeof fieldSchema>;

/** Where a table lies: SQUALL's JSON, or WikiTableQuestions' CSV, which lacks the derived columns. */
export interface SquallTableFile {
  readonly file: string;
  readonly kind: 'json' | 'csv';
}

/** WikiTableQuestions escapes quotes and backslashes with a backslash and quotes every cell. */
export const WTQ_CSV: CsvDialect = { ...CSV, escape: '\\' };

/** Path of a table in WikiTableQuestions' folder of CSV files: "204_590" → "204-csv/590.csv". */
export function wtqPath(tbl: string): string {
  const at = tbl.indexOf('_');
  return at < 0 ? `${tbl}.csv` : `${tbl.slice(0, at)}-csv/${tbl.slice(at + 1)}.csv`;
}

/** Finds a table below SQUALL's `tables` or `tables/json`, or WikiTableQuestions' folder or its `csv`. */
export function findSquallTable(folder: string, tbl: string): SquallTableFile {
  const places: readonly SquallTableFile[] = ['', 'json', 'tables/json', 'csv'].flatMap((below) => [
    { file: join(folder, below, `${tbl}.json`), kind: 'json' as const },
    { file: join(folder, below, wtqPath(tbl)), kind: 'csv' as const },
  ]);
  const found = places.find(({ file }) => existsSync(file));
  if (found !== undefined) return found;
  throw new InputFormatError(`neither ${tbl}.json nor ${wtqPath(tbl)} is below the folder of tables`, {
    where: { file: folder, id: tbl },
    fix: 'Give SQUALL’s tables/json or WikiTableQuestions’ csv folder as --tables.',
  });
}

const FIX = 'Take the table from SQUALL’s own release.';

function checkTable(record: SquallTableRecord, file: string): void {
  const fail = (message: string): never => {
    throw new InputFormatError(message, { where: { file }, fix: FIX });
  };
  const { headers, types, contents } = record;
  if (headers.length !== contents.length || types.length !== contents.length) {
    fail('headers, types and contents differ in length');
  }
  const [[id] = [], [agg] = []] = contents;
  if (id?.col !== 'id' || agg?.col !== 'agg') fail('the first two columns are not id and agg');
  contents.slice(2).forEach((fields, i) => {
    const wrong = fields.find(({ col }, f) => (f === 0 ? col !== `c${i + 1}` : !col.startsWith(`c${i + 1}_`)));
    if (wrong !== undefined) fail(`column "${wrong.col}" is where c${i + 1} is expected`);
  });
  const rows = id?.data.length ?? 0;
  const ragged = contents.flat().find(({ data }) => data.length !== rows);
  if (ragged !== undefined) fail(`column "${ragged.col}" has ${ragged.data.length} cells, id has ${rows}`);
}

/** WikiTableQuestions' table in the form of SQUALL's: cells in lower case as there, `id`, `agg`, no derived columns. */
function fromCsv(text: string, file: string): SquallTableRecord {
  const [headers = [], ...rows] = parseCsv(text, file, WTQ_CSV);
  const texts = (column: number): (string | null)[] =>
    rows.map((row) => itemAt(row, column).trim().toLowerCase() || null);
  return {
    headers: ['id', 'agg', ...headers.map((header) => header.toLowerCase())],
    types: ['id', 'agg', ...headers.map(() => 'text')],
    contents: [
      [{ col: 'id', type: 'INTEGER', data: rows.map((_, i) => i + 1) }],
      [{ col: 'agg', type: 'INTEGER', data: rows.map(() => 0) }],
      ...headers.map((_, c) => [{ col: `c${c + 1}`, type: 'TEXT', data: texts(c) }]),
    ],
  };
}

/**
 * Reads a table in either form.
 * @throws InputFormatError when it is not what SQUALL or WikiTableQuestions write
 */
export function readSquallTable({ file, kind }: SquallTableFile): SquallTableRecord {
  const text = loadText(file);
  if (kind === 'csv') return fromCsv(text, file);
  const json = parseJson(text, file);
  checkTable(checkRecord(tableSchema, json, { file, id: 'table' }, FIX), file);
  // As it is in the file: zod's copy has its own order of fields.
  return json as SquallTableRecord;
}

/** Checks whether a column holds a list per row; such a column is a table of its own. */
export function isListField({ type }: SquallField): boolean {
  return type.startsWith('LIST');
}
