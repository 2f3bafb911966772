import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import { ConfigError } from '../../errors.js';
import { connectionFault, reasonOf } from './connection-fault.js';
import type { ConnectionUrl } from './connection-url.js';
import { CONNECT_SECONDS, STATEMENT_SECONDS, type LiveSession, type TextRow } from './live-server.js';

const BEGIN = [
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
  `SET SESSION lock_wait_timeout = ${STATEMENT_SECONDS}`,
  "SET SESSION time_zone = '+00:00'",
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
];

/** The limit of a statement, which MariaDB and MySQL name differently. */
const LIMITS = [
  `SET SESSION max_statement_time = ${STATEMENT_SECONDS}`,
  `SET SESSION max_execution_time = ${STATEMENT_SECONDS * 1000}`,
];

// https://dev.mysql.com/doc/refman/8.4/en/connection-options.html#option_general_ssl-mode
const SSL_MODES: Readonly<Record<string, ConnectionOptions['ssl']>> = {
  DISABLED: undefined,
  REQUIRED: { rejectUnauthorized: false },
  VERIFY_CA: {},
  VERIFY_IDENTITY: {},
};

class MysqlSession implements LiveSession {
  readonly #connection: Connection;
  readonly #url: ConnectionUrl;

  constructor(connection: Connection, url: ConnectionUrl) {
    this.#connection = connection;
    this.#url = url;
  }

  async #query(sql: string): Promise<readonly TextRow[]> {
    // Longer than the server's own limit: for a network that falls silent.
    const timeout = 3 * STATEMENT_SECONDS * 1000;
    const [rows] = await this.#connection.query<RowDataPacket[][]>({ sql, rowsAsArray: true, timeout });
    return rows as unknown as TextRow[];
  }

  async rows(sql: string): Promise<readonly TextRow[]> {
    try {
      return await this.#query(sql);
    } catch (thrown) {
      throw connectionFault(thrown, this.#url);
    }
  }

  async attempt(sql: string): Promise<readonly TextRow[] | { readonly reason: string }> {
    try {
      return await this.#query(sql);
    } catch (thrown) {
      if ((thrown as { readonly fatal?: boolean }).fatal === true) throw connectionFault(thrown, this.#url);
      return { reason: reasonOf(thrown) };
    }
  }

  async close(): Promise<void> {
    // Ending the connection ends its transaction.
    await this.#connection.end().catch(() => this.#connection.destroy());
  }
}

function sslOf({ url, place }: ConnectionUrl): Pick<ConnectionOptions, 'ssl'> {
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'ssl-mode');
  const mode = (url.searchParams.get('ssl-mode') ?? 'DISABLED').toUpperCase();
  if (unknown === undefined && Object.hasOwn(SSL_MODES, mode)) {
    return SSL_MODES[mode] === undefined ? {} : { ssl: SSL_MODES[mode] };
  }
  throw new ConfigError(`--connection has a parameter that MySQL connections don’t take: ${unknown ?? 'ssl-mode'}`, {
    where: { id: place },
    fix: `Only ssl-mode is known, with ${Object.keys(SSL_MODES).join(', ')}.`,
  });
}

async function connect(target: ConnectionUrl, options: Pick<ConnectionOptions, 'ssl'>): Promise<Connection> {
  const { url, user, password, database } = target;
  const { createConnection } = await import('mysql2/promise');
  return createConnection({
    ...options,
    host: decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '')) || 'localhost',
    port: url.port === '' ? 3306 : Number(url.port),
    user,
    password,
    database,
    charset: 'utf8mb4',
    connectTimeout: CONNECT_SECONDS * 1000,
    // Values as the server writes them.
    typeCast: (field) => field.string(),
  });
}

async function begin(connection: Connection): Promise<void> {
  for (const statement of LIMITS) await connection.query(statement).catch(() => undefined);
  for (const statement of BEGIN) await connection.query(statement);
}

/**
 * Connects to a MySQL or MariaDB server and begins a read-only transaction that sees one state of the database.
 * @throws ConfigError when the string has an unknown parameter
 * @throws InputFormatError when the server can't be reached or refuses
 */
export async function openMysql(url: ConnectionUrl): Promise<LiveSession> {
  const ssl = sslOf(url);
  let connection: Connection | null = null;
  try {
    connection = await connect(url, ssl);
    // A connection that is lost between two statements is told of by the next one.
    connection.on('error', () => undefined);
    await begin(connection);
    return new MysqlSession(connection, url);
  } catch (thrown) {
    connection?.destroy();
    throw connectionFault(thrown, url);
  }
}
