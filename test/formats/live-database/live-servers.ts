import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { PathsWith } from '../../../src/formats/dataset.js';
import { createFile } from '../format-fixture.js';

/** Connection strings of servers that tests may create databases on; scripts/start-test-databases.sh starts such servers. */
const VARIABLES = { postgresql: 'PERTURBQL_POSTGRES', mysql: 'PERTURBQL_MYSQL' } as const;
export type ServerFormat = keyof typeof VARIABLES;

/** The connection string of a test server, or null where there is none. */
export function serverOf(format: ServerFormat): string | null {
  const url = process.env[VARIABLES[format]];
  return url === undefined || url === '' ? null : url;
}

/** A suite's title, with the reason where it is skipped. */
export function serverTitle(title: string, format: ServerFormat): string {
  return serverOf(format) === null ? `${title} (skipped: ${VARIABLES[format]} names no server)` : title;
}

type Cell = string | null;

/** A database of a test's own, and a connection that may do everything in it. */
export interface ScratchDatabase {
  readonly name: string;
  /** Connection string of the database. */
  readonly url: string;
  /** Rows of one statement, values as texts. */
  rows(sql: string): Promise<readonly (readonly Cell[])[]>;
  /** Runs statements one after another. */
  run(...statements: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

type Rows = ScratchDatabase['rows'];
interface Connection {
  readonly rows: Rows;
  readonly end: () => Promise<void>;
}

async function connectPostgresql(connectionString: string): Promise<Connection> {
  const types = { getTypeParser: () => (value: unknown) => value } as pg.CustomTypesConfig;
  const client = new pg.Client({ connectionString, types });
  await client.connect();
  return {
    rows: async (text) => (await client.query<Cell[]>({ text, rowMode: 'array' })).rows,
    end: () => client.end(),
  };
}

async function connectMysql(uri: string): Promise<Connection> {
  const connection = await mysql.createConnection({ uri, charset: 'utf8mb4', typeCast: (field) => field.string() });
  return {
    rows: async (sql) => (await connection.query({ sql, rowsAsArray: true }))[0] as unknown as Cell[][],
    end: () => connection.end(),
  };
}

const CONNECT = { postgresql: connectPostgresql, mysql: connectMysql } as const;

async function once(format: ServerFormat, sql: string): Promise<void> {
  const connection = await CONNECT[format](serverOf(format)!);
  await connection.rows(sql);
  await connection.end();
}

/** Creates a database under a new name; whoever asks for it drops it. */
export async function createScratchDatabase(format: ServerFormat): Promise<ScratchDatabase> {
  const name = `perturbql_test_${randomBytes(6).toString('hex')}`;
  await once(format, `CREATE DATABASE ${name}`);
  const url = withDatabase(serverOf(format)!, name);
  const { rows, end } = await CONNECT[format](url);
  return {
    name,
    url,
    rows,
    async run(...statements) {
      for (const statement of statements) await rows(statement);
    },
    async drop() {
      await end();
      await once(format, `DROP DATABASE ${name}`);
    },
  };
}

/** A database with the given contents that goes when the test ends. */
export async function createFilledDatabase(
  format: ServerFormat,
  statements: readonly string[],
): Promise<ScratchDatabase> {
  const scratch = await createScratchDatabase(format);
  onTestFinished(() => scratch.drop());
  await scratch.run(...statements);
  return scratch;
}

/** The inputs of a live data set, with one question unless others are given. */
export function livePaths(
  format: ServerFormat,
  connection: string,
  examples = createFile('{"question":"One?","query":"SELECT 1"}\n', 'ask.jsonl'),
): PathsWith<'connection' | 'examples'> {
  return { dataset: format, tables: null, examples, databases: null, connection };
}

/** A connection string with another user, password, host or database. */
export function changedUrl(
  url: string,
  change: Partial<Record<'username' | 'password' | 'host' | 'pathname', string>>,
): string {
  return Object.assign(new URL(url), change).toString();
}
