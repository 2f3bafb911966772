import type { Database } from '../../schema/schema.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { MYSQL } from '../../sql/mysql-dialect.js';
import { POSTGRESQL } from '../../sql/postgresql-dialect.js';
import { SQLITE } from '../../sql/sqlite-dialect.js';
import type { SpiderTablesRecord } from '../spider-tables.js';

/** BIRD's mini-dev has its gold in three dialects, which the files are called after: `mini_dev_postgresql.json`. */
const BY_NAME: readonly (readonly [RegExp, SqlDialect])[] = [
  [/postgres/i, POSTGRESQL],
  [/mysql/i, MYSQL],
];

/** The dialect of a file of BIRD's examples, by the name of the file without its ending. */
export function birdDialect(stem: string): SqlDialect {
  return BY_NAME.find(([pattern]) => pattern.test(stem))?.[1] ?? SQLITE;
}

/**
 * BIRD's PostgreSQL databases were loaded without quotes: names that need none are in lower case, others as they are.
 */
function serverName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name.toLowerCase() : name;
}

function serverSchema(database: Database): Database {
  const named = <T extends { readonly originalName: string }>(one: T): T => {
    return { ...one, originalName: serverName(one.originalName) };
  };
  const tables = database.tables.map((table) => ({ ...named(table), columns: table.columns.map(named) }));
  return { ...database, tables };
}

function serverRecord(record: SpiderTablesRecord): SpiderTablesRecord {
  return {
    ...record,
    table_names_original: record.table_names_original.map(serverName),
    column_names_original: record.column_names_original.map(([table, name]) => [table, serverName(name)]),
  };
}

/** Schemas with their records by db_id. */
interface Schemas {
  readonly databases: ReadonlyMap<string, Database>;
  readonly records: ReadonlyMap<string, unknown>;
}

/** The schemas that gold queries of a dialect are on: the tables' file has the names of the SQLite files. */
export function schemasFor<T extends Schemas>(dialect: SqlDialect, schemas: T): T {
  if (dialect.name !== 'postgresql') return schemas;
  return {
    ...schemas,
    databases: new Map([...schemas.databases].map(([id, database]) => [id, serverSchema(database)])),
    records: new Map([...schemas.records].map(([id, record]) => [id, serverRecord(record as SpiderTablesRecord)])),
  };
}
