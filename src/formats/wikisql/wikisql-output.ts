import { databaseOf } from '../dataset.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { readChunks } from '../streamed-file.js';
import {
  isOriginal,
  moveEntries,
  type OutputExample,
  type OutputFolder,
  type OutputSchema,
  type OutputSet,
  type OwnFields,
  traceTables,
} from '../output-set.js';
import { RecordIds } from '../variant-ids.js';
import { readStoredColumns, type SqliteCell } from '../sqlite-tables.js';
import { remapWikiSqlQuery, type WikiSqlDataset, type WikiSqlLine } from './wikisql-dataset.js';
import { type WikiSqlCell, type WikiSqlTable, wikiSqlTableName } from './wikisql-tables.js';
import { openConnection, whileOpen } from '../../sql/execution/open-connection.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { zip } from '../../present.js';

/** A table of WikiSQL's `.db`; columns are called col0, col1 … */
interface WikiSqlDbTable {
  /** "table_1_1000181_1" */
  readonly name: string;
  readonly types: readonly string[];
  readonly rows: readonly (readonly SqliteCell[])[];
}

/** Tables made through one connection. SQLite takes ever longer for each further table that a connection knows. */
const BATCH = 500;

function openForFilling(file: string): Sqlite.Database {
  const sqlite = openConnection(file);
  // The file is thrown away unless it is finished, so nothing needs to be undone.
  sqlite.pragma('journal_mode = OFF');
  sqlite.pragma('synchronous = OFF');
  // For writes to sqlite_master. https://sqlite.org/pragma.html#pragma_writable_schema
  sqlite.unsafeMode(true);
  sqlite.pragma('writable_schema = ON');
  return sqlite;
}

function createTable(sqlite: Sqlite.Database, { name, types, rows }: WikiSqlDbTable): void {
  const quoted = quoteIdentifier(name);
  // WikiSQL's dbengine.py reads types out of this text: ", " between columns, names without quotes.
  sqlite.exec(`CREATE TABLE ${quoted} (${types.map((type, c) => `col${c} ${type}`).join(', ')})`);
  const insert = sqlite.prepare(`INSERT INTO ${quoted} VALUES (${types.map(() => '?').join(', ')})`);
  for (const row of rows) insert.run(row);
}

/** Runs a step in a transaction on a connection of its own. */
function withConnection<T>(file: string, step: (sqlite: Sqlite.Database) => T): T {
  return whileOpen(openForFilling(file), (sqlite) => sqlite.transaction(() => step(sqlite))());
}

/** Makes some tables and takes their entries out of the schema again, so that the next connection knows none. */
function fillBatch(sqlite: Sqlite.Database, tables: readonly WikiSqlDbTable[]): readonly unknown[][] {
  for (const table of tables) createTable(sqlite, table);
  const entries = sqlite.prepare('SELECT * FROM sqlite_master ORDER BY rowid').raw().all() as unknown[][];
  sqlite.prepare('DELETE FROM sqlite_master').run();
  return entries;
}

/**
 * Writes a WikiSQL `.db` with a table for each of many: linear in their number, where one connection would take minutes
 * for 50,000. The same tables give the same bytes.
 */
export function writeWikiSqlDb(file: string, tables: Iterable<WikiSqlDbTable>): void {
  const entries: (readonly unknown[])[] = [];
  let batch: WikiSqlDbTable[] = [];
  const flush = (): void => {
    entries.push(...withConnection(file, (sqlite) => fillBatch(sqlite, batch)));
    batch = [];
  };
  for (const table of tables) {
    batch.push(table);
    if (batch.length === BATCH) flush();
  }
  flush();
  withConnection(file, (sqlite) => {
    const insert = sqlite.prepare('INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)');
    for (const entry of entries) insert.run(entry);
  });
}

type Row<Cell> = readonly Cell[];

/** Header and types of a perturbed table; headers that did not change stay as they were, repeated and blank ones too. */
function changedHead(
  original: WikiSqlTable,
  output: OutputSchema,
  input: WikiSqlDataset,
): Pick<WikiSqlTable, 'header' | 'types'> {
  const positions = output.columns.flat();
  const columns = traceTables(output, databaseOf(input, output.origin)).flatMap((table) => table.columns);
  const headers = zip(columns, moveEntries(original.header, positions));
  const types = zip(columns, moveEntries(original.types, positions));
  return {
    header: headers.map(([{ column, from }, own]) =>
      own !== undefined && from?.originalName === column.originalName ? own : column.originalName,
    ),
    types: types.map(([{ column }, own]) => own ?? (column.type === 'number' ? 'real' : 'text')),
  };
}

function toCell(value: SqliteCell): WikiSqlCell {
  if (typeof value === 'bigint') return Number(value);
  return value ?? '';
}

/** Writes one WikiSQL data set; made for one use. */
class WikiSqlWriter {
  readonly #set: OutputSet;
  readonly #input: WikiSqlDataset;

  constructor(set: OutputSet) {
    this.#set = set;
    this.#input = set.input as WikiSqlDataset;
  }

  *questions(): Generator<string> {
    const ids = new RecordIds(this.#lines());
    for (const example of this.#set.examples()) yield `${this.#renderQuestion(example, ids)}\n`;
  }

  *#lines(): Generator<object> {
    for (const { record } of this.#input.examples()) yield (record as WikiSqlLine).json;
  }

  *tables(): Generator<string> {
    for (const output of this.#set.schemas) yield `${this.#renderTable(output)}\n`;
  }

  *dbTables(): Generator<WikiSqlDbTable> {
    for (const output of this.#set.schemas) yield this.#dbTable(output);
  }

  #renderQuestion({ source, kind, schema }: OutputExample, ids: RecordIds): string {
    const { text, json } = source.record as WikiSqlLine;
    if (kind === 'original') return text;
    return JSON.stringify({
      ...json,
      ...ids.idsOf(json, kind),
      table_id: schema.schema.id,
      sql: { ...json.sql, ...remapWikiSqlQuery(json.sql, schema.columns.flat()) },
    });
  }

  #renderTable(output: OutputSchema): string {
    if (isOriginal(output)) return this.#input.tables.text(output.origin);
    const original = this.#input.tables.table(output.origin);
    const rows = this.#moveRows(output, original.rows, toCell);
    return JSON.stringify({ ...original, id: output.schema.id, ...changedHead(original, output, this.#input), rows });
  }

  #dbTable(output: OutputSchema): WikiSqlDbTable {
    const name = wikiSqlTableName(output.schema.id);
    const rows = this.#input.rows.read(databaseOf(this.#input, output.origin));
    const original = this.#input.tables.table(output.origin);
    if (isOriginal(output)) return { name, types: original.types, rows };
    const { types } = changedHead(original, output, this.#input);
    const lower = (cell: SqliteCell): SqliteCell => (typeof cell === 'string' ? cell.toLowerCase() : cell);
    return { name, types, rows: this.#moveRows(output, rows, lower) };
  }

  /** Rows with the cells of the original where a column has one, and those of added columns. */
  #moveRows<Cell>(
    output: OutputSchema,
    rows: readonly Row<Cell>[],
    cellOf: (added: SqliteCell) => Cell,
  ): readonly Row<Cell>[] {
    const positions = output.columns.flat();
    const added = this.#addedRows(output, rows.length);
    return rows.map((row, r) =>
      moveEntries(row, positions).map((cell, c) => (cell === undefined ? cellOf(added?.[r]?.[c] ?? '') : cell)),
    );
  }

  /** The rows of a perturbed table that has added columns; null where they are not known, or not row for row. */
  #addedRows({ schema, columns }: OutputSchema, count: number): readonly Row<SqliteCell>[] | null {
    const [table] = schema.tables;
    const file = columns.flat().includes(null) ? this.#set.sqliteFile(schema.id) : null;
    if (file === null || table === undefined) return null;
    const names = table.columns.map(({ originalName }) => originalName);
    const rows = [...readStoredColumns(file, table.originalName, names)] as Row<SqliteCell>[];
    return rows.length === count ? rows : null;
  }
}

const QUESTION_FIELDS = new Set(['table_id', 'question', 'sql']);

/** The fields of a line beyond its table, question and query. */
export const wikiSqlFields: OwnFields = ({ source }) => {
  const { json } = source.record as WikiSqlLine;
  return Object.fromEntries(Object.entries(json).filter(([field]) => !QUESTION_FIELDS.has(field)));
};

/** The bytes of the `.db`, by way of a temporary file: a whole split does not fit in memory twice. */
function* renderDb(writer: WikiSqlWriter): Generator<Uint8Array> {
  const scratch = mkdtempSync(join(tmpdir(), 'perturbql-wikisql-'));
  try {
    const file = join(scratch, 'tables.db');
    writeWikiSqlDb(file, writer.dbTables());
    yield* readChunks(file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Writes `<stem>.jsonl`, the tables' file and `<stem>.db` below "wikisql". Lines of originals are as they were. Cells
 * of added columns are those of the perturbed databases or, where none are written, empty.
 */
export function writeWikiSql(set: OutputSet, folder: OutputFolder): void {
  const { stem, tables } = set.input as WikiSqlDataset;
  const writer = new WikiSqlWriter(set);
  folder.write(`wikisql/${stem}.jsonl`, writer.questions());
  folder.write(`wikisql/${tables.name}`, writer.tables());
  folder.write(`wikisql/${stem}.db`, renderDb(writer));
}
