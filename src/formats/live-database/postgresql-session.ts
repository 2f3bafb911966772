import type pg from 'pg';
import { connectionFault, reasonOf } from './connection-fault.js';
import type { ConnectionUrl } from './connection-url.js';
import { CONNECT_SECONDS, STATEMENT_SECONDS, type LiveSession, type TextRow } from './live-server.js';

const BEGIN = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  `SET LOCAL statement_timeout = ${STATEMENT_SECONDS * 1000}`,
  `SET LOCAL lock_timeout = ${STATEMENT_SECONDS * 1000}`,
  // The same rows in the same text form on every run and for every user.
  'SET LOCAL synchronize_seqscans = off',
  'SET LOCAL max_parallel_workers_per_gather = 0',
  "SET LOCAL timezone = 'UTC'",
  "SET LOCAL datestyle = 'ISO, YMD'",
  "SET LOCAL intervalstyle = 'postgres'",
  'SET LOCAL extra_float_digits = 1',
];

/** Values as the server writes them. */
const TEXTS = { getTypeParser: () => (value: unknown) => value } as pg.CustomTypesConfig;

class PostgresqlSession implements LiveSession {
  readonly #client: pg.Client;
  readonly #url: ConnectionUrl;

  constructor(client: pg.Client, url: ConnectionUrl) {
    this.#client = client;
    this.#url = url;
  }

  async #query(text: string): Promise<readonly TextRow[]> {
    const { rows } = await this.#client.query<(string | null)[]>({ text, rowMode: 'array' });
    return rows;
  }

  async rows(sql: string): Promise<readonly TextRow[]> {
    try {
      return await this.#query(sql);
    } catch (thrown) {
      throw connectionFault(thrown, this.#url);
    }
  }

  async attempt(sql: string): Promise<readonly TextRow[] | { readonly reason: string }> {
    await this.rows('SAVEPOINT attempt');
    try {
      return await this.#query(sql);
    } catch (thrown) {
      await this.rows('ROLLBACK TO SAVEPOINT attempt');
      return { reason: reasonOf(thrown) };
    }
  }

  async close(): Promise<void> {
    // Ending the connection ends its transaction.
    await this.#client.end().catch(() => undefined);
  }
}

async function createClient({ text }: ConnectionUrl): Promise<pg.Client> {
  const { default: driver } = await import('pg');
  return new driver.Client({
    application_name: 'perturbql',
    connectionString: text,
    connectionTimeoutMillis: CONNECT_SECONDS * 1000,
    // Longer than the server's own limit: for a network that falls silent.
    query_timeout: 3 * STATEMENT_SECONDS * 1000,
    types: TEXTS,
  });
}

/**
 * Connects to a PostgreSQL server and begins a read-only transaction that sees one state of the database.
 * @throws InputFormatError when the server can't be reached or refuses
 */
export async function openPostgresql(url: ConnectionUrl): Promise<LiveSession> {
  let client: pg.Client | null = null;
  try {
    client = await createClient(url);
    // A connection that is lost between two statements is told of by the next one.
    client.on('error', () => undefined);
    await client.connect();
    for (const statement of BEGIN) await client.query(statement);
    return new PostgresqlSession(client, url);
  } catch (thrown) {
    await client?.end().catch(() => undefined);
    throw connectionFault(thrown, url);
  }
}
