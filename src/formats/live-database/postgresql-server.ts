import { InputFormatError } from '../../errors.js';
import type { ColumnType } from '../../schema/schema.js';
import { POSTGRESQL } from '../../sql/postgresql-dialect.js';
import type { ConnectionUrl } from './connection-url.js';
import { tablesOf } from './live-schema.js';
import {
  quoteName,
  SAMPLE_LENGTH,
  type CatalogColumn,
  type LiveCatalog,
  type LiveServer,
  type LiveSession,
} from './live-server.js';
import { openPostgresql } from './postgresql-session.js';

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
