import { SqlRewriteError } from '../../src/errors.js';
import { readTextLines } from '../../src/formats/streamed-file.js';
import type { Database } from '../../src/schema/schema.js';
import { bindQuery } from '../../src/sql/binder.js';
import { executableSql } from '../../src/sql/executable-sql.js';

/** The queries of one classical data set. */
export interface ClassicalQueries {
  readonly database: Database;
  /** Distinct ones, as they are executed. */
  readonly golds: readonly string[];
  /** Lines that they are in. */
  readonly lines: number;
}

export interface ClassicalFile {
  readonly sets: readonly ClassicalQueries[];
  /** Lines whose tables none of the schemas has. */
  readonly unbound: number;
}

function binds(sql: string, database: Database): boolean {
  try {
    bindQuery(sql, database);
    return true;
  } catch (error) {
    if (error instanceof SqlRewriteError) return false;
    throw error;
  }
}

/** The schema of each query: the one in which it resolves, of several that of the line before. */
function assigned(queries: readonly string[], databases: readonly Database[]): readonly (Database | null)[] {
  let last: Database | null = null;
  return queries.map((sql) => {
    const fitting = databases.filter((database) => binds(sql, database));
    if (fitting.length === 0) return null;
    last = last !== null && fitting.includes(last) ? last : fitting[0]!;
    return last;
  });
}

/**
 * Reads a file of queries that name no database, and gives each to the schema in which all its names resolve. The file
 * holds one data set after another: where several schemas would do, it is that of the line before.
 * @throws InputFormatError when the file can't be read
 */
export function readClassicalQueries(file: string, databases: readonly Database[]): ClassicalFile {
  const lines = [...readTextLines(file)].map(({ text }) => text.trim()).filter((text) => text !== '');
  const owners = assigned(lines, databases);
  const sets = databases.map((database) => {
    const own = lines.filter((_, i) => owners[i] === database);
    return { database, golds: [...new Set(own.map((sql) => executableSql(sql, database)))], lines: own.length };
  });
  return { sets, unbound: owners.filter((owner) => owner === null).length };
}
