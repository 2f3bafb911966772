import type pg from 'pg';
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
import { InputFormatError } from '../../errors.js';
import type { ColumnType } from '../../schema/schema.js';
import { POSTGRESQL } from '../../sql/postgresql-dialect.js';

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
    return orConnectionFault(this.#query(sql), this.#url);
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
async function openPostgresql(url: ConnectionUrl): Promise<LiveSession> {
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

// https://www.postgresql.org/docs/current/catalog-pg-type.html#CATALOG-TYPCATEGORY-TABLE; a domain has its base type's.
const CATEGORIES: Readonly<Record<string, ColumnType>> = {
  B: 'boolean',
  D: 'time',
  E: 'text',
  I: 'text',
  N: 'number',
  S: 'text',
  T: 'time',
  Z: 'text',
};
// Of the category of user-defined types.
const TEXT_TYPES = ['uuid', 'json', 'jsonb', 'xml', 'macaddr', 'macaddr8'];
const USER_DEFINED = 'U';

// Ordinary, partitioned and foreign tables, views and materialized views; partitions belong to their table.
const COLUMNS = `
  SELECT c.relname, a.attname, t.typcategory, coalesce(b.typname, t.typname), c.relkind IN ('v', 'm')
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_catalog.pg_type b ON b.oid = t.typbasetype
  WHERE n.nspname = pg_catalog.current_schema() AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
  ORDER BY c.relname COLLATE "C", a.attnum`;

const KEYS = `
  SELECT k.contype, f.relname, fa.attname, t.relname, ta.attname
  FROM pg_catalog.pg_constraint k
  JOIN pg_catalog.pg_class f ON f.oid = k.conrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = f.relnamespace
  CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(k.conkey), pg_catalog.unnest(k.confkey))
    WITH ORDINALITY AS p (own, other, position)
  JOIN pg_catalog.pg_attribute fa ON fa.attrelid = f.oid AND fa.attnum = p.own
  LEFT JOIN pg_catalog.pg_class t ON t.oid = k.confrelid AND t.relnamespace = f.relnamespace
  LEFT JOIN pg_catalog.pg_attribute ta ON ta.attrelid = t.oid AND ta.attnum = p.other
  WHERE n.nspname = pg_catalog.current_schema() AND (k.contype = 'p' OR k.contype = 'f' AND t.oid IS NOT NULL)
  ORDER BY f.relname COLLATE "C", k.conname COLLATE "C", p.position`;

function toColumn(name: string, category: string, typeName: string): CatalogColumn {
  const type = CATEGORIES[category] ?? (TEXT_TYPES.includes(typeName) ? 'text' : 'others');
  // Of user-defined types the text form is mostly made of bytes: bytea, geometries.
  const hasText = category !== USER_DEFINED || type === 'text';
  return {
    name,
    type,
    declaredType: typeName,
    sample: hasText ? `left(${quoteName(name, '"')}::text, ${SAMPLE_LENGTH})` : null,
  };
}

async function currentSchema(session: LiveSession, { place }: ConnectionUrl): Promise<[string, string]> {
  const [row] = await session.rows('SELECT pg_catalog.current_database(), pg_catalog.current_schema()');
  const [database, schema] = row ?? [];
  if (schema != null) return [database ?? '', schema];
  throw new InputFormatError('search_path names no schema that exists and the user may use', {
    where: { id: place },
    fix: 'Add ?options=-csearch_path%3DNAME to --connection, or grant the user USAGE on the schema.',
  });
}

async function readCatalog(session: LiveSession, url: ConnectionUrl): Promise<LiveCatalog> {
  const [database, schema] = await currentSchema(session, url);
  const columns = await session.rows(COLUMNS);
  const keys = (await session.rows(KEYS)).map(([kind, table, column, toTable, toName]) => ({
    kind,
    from: { table: table ?? '', column: column ?? '' },
    to: { table: toTable ?? '', column: toName ?? '' },
  }));
  return {
    database,
    schema,
    tables: tablesOf(columns, {
      column: ([, name, category, type]) => (name == null ? null : toColumn(name, category ?? '', type ?? '')),
      isView: ([, , , , isView]) => isView === 't' || isView === 'true',
    }),
    primaryKeys: keys.flatMap(({ kind, from }) => (kind === 'p' ? [from] : [])),
    foreignKeys: keys.filter(({ kind }) => kind === 'f').map(({ from, to }) => ({ from, to })),
  };
}

/** PostgreSQL 12 and later: tables and views of the connection's current schema. */
export const POSTGRESQL_SERVER: LiveServer = {
  format: 'postgresql',
  schemes: ['postgres:', 'postgresql:'],
  quote: '"',
  open: openPostgresql,
  readCatalog,
  dialectOf: ({ schema }) => ({ ...POSTGRESQL, schemas: [schema] }),
};
