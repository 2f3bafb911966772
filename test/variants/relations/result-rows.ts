import type Sqlite from 'better-sqlite3';
import type { Mutation } from '../../../src/variants/relations/relation.js';
import { restoreValues } from '../../../src/variants/verify/verify-groups.js';
import type { Database } from '../../../src/schema/schema.js';
import { executableSql } from '../../../src/sql/executable-sql.js';
import type { QueryRows } from '../../../src/sql/execution/query-outcome.js';

type Rows = QueryRows['rows'];

/** Rows with their storage classes, new values restored; null where the query fails. */
export function rowsOf(
  sqlite: Sqlite.Database,
  sql: string,
  schema: Database,
  mapping: Mutation['mapping'] = null,
): Rows | null {
  try {
    const rows = sqlite.prepare(executableSql(sql, schema)).raw().safeIntegers().all() as Rows;
    return restoreValues({ kind: 'rows', columns: [], rows }, mapping).rows;
  } catch {
    return null;
  }
}

/** The same as a bag of texts. */
export function bagOf(
  sqlite: Sqlite.Database,
  sql: string,
  schema: Database,
  mapping: Mutation['mapping'] = null,
): readonly string[] | null {
  const text = (cell: unknown): unknown => (typeof cell === 'bigint' ? `${cell}n` : cell);
  return (
    rowsOf(sqlite, sql, schema, mapping)
      ?.map((row) => JSON.stringify(row.map(text)))
      .sort() ?? null
  );
}
