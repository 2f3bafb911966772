import { mustGet } from '../../present.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import type { DatasetPaths, RowSource } from '../dataset.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { openQuestionFile } from '../question-file.js';
import { writeQuestions, type QuestionDataset } from '../question-output.js';
import { parseConnectionUrl, type ConnectionUrl } from './connection-url.js';
import { copyRows } from './live-rows.js';
import { readSamples, type LiveSamples } from './live-samples.js';
import { schemaOf } from './live-schema.js';
import type { LiveCatalog, LiveServer, LiveSession } from './live-server.js';
import { MYSQL_SERVER } from './mysql-server.js';
import { POSTGRESQL_SERVER } from './postgresql-server.js';

/** Questions over a schema that was read from a server. */
export interface LiveDataset extends QuestionDataset {
  /** What could not be read, and why: a line each. */
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

async function loadLiveDataset(server: LiveServer, paths: DatasetPaths): Promise<LiveDataset> {
  const url = parseConnectionUrl(mustGet(paths.connection, 'paths.connection'), server.format, server.schemes);
  const { catalog, samples, notes } = await readServer(server, url);
  const database = schemaOf(catalog, url.place);
  const databases = new Map([[database.id, database]]);
  let rows: Promise<RowSource> | null = null;
  const questions = openQuestionFile(mustGet(paths.examples, 'paths.examples'), databases, paths.withoutGold);
  return {
    format: server.format,
    dialect: server.dialectOf(catalog),
    databases,
    size: questions.size,
    skipped: questions.skipped,
    // Of the schema, not of the connection string: that holds a password, and the same schema may move.
    fingerprints: {
      examples: fileSha256(mustGet(paths.examples, 'paths.examples')),
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

/**
 * A PostgreSQL schema with a file of questions: `--connection` is a `postgres://` string, and the current schema of its
 * connection is read, with samples, in one read-only transaction. The database's name is its id.
 * @throws ConfigError when the string is malformed
 * @throws InputFormatError when the server can't be reached or read, has no tables, or the questions don't fit
 */
export function loadPostgresqlDataset(paths: DatasetPaths): Promise<LiveDataset> {
  return loadLiveDataset(POSTGRESQL_SERVER, paths);
}

/**
 * A MySQL or MariaDB database with a file of questions: `--connection` is a `mysql://` string, and its database is
 * read, with samples, in one read-only transaction. The database's name is its id.
 * @throws ConfigError when the string is malformed
 * @throws InputFormatError when the server can't be reached or read, has no tables, or the questions don't fit
 */
export function loadMysqlDataset(paths: DatasetPaths): Promise<LiveDataset> {
  return loadLiveDataset(MYSQL_SERVER, paths);
}

/** Writes the questions back as `postgresql/examples.*` or `mysql/examples.*`; schemas are in the run's tables.json. */
export function writeLiveDataset(set: OutputSet, folder: OutputFolder): void {
  writeQuestions(set, folder, `${set.input.format}/examples`);
}
