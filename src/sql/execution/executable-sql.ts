import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { joinComparisons } from '../join-comparisons.js';
import { singleQuoteLiterals } from '../single-quotes.js';

/**
 * The query with its double-quoted strings in single quotes, which better-sqlite3 asks for (SQLITE_DQS=0), and with its
 * comparisons in one piece; strings stay where it can't be parsed or resolved, or is nested too deeply for that, so that
 * SQLite has the last word.
 */
export function executableSql(given: string, database: Database): string {
  const sql = joinComparisons(given);
  try {
    return singleQuoteLiterals(sql, database).sql;
  } catch (error) {
    if (error instanceof SqlRewriteError || error instanceof RangeError) return sql; // the latter: no stack left
    throw error;
  }
}
