import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ColumnType, Database } from '../../src/schema/schema.js';

/** Spider's files next to the project; absent where the data was not fetched. */
export const SPIDER = join(import.meta.dirname, '../../../shared/data/spider');
export const hasSpider = existsSync(join(SPIDER, 'tables.json'));
/** For the names of tests that need them. */
export const NEEDS_SPIDER = hasSpider ? '' : ' (skipped: ../shared/data/spider is absent)';

interface RawDatabase {
  readonly db_id: string;
  readonly table_names: readonly string[];
  readonly table_names_original: readonly string[];
  readonly column_names: readonly (readonly [number, string])[];
  readonly column_names_original: readonly (readonly [number, string])[];
  readonly column_types: readonly ColumnType[];
}

function databaseOf(raw: RawDatabase): Database {
  const tables = raw.table_names_original.map((originalName, t) => ({
    name: raw.table_names[t] ?? originalName,
    originalName,
    columns: raw.column_names_original.flatMap(([table, column], i) =>
      table === t
        ? [{ name: raw.column_names[i]?.[1] ?? column, originalName: column, type: raw.column_types[i] ?? 'text' }]
        : [],
    ),
  }));
  return { id: raw.db_id, tables, primaryKeys: [], foreignKeys: [] };
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(SPIDER, file), 'utf8'));
}

export function readDatabases(): Map<string, Database> {
  return new Map((readJson('tables.json') as RawDatabase[]).map((raw) => [raw.db_id, databaseOf(raw)]));
}

/** The distinct queries of a gold file with their databases. */
export function readGold(file: string): { readonly sql: string; readonly dbId: string }[] {
  const lines = readFileSync(join(SPIDER, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return [...new Set(lines)].map((line) => {
    const [sql = '', dbId = ''] = line.split('\t');
    return { sql, dbId };
  });
}

/** The bytes of a database file, or null. */
export function readSqlite(dbId: string): Buffer | null {
  const path = join(SPIDER, 'database', dbId, `${dbId}.sqlite`);
  return existsSync(path) ? readFileSync(path) : null;
}
