import { fileSha256, sha256Of } from '../../run/sha256.js';
import type { PathsWith, RowSource } from '../dataset.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { openQuestionFile } from '../question-file.js';
import { writeQuestions, type QuestionDataset } from '../question-output.js';
import { parseConnectionUrl, type ConnectionUrl } from './connection.js';
import {
  type CatalogColumn,
  type CatalogTable,
  type LiveCatalog,
  type LiveServer,
  type LiveSession,
  quoteName,
  schemaOf,
  type TextRow,
} from './live-server.js';
import { MYSQL_SERVER } from './mysql-server.js';
import { POSTGRESQL_SERVER } from './postgresql-server.js';
import { foldName } from '../../sql/dialect.js';
import { openConnection } from '../../sql/execution/open-connection.js';
import { fillTables, type SqliteTable } from '../sqlite-tables.js';
import { sampleRows } from '../sample-values.js';
import { groupBy } from '../../run/group-by.js';

/** Rows looked at for samples, as in SQLite files. */
const ROWS = 50;

/** Sample values per table and column, and which tables have none for a reason. */
interface LiveSamples {
  readonly values: readonly (readonly (readonly string[])[])[];
  readonly notes: readonly string[];
}

/** The first rows as texts; by the primary key, where there is one, so that they stay the same ones. */
function firstRows(
  { schema, primaryKeys }: LiveCatalog,
  table: CatalogTable,
  quote: LiveServer['quote'],
  rows: number,
): string {
  const key = primaryKeys.filter((one) => one.table === table.name).map(({ column }) => quoteName(column, quote));
  const order = key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`;
  const name = `${quoteName(schema, quote)}.${quoteName(table.name, quote)}`;
  return `SELECT ${table.columns.map(({ sample }) => sample ?? 'NULL').join(', ')} FROM ${name}${order} LIMIT ${rows}`;
}

/**
 * Up to three distinct values per column, from the first rows of each table. A table that the user may not read, or a
 * view that fails or takes too long, goes without, and a note says so.
 */
async function readSamples(session: LiveSession, server: LiveServer, catalog: LiveCatalog): Promise<LiveSamples> {
  const values: (readonly (readonly string[])[])[] = [];
  const notes: string[] = [];
  for (const table of catalog.tables) {
    const rows = await session.attempt(firstRows(catalog, table, server.quote, ROWS));
    if ('reason' in rows) notes.push(`no sample values for table ${table.name}: ${rows.reason}`);
    values.push(sampleRows('reason' in rows ? [] : rows, table.columns.length));
  }
  return { values, notes };
}

/** Most rows of a table that are copied: what is read of rows must be true of all of them. */
const MOST_ROWS = 100_000;

/** Tables whose names SQLite distinguishes, and the names of their columns. */
function copiedTables({ tables }: LiveCatalog): readonly CatalogTable[] {
  const isSole = (names: readonly { readonly name: string }[]): boolean =>
    new Set(names.map(({ name }) => foldName(name))).size === names.length;
  return [...groupBy(tables, ({ name }) => foldName(name)).values()]
    .filter(isSole)
    .flat()
    .filter(({ columns, isView }) => !isView && isSole(columns));
}

async function rowsOf(
  session: LiveSession,
  server: LiveServer,
  catalog: LiveCatalog,
  table: CatalogTable,
): Promise<readonly TextRow[] | { readonly reason: string }> {
  const rows = await session.attempt(firstRows(catalog, table, server.quote, MOST_ROWS + 1));
  return !('reason' in rows) && rows.length > MOST_ROWS ? { reason: `it has more than ${MOST_ROWS}` } : rows;
}

function declared({ name, declaredType }: CatalogColumn): SqliteTable['columns'][number] {
  return { name, declaration: /^\w+$/.test(declaredType) ? declaredType : '' };
}

/**
 * The tables of a server's schema in memory, with their rows as texts that SQLite takes for numbers where the server's
 * type is one of numbers. A table with too many rows, or one that can't be read, is left out, and a note says so.
 */
async function copyRows(session: LiveSession, server: LiveServer, catalog: LiveCatalog): Promise<RowSource> {
  const sqlite = openConnection(':memory:');
  const notes: string[] = [];
  try {
    for (const table of copiedTables(catalog)) {
      const { name } = table;
      const rows = await rowsOf(session, server, catalog, table);
      if ('reason' in rows) notes.push(`the rows of table ${name} are not read: ${rows.reason}`);
      else fillTables(sqlite, [{ name, columns: table.columns.map(declared), rows }]);
    }
    return { copy: { bytes: sqlite.serialize(), notes }, sqliteFile: () => null };
  } finally {
    sqlite.close();
  }
}

/** Questions over a schema that was read from a server. */
export interface LiveDataset extends QuestionDataset {
  /** Parts that could not be read, and why: a line each. */
  readonly notes: readonly string[];
}

interface Reading {
  readonly catalog: LiveCatalog;
  readonly samples: LiveSamples;
  readonly notes: readonly string[];
}

/** Runs a reader in a transaction of its own. */
async function inSession<T>(
  server: LiveServer,
  url: ConnectionUrl,
  read: (session: LiveSession) => Promise<T>,
): Promise<T> {
  const session = await server.open(url);
  try {
    return await read(session);
  } finally {
    await session.close();
  }
}

/** Nothing can be named in a table without columns, and no format has a place for one. */
function withoutEmptyTables(catalog: LiveCatalog): Pick<Reading, 'catalog' | 'notes'> {
  const empty = catalog.tables.filter(({ columns }) => columns.length === 0);
  return {
    catalog: { ...catalog, tables: catalog.tables.filter(({ columns }) => columns.length > 0) },
    notes: empty.map(({ name }) => `table ${name} has no columns that can be read, and is left out`),
  };
}

function readServer(server: LiveServer, url: ConnectionUrl): Promise<Reading> {
  return inSession(server, url, async (session) => {
    const { catalog, notes } = withoutEmptyTables(await server.readCatalog(session, url));
    const samples = await readSamples(session, server, catalog);
    return { catalog, samples, notes: [...notes, ...samples.notes] };
  });
}

/**
 * A schema of a server with a file of questions, read with samples in one read-only transaction; the database's name is
 * its id. With a `postgres://` string as `--connection`, it is the current schema of its connection; with a `mysql://`
 * one, of MySQL or MariaDB, its database.
 * @throws ConfigError when the string is malformed
 * @throws InputFormatError when the server can't be reached or read, has no tables, or the questions don't fit
 */
export async function loadLiveDataset(paths: PathsWith<'connection' | 'examples'>): Promise<LiveDataset> {
  const server = paths.dataset === 'mysql' ? MYSQL_SERVER : POSTGRESQL_SERVER;
  const url = parseConnectionUrl(paths.connection, server.format, server.schemes);
  const { catalog, samples, notes } = await readServer(server, url);
  const database = schemaOf(catalog, url.place);
  const databases = new Map([[database.id, database]]);
  let rows: Promise<RowSource> | null = null;
  const questions = openQuestionFile(paths.examples, databases, paths.withoutGold);
  return {
    format: server.format,
    dialect: server.dialectOf(catalog),
    databases,
    size: questions.size,
    skipped: questions.skipped,
    // Of the schema, not of the connection string: that holds a password, and the same schema may move.
    fingerprints: {
      examples: fileSha256(paths.examples),
      schemas: sha256Of(JSON.stringify(database)),
    },
    questions,
    notes,
    examples: () => questions.examples(),
    sampleValues: () => samples.values,
    hasRows: () => false,
    sqliteFile: () => null,
    readServerRows: () => (rows ??= inSession(server, url, (session) => copyRows(session, server, catalog))),
  };
}

/** Writes the questions back as `postgresql/examples.*` or `mysql/examples.*`; schemas are in the run's tables.json. */
export function writeLiveDataset(set: OutputSet, folder: OutputFolder): void {
  writeQuestions(set, folder, `${set.input.format}/examples`);
}
