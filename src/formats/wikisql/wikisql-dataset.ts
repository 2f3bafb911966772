import { existsSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import type { Column, Database } from '../../schema/schema.js';
import { quoteIdentifier, renderIdentifier, renderString, SQLITE } from '../../sql/dialect.js';
import { openUntouched } from '../../sql/execution/open-untouched.js';
import { sampleRows, sqlitePath } from '../sample-values.js';
import { buildSqliteFile, type SqliteCell } from '../sqlite-tables.js';
import { loadWikiSqlTables, type WikiSqlCell, wikiSqlTableName, type WikiSqlTables } from './wikisql-tables.js';
import { streamSha256 } from '../../run/sha256.js';
import type { Dataset, DatasetExample, PathsWith, SkippedExample } from '../dataset.js';
import { checkRecord, parseJson, type RecordPlace } from '../json-file.js';
import { readFilledLines } from '../streamed-file.js';
import { countExamples, placeOfRecord, skippedBy } from '../usable-records.js';
import { itemAt } from '../../present.js';

/** A condition: column, operator and value. */
type WikiSqlCondition = readonly [column: number, operator: number, value: string | number];

/** WikiSQL's structure of a query; columns are positions in the header. */
export interface WikiSqlSql {
  readonly sel: number;
  readonly agg: number;
  readonly conds: readonly WikiSqlCondition[];
}

// lib/query.py of WikiSQL; its fourth operator, "OP", is a placeholder that its engine can't run.
const AGGREGATES = ['', 'MAX', 'MIN', 'COUNT', 'SUM', 'AVG'];
const OPERATORS = ['=', '>', '<'];

/** The number in a text as WikiSQL's dbengine.py finds it: the whole text with commas as thousands marks, else the first. */
function parseNumber(text: string): number | null {
  const whole = text.replaceAll(',', '').trim();
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(whole)) return Number(whole);
  const first = /[-+]?\d*\.\d+|\d+/.exec(text)?.[0];
  return first === undefined ? null : Number(first);
}

/** Texts are compared in lower case, for so the `.db` has its cells; a text against a number counts as its number. */
function renderValue(value: string | number, isReal: boolean): string {
  if (typeof value === 'number') return String(value);
  const number = isReal ? parseNumber(value) : null;
  return number === null ? renderString(value.toLowerCase()) : String(number);
}

/** Why a query can't be SQL; null where it can. */
export function wikiSqlFault({ sel, agg, conds }: WikiSqlSql, { tables }: Database): string | null {
  const width = tables.flatMap(({ columns }) => columns).length;
  if (AGGREGATES[agg] === undefined) return `aggregate ${agg} is none of WikiSQL’s`;
  const column = [sel, ...conds.map(([one]) => one)].find((one) => one < 0 || one >= width);
  if (column !== undefined) return `it names column ${column}, but the table has ${width} columns`;
  const operator = conds.find(([, one]) => OPERATORS[one] === undefined)?.[1];
  return operator === undefined ? null : `operator ${operator} can’t be run, by WikiSQL’s own engine either`;
}

/**
 * The SQL text of a query over the identifiers of its table: what WikiSQL's dbengine.py runs on `col0`, `col1` …, but
 * that each of two conditions on one column keeps its own value (there the last value goes for both).
 */
export function renderWikiSqlQuery({ sel, agg, conds }: WikiSqlSql, { tables }: Database): string {
  const { originalName, columns } = itemAt(tables, 0);
  const nameOf = (column: Column): string => renderIdentifier(column.originalName);
  const name = nameOf(itemAt(columns, sel));
  const selected = agg === 0 ? name : `${AGGREGATES[agg]}(${name})`;
  const where = conds.map(([position, operator, value]) => {
    const column = itemAt(columns, position);
    return `${nameOf(column)} ${OPERATORS[operator]} ${renderValue(value, column.type === 'number')}`;
  });
  const filter = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  return `SELECT ${selected} FROM ${renderIdentifier(originalName)}${filter}`;
}

/** The query on a table whose columns moved: `columns` are the old positions by the new ones, null = added. */
export function remapWikiSqlQuery(sql: WikiSqlSql, columns: readonly (number | null)[]): WikiSqlSql {
  const conds = sql.conds.map(
    ([column, ...rest]): WikiSqlCondition => [columns.indexOf(column), ...rest] as WikiSqlCondition,
  );
  return { ...sql, sel: columns.indexOf(sql.sel), conds };
}

/** A cell as WikiSQL's `.db` holds it: texts in lower case, whole numbers as integers. */
function toStoredCell(cell: WikiSqlCell): SqliteCell {
  if (typeof cell === 'string') return cell.toLowerCase();
  return typeof cell === 'number' && Number.isSafeInteger(cell) ? BigInt(cell) : cell;
}

/** Path of a split's `.db`: the file itself, or `<stem>.db` in a folder. */
function wikiSqlDbPath(path: string, stem: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? join(path, `${stem}.db`) : path;
}

const DB_FIX = 'Name the .db that belongs to these tables (--databases).';

interface OpenedDb {
  readonly sqlite: Sqlite.Database;
  readonly names: ReadonlySet<string>;
}

/** The stored rows of WikiSQL's tables: those of the `.db` or, of a table that it lacks or without one, the tables' own. */
class WikiSqlRows {
  readonly #tables: WikiSqlTables;
  readonly #file: string | null;
  /** Opened once: SQLite reads the schema of all the tables each time, which takes a second. */
  #opened: OpenedDb | null = null;

  constructor(tables: WikiSqlTables, file: string | null) {
    [this.#tables, this.#file] = [tables, file];
  }

  /** @throws InputFormatError when the `.db` can't be read or has other columns */
  read(database: Database): readonly (readonly SqliteCell[])[] {
    return this.#stored(database) ?? this.#tables.table(database.id).rows.map((row) => row.map(toStoredCell));
  }

  /** Builds the SQLite file of one table in a folder, once. @throws InputFormatError as `read` does */
  build(database: Database, scratch: string): string {
    const file = sqlitePath(scratch, database.id);
    if (existsSync(file)) return file;
    const declared = database.tables.map(({ originalName: name, columns }) => ({
      name,
      columns: columns.map(({ originalName, type }) => ({
        name: originalName,
        declaration: type === 'number' ? 'REAL' : 'TEXT',
      })),
      rows: this.read(database),
    }));
    buildSqliteFile(file, declared);
    return file;
  }

  #open(file: string): OpenedDb {
    if (this.#opened !== null) return this.#opened;
    const sqlite = openUntouched(file);
    const names = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
    const opened = { sqlite, names: new Set(names) };
    if (![...this.#tables.databases.keys()].some((id) => opened.names.has(wikiSqlTableName(id)))) {
      throw new InputFormatError('the file has none of the tables', { where: { file }, fix: DB_FIX });
    }
    this.#opened = opened;
    return opened;
  }

  #stored({ id, tables }: Database): readonly (readonly SqliteCell[])[] | null {
    if (this.#file === null) return null;
    const name = wikiSqlTableName(id);
    const columns = tables.flatMap((table) => table.columns.map((_, c) => `"col${c}"`)).join(', ');
    try {
      const { sqlite, names } = this.#open(this.#file);
      if (!names.has(name)) return null;
      const select = `SELECT ${columns} FROM ${quoteIdentifier(name)} ORDER BY rowid`;
      return sqlite.prepare(select).raw().safeIntegers().all() as SqliteCell[][];
    } catch (cause) {
      if (cause instanceof InputFormatError) throw cause;
      const where = { file: this.#file, id };
      const fault = 'the file does not hold this table as WikiSQL’s .db does';
      throw new InputFormatError(fault, { where, cause, fix: DB_FIX });
    }
  }
}

const questionSchema = z.looseObject({
  table_id: z.string(),
  question: z.string(),
  sql: z.looseObject({
    sel: z.int(),
    agg: z.int(),
    conds: z.array(z.tuple([z.int(), z.int(), z.union([z.string(), z.number()])])),
  }),
});

/** One line of `<split>.jsonl`; fields that perturbql does not know are carried along. */
export type WikiSqlQuestion = z.infer<typeof questionSchema>;

/** A line as the file writes it, and what it says. */
export interface WikiSqlLine {
  readonly text: string;
  readonly json: WikiSqlQuestion;
}

export interface WikiSqlExample extends DatasetExample {
  readonly record: WikiSqlLine;
}

export interface WikiSqlDataset extends Dataset {
  /** Name of the examples' file without its ending, "dev". */
  readonly stem: string;
  readonly tables: WikiSqlTables;
  readonly rows: WikiSqlRows;
}

/** The questions of a file, one by one; what can't be run comes as skipped. */
class WikiSqlQuestions {
  readonly #file: string;
  readonly #stem: string;
  readonly #tables: WikiSqlTables;
  #firstError: InputFormatError | null = null;

  constructor(file: string, stem: string, tables: WikiSqlTables) {
    [this.#file, this.#stem, this.#tables] = [file, stem, tables];
  }

  *read(): Generator<WikiSqlExample | SkippedExample> {
    let index = 0;
    for (const { text, line } of readFilledLines(this.#file)) yield this.#read(text, line, index++);
  }

  *examples(): Generator<WikiSqlExample> {
    for (const one of this.read()) if ('record' in one) yield one;
  }

  /** Counts what is read. @throws InputFormatError where there is nothing, or nothing that is WikiSQL's */
  count(): Pick<Dataset, 'size' | 'skipped'> {
    const { size, skipped } = countExamples(this.read());
    if (size === 0 && this.#firstError !== null) throw this.#firstError;
    if (size + skipped.length > 0) return { size, skipped };
    const where = { file: this.#file };
    throw new InputFormatError('the file holds no question', { where, fix: 'Name a file of questions.' });
  }

  #read(text: string, line: number, index: number): WikiSqlExample | SkippedExample {
    const where = { file: this.#file, line, id: `${this.#stem}:${index}` };
    try {
      return this.#parse(text, where);
    } catch (error) {
      if (!(error instanceof InputFormatError)) throw error;
      this.#firstError ??= error;
      return { ...skippedBy(error, this.#file, index), id: where.id };
    }
  }

  #parse(text: string, where: RecordPlace): WikiSqlExample | SkippedExample {
    const { file, line, id } = where;
    const json = parseJson(text, file, line) as WikiSqlQuestion;
    checkRecord(questionSchema, json, where, 'Each line needs table_id, question and sql with sel, agg and conds.');
    const database = this.#tables.find(json.table_id);
    if (database === undefined) return this.#withoutTable(json.table_id, where);
    const reason = wikiSqlFault(json.sql, database);
    if (reason !== null) return { id, reason, place: placeOfRecord(file, 0, line) };
    const query = renderWikiSqlQuery(json.sql, database);
    return { id, group: id, dbId: database.id, question: json.question, query, record: { text, json } };
  }

  /** Reasons are counted without the id: a file of another split has thousands. */
  #withoutTable(tableId: string, where: RecordPlace): SkippedExample {
    this.#firstError ??= new InputFormatError(`table_id "${tableId}" is not in the tables file`, {
      where,
      fix: 'Name the .tables.jsonl of the same split.',
    });
    const place = placeOfRecord(where.file, 0, where.line);
    return { id: where.id, reason: 'its table_id is not in the tables file', place };
  }
}

function dbFile(path: string | null, stem: string): string | null {
  const file = path === null ? null : wikiSqlDbPath(path, stem);
  if (file === null || existsSync(file)) return file;
  throw new InputFormatError('the .db of the split is not there', {
    where: { file },
    fix: 'Give --databases the split’s .db or its folder, or leave it out: the tables’ own rows are taken then.',
  });
}

async function fingerprintsOf(files: Readonly<Record<string, string | null>>): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const [role, file] of Object.entries(files)) if (file !== null) hashes[role] = await streamSha256(file);
  return hashes;
}

/**
 * WikiSQL: `<split>.jsonl`, `<split>.tables.jsonl` and, for the rows as they are queried, `<split>.db`. Each table is a
 * database of its own; the gold SQL is text over its headers. Questions are read again each time, ids are "dev:17".
 * @throws InputFormatError when a file is not what the format promises
 */
export async function loadWikiSqlDataset(paths: PathsWith<'tables' | 'examples'>): Promise<WikiSqlDataset> {
  const file = paths.examples;
  const stem = basename(file, extname(file));
  const db = dbFile(paths.databases, stem);
  const tables = loadWikiSqlTables(paths.tables);
  const { databases } = tables;
  const questions = new WikiSqlQuestions(file, stem, tables);
  const rows = new WikiSqlRows(tables, db);
  // A wrong .db shows here, not when a run is half done.
  const [first] = databases.values();
  if (db !== null && first !== undefined) rows.read(first);
  return {
    format: 'wikisql',
    stem,
    tables,
    rows,
    dialect: SQLITE,
    databases,
    ...questions.count(),
    skippedSchemas: tables.skipped,
    fingerprints: await fingerprintsOf({ tables: paths.tables, examples: file, databases: db }),
    examples: () => questions.examples(),
    // From the tables' own rows: the .db has texts in lower case.
    sampleValues: (database) =>
      database.tables.map(({ columns }) => sampleRows(tables.table(database.id).rows, columns.length)),
    hasRows: (dbId) => databases.has(dbId),
    sqliteFile: (dbId, scratch) => {
      const database = databases.get(dbId);
      return database === undefined ? null : rows.build(database, scratch);
    },
  };
}
