import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { singleQuoteLiterals } from '../single-quotes.js';

/**
 * The query with its double-quoted strings in single quotes, which better-sqlite3 asks for (SQLITE_DQS=0); the given
 * text where it can't be parsed or resolved, or is nested too deeply for that, so that SQLite has the last word.
 */
export function executableSql(sql: string, database: Database): string {
  try {
    return singleQuoteLiterals(sql, database).sql;
  } catch (error) {
    if (error instanceof SqlRewriteError || error instanceof RangeError) return sql; // the latter: no stack left
    throw error;
  }
}
