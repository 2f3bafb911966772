import { basename } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { spacedName } from '../../schema/name-identity.js';
import { cleanText, cleanTitle, naturalHeaders } from '../../schema/natural-name.js';
import type { Database, Table } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { SkippedExample } from '../dataset.js';
import { checkRecord, parseJson } from '../json-file.js';
import { readFilledLines, readTextLine, type TextLine } from '../streamed-file.js';
import { uniqueNames } from '../sqlite-tables.js';
import { readUsable } from '../usable-records.js';
import { mustGet, zip } from '../../present.js';

/** A cell as the file writes it. */
export type WikiSqlCell = string | number | null;

// The id is the name of files and folders.
const idSchema = z.string().regex(/^(?!\.+$)[^/\\\0]+$/, 'an id without slashes is expected');

const recordSchema = z.looseObject({
  // FollowUp lists the ids of all the tables of WikiSQL that one stands for.
  id: z.union([idSchema, z.array(idSchema).min(1)]),
  header: z.array(z.string()).min(1),
  // With blanks in BERT-QA's.
  types: z.array(z.string().regex(/^\s*(?:text|real)\s*$/, 'text or real is expected')),
  // Cells are checked without zod: there are millions.
  rows: z.array(z.custom<readonly WikiSqlCell[]>()),
  page_title: z.string().nullish(),
  caption: z.string().nullish(),
  section_title: z.string().nullish(),
});

/** One line of `<split>.tables.jsonl`; fields that perturbql does not know are carried along. */
export type WikiSqlTable = z.infer<typeof recordSchema>;

function idsOf({ id }: WikiSqlTable): readonly [string, ...string[]] {
  return typeof id === 'string' ? [id] : (id as [string, ...string[]]);
}

/** Longest identifier made of a title, in characters. */
const MAX_TABLE_NAME = 60;
const FIX = 'Fix the line, or take the file from WikiSQL’s own release.';

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

function parseTable({ text, line }: TextLine, file: string, index: number): WikiSqlTable {
  const where = { file, line, id: `table ${index}` };
  const json = parseJson(text, file, line);
  const record = checkRecord(recordSchema, json, where, FIX);
  checkTable(record, { ...where, id: idsOf(record)[0] });
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
  return wikiSqlTableName(idsOf(record)[0]);
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
    columns: zip(identifiers, names).map(([originalName, name], c) => ({
      name,
      originalName,
      type: record.types[c]?.trim() === 'real' ? 'number' : 'text',
    })),
  };
}

/** The tables of a split, each a database of its own; cells stay in the file until they are asked for. */
export interface WikiSqlTables {
  /** Name of the file, "dev.tables.jsonl". */
  readonly name: string;
  readonly databases: ReadonlyMap<string, Database>;
  /** Lines that are no table. */
  readonly skipped: readonly SkippedExample[];
  /** The database of a table under any of its ids. */
  find(id: string): Database | undefined;
  /** The line of a table as the file writes it. */
  text(id: string): string;
  table(id: string): WikiSqlTable;
}

/** Collects the tables of a file; one that repeats an id is refused. */
class TableCollector {
  readonly databases = new Map<string, Database>();
  /** Database by each id of its table. */
  readonly byId = new Map<string, Database>();
  readonly places = new Map<string, Pick<TextLine, 'start' | 'end'>>();
  readonly #names = new Set<string>();

  add(record: WikiSqlTable, { line, start, end }: TextLine, file: string): void {
    const ids = idsOf(record);
    // The name in the .db distinguishes tables, not the id.
    const names = ids.map((id) => foldName(wikiSqlTableName(id)));
    if (names.some((name) => this.#names.has(name))) {
      throw new InputFormatError('this table id occurs twice', { where: { file, line, id: ids[0] }, fix: FIX });
    }
    for (const name of names) this.#names.add(name);
    const database: Database = { id: ids[0], tables: [toTable(record)], primaryKeys: [], foreignKeys: [] };
    for (const id of ids) this.byId.set(id, database);
    this.databases.set(ids[0], database);
    this.places.set(ids[0], { start, end });
  }
}

function collectTables(file: string): readonly [TableCollector, readonly SkippedExample[]] {
  const tables = new TableCollector();
  const { skipped } = readUsable(readFilledLines(file), file, (line, index) => {
    tables.add(parseTable(line, file, index), line, file);
  });
  return [tables, skipped];
}

/**
 * Loads `<split>.tables.jsonl`; a line that is no table, or repeats an id, is left out.
 * @throws InputFormatError when there is no table
 */
export function loadWikiSqlTables(file: string): WikiSqlTables {
  const [{ databases, byId, places }, skipped] = collectTables(file);
  if (places.size === 0) {
    throw new InputFormatError('the file holds no table', { where: { file }, fix: 'Name a file of tables.' });
  }
  const text = (id: string): string => readTextLine(file, mustGet(places.get(id), 'places.get(id)'));
  const table = (id: string): WikiSqlTable => JSON.parse(text(id)) as WikiSqlTable;
  return { name: basename(file), databases, skipped, find: (id) => byId.get(id), text, table };
}
