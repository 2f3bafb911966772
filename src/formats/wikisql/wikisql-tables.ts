import { basename } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { spacedName } from '../../schema/name-identity.js';
import { elementAt, present } from '../../present.js';
import { cleanText, cleanTitle, naturalHeaders } from '../../schema/natural-name.js';
import type { Database, Table } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import { checkRecord, parseJson } from '../json-file.js';
import { readTextLine, readTextLines, type TextLine } from '../text-lines.js';
import { uniqueNames } from '../unique-names.js';

/** A cell as the file writes it. */
export type WikiSqlCell = string | number | null;

const recordSchema = z.looseObject({
  // The id is the name of files and folders.
  id: z.string().regex(/^(?!\.+$)[^/\\\0]+$/, 'an id without slashes is expected'),
  header: z.array(z.string()).min(1),
  types: z.array(z.enum(['text', 'real'])),
  // Cells are checked without zod: there are millions.
  rows: z.array(z.custom<readonly WikiSqlCell[]>()),
  page_title: z.string().nullish(),
  caption: z.string().nullish(),
  section_title: z.string().nullish(),
});

/** One line of `<split>.tables.jsonl`; fields that perturbql does not know are carried along. */
export type WikiSqlTable = z.infer<typeof recordSchema>;

/** Longest identifier made of a title, in characters. */
const MAX_TABLE_NAME = 60;
const FIX = 'Mend the line, or take the file from WikiSQL’s own release.';

function isRow(row: unknown, width: number): boolean {
  const isCell = (cell: unknown): boolean => typeof cell === 'string' || typeof cell === 'number' || cell === null;
  return Array.isArray(row) && row.length === width && row.every(isCell);
}

function checkTable(record: z.infer<typeof recordSchema>, where: { file: string; line: number; id: string }): void {
  const { header, types, rows } = record;
  const odd = rows.findIndex((row) => !isRow(row, header.length));
  const shape = types.length === header.length ? null : 'header and types differ in length';
  const fault = odd < 0 ? shape : `row ${odd} does not have ${header.length} cells of text or numbers`;
  if (fault !== null) throw new InputFormatError(fault, { where, fix: FIX });
}

function parseTable({ text, line }: TextLine, file: string): WikiSqlTable {
  const where = { file, line, id: 'table' };
  const json = parseJson(text, file, line);
  const record = checkRecord(recordSchema, json, where, FIX);
  checkTable(record, { ...where, id: record.id });
  return json as WikiSqlTable;
}

function titleOf({ page_title, caption, section_title }: WikiSqlTable): string {
  return [page_title, caption, section_title].map((title) => cleanTitle(title ?? '')).find((one) => one !== '') ?? '';
}

/** A title as a bare identifier as far as it goes: "List of Łódź mayors (1919–39)" → "List_of_odz_mayors_1919_39". */
function titleIdentifier(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const joined = words.join('_');
  const short = joined.length > MAX_TABLE_NAME ? joined.slice(0, MAX_TABLE_NAME + 1).replace(/_?[^_]*$/, '') : joined;
  return short === '' ? joined.slice(0, MAX_TABLE_NAME) : short;
}

/** The name of a table in WikiSQL's `.db`. */
export function wikiSqlTableName(id: string): string {
  return id.startsWith('table') ? id : `table_${id.replaceAll('-', '_')}`;
}

function tableIdentifier(record: WikiSqlTable, title: string): string {
  const named = titleIdentifier(title);
  // SQLite keeps names that begin so for itself.
  if (/[A-Za-z]/.test(named) && !/^sqlite_/i.test(named)) return named;
  return wikiSqlTableName(record.id);
}

/**
 * The one table of a WikiSQL record: called after its page title, caption or section title, else "table_…" by its id;
 * identifiers of columns are the headers, made distinct and not blank.
 */
export function toTable(record: WikiSqlTable): Table {
  const title = titleOf(record);
  const identifiers = uniqueNames(record.header.map(cleanText));
  const names = uniqueNames(naturalHeaders(identifiers)).map(spacedName);
  return {
    name: title === '' ? 'table' : spacedName(title),
    originalName: tableIdentifier(record, title),
    columns: identifiers.map((originalName, c) => ({
      name: elementAt(names, c),
      originalName,
      type: record.types[c] === 'real' ? 'number' : 'text',
    })),
  };
}

/** The tables of a split, each a database of its own; cells stay in the file until they are asked for. */
export interface WikiSqlTables {
  /** Name of the file, "dev.tables.jsonl". */
  readonly name: string;
  readonly databases: ReadonlyMap<string, Database>;
  /** The line of a table as the file writes it. */
  text(id: string): string;
  table(id: string): WikiSqlTable;
}

/**
 * Loads `<split>.tables.jsonl`.
 * @throws InputFormatError naming the line that is not a table of WikiSQL or repeats an id, or when there is no table
 */
export function loadWikiSqlTables(file: string): WikiSqlTables {
  const databases = new Map<string, Database>();
  const names = new Set<string>();
  const places = new Map<string, Pick<TextLine, 'start' | 'end'>>();
  for (const line of readTextLines(file)) {
    if (line.text.trim() === '') continue;
    const record = parseTable(line, file);
    const { id } = record;
    // The name in the .db distinguishes tables, not the id.
    const name = foldName(wikiSqlTableName(id));
    if (names.has(name)) {
      throw new InputFormatError('this table id occurs twice', { where: { file, line: line.line, id }, fix: FIX });
    }
    names.add(name);
    databases.set(id, { id, tables: [toTable(record)], primaryKeys: [], foreignKeys: [] });
    places.set(id, { start: line.start, end: line.end });
  }
  if (places.size === 0) {
    throw new InputFormatError('the file holds no table', { where: { file }, fix: 'Name a file of tables.' });
  }
  const text = (id: string): string => readTextLine(file, present(places.get(id), 'places.get(id)'));
  return { name: basename(file), databases, text, table: (id) => JSON.parse(text(id)) as WikiSqlTable };
}
