import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import { ConfigError, InputFormatError } from '../../errors.js';
import { connectionFault, type ConnectionUrl, orConnectionFault, reasonOf } from './connection.js';
import {
  type CatalogColumn,
  CONNECT_SECONDS,
  type LiveCatalog,
  type LiveServer,
  type LiveSession,
  quoteName,
  SAMPLE_LENGTH,
  STATEMENT_SECONDS,
  tablesOf,
  type TextRow,
} from './live-server.js';
import type { ColumnType } from '../../schema/schema.js';
import { MYSQL } from '../../sql/mysql-dialect.js';

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
    return orConnectionFault(this.#query(sql), this.#url);
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
async function openMysql(url: ConnectionUrl): Promise<LiveSession> {
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

// https://dev.mysql.com/doc/refman/8.4/en/data-types.html and https://mariadb.com/kb/en/data-types/, by DATA_TYPE.
const TYPES: readonly (readonly [pattern: RegExp, type: ColumnType])[] = [
  [/^(?:(?:tiny|small|medium|big)?int|integer|decimal|numeric|float|double|real|bit)$/, 'number'],
  [/^(?:date|datetime|timestamp|time|year)$/, 'time'],
  [/^(?:(?:var)?char|(?:tiny|medium|long)?text|enum|set|json|uuid|inet[46])$/, 'text'],
];
// What BOOLEAN stands for; the servers keep no other width of integers.
const BOOLEAN = /^(?:tinyint|bit)\(1\)$/;

/** Modes that change what a text of SQL says: https://dev.mysql.com/doc/refman/8.4/en/sql-mode.html */
const READING_MODES = ['ANSI_QUOTES', 'PIPES_AS_CONCAT', 'NO_BACKSLASH_ESCAPES', 'HIGH_NOT_PRECEDENCE'];

// A star does not select invisible columns, so that they are none of the table's as queries see it. A view whose tables
// are gone has no columns.
const COLUMNS = `
  SELECT t.TABLE_NAME, c.COLUMN_NAME, LOWER(c.DATA_TYPE), LOWER(c.COLUMN_TYPE), t.TABLE_TYPE
  FROM information_schema.TABLES t
  LEFT JOIN information_schema.COLUMNS c
    ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME AND c.EXTRA NOT LIKE '%INVISIBLE%'
  WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
  ORDER BY CAST(t.TABLE_NAME AS BINARY), c.ORDINAL_POSITION`;

const KEYS = `
  SELECT CONSTRAINT_NAME, TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
  FROM information_schema.KEY_COLUMN_USAGE
  WHERE TABLE_SCHEMA = DATABASE() AND (CONSTRAINT_NAME = 'PRIMARY' OR REFERENCED_TABLE_SCHEMA = DATABASE())
  ORDER BY CAST(TABLE_NAME AS BINARY), CAST(CONSTRAINT_NAME AS BINARY), ORDINAL_POSITION`;

function toColumn(name: string, dataType: string, columnType: string): CatalogColumn {
  const found = TYPES.find(([pattern]) => pattern.test(dataType))?.[1] ?? 'others';
  const value = dataType === 'bit' ? `${quoteName(name, '`')} + 0` : quoteName(name, '`');
  return {
    name,
    type: BOOLEAN.test(columnType) ? 'boolean' : found,
    declaredType: dataType,
    // The rest is bytes: blobs, binary strings, geometries.
    sample: found === 'others' ? null : `LEFT(CAST(${value} AS CHAR), ${SAMPLE_LENGTH})`,
  };
}

async function currentDatabase(session: LiveSession, { place }: ConnectionUrl): Promise<string> {
  const [row] = await session.rows('SELECT DATABASE(), @@sql_mode');
  const [database, modes] = row ?? [];
  if (database == null) {
    throw new InputFormatError('the connection string names no database', {
      where: { id: place },
      fix: 'Write it at the end of --connection: mysql://user:password@host:port/database.',
    });
  }
  const mode = modes?.split(',').find((name) => READING_MODES.includes(name));
  if (mode === undefined) return database;
  throw new InputFormatError(`the server reads SQL in mode ${mode}, which this format does not`, {
    where: { id: place },
    fix: `Take ${mode} out of the server's sql_mode, or read the schema from a server in the default mode.`,
  });
}

async function readCatalog(session: LiveSession, url: ConnectionUrl): Promise<LiveCatalog> {
  const database = await currentDatabase(session, url);
  const columns = await session.rows(COLUMNS);
  const keys = (await session.rows(KEYS)).map(([, table, column, toTable, toName]) => ({
    from: { table: table ?? '', column: column ?? '' },
    to: toTable == null ? null : { table: toTable, column: toName ?? '' },
  }));
  return {
    database,
    schema: database,
    tables: tablesOf(columns, {
      column: ([, name, dataType, columnType]) =>
        name == null ? null : toColumn(name, dataType ?? '', columnType ?? ''),
      isView: ([, , , , type]) => type === 'VIEW',
    }),
    primaryKeys: keys.flatMap(({ from, to }) => (to === null ? [from] : [])),
    foreignKeys: keys.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }])),
  };
}

/** MySQL 8 and MariaDB 10.5 and later: tables and views of the connection string's database. */
export const MYSQL_SERVER: LiveServer = {
  format: 'mysql',
  schemes: ['mysql:', 'mariadb:'],
  quote: '`',
  open: openMysql,
  readCatalog,
  dialectOf: () => MYSQL,
};
