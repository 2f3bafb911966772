import type { Database } from '../schema/schema.js';
import { bindQuery } from './binder.js';
import { renderString, type SqlDialect, SQLITE } from './dialect.js';
import { applyEdits, type RewrittenSql, sortEdits, spacedEdit } from './edits.js';
import { SqlRewriteError } from '../errors.js';

/** Strings and quoted names, which stay, and comparisons that are cut in two: `! =`, `> =`, as in some gold of SParC. */
const CUT_COMPARISON = /('(?:[^']|'')*'|"[^"]*"|`[^`]*`)|([!<>])\s+=/g;

/** The query with `! =`, `> =` and `< =` in one piece, which SQLite asks for. */
export function joinComparisons(sql: string): string {
  return sql.replace(CUT_COMPARISON, (text, quoted: string | undefined, sign: string) =>
    quoted === undefined ? `${sign}=` : text,
  );
}

/**
 * Writes every double-quoted token that SQLite would read as a string in single quotes, so that the query also runs
 * where double quotes are for identifiers only (better-sqlite3, PostgreSQL). All other bytes stay.
 * @throws SqlRewriteError with position and reason where the query can't be parsed or resolved
 */
export function singleQuoteLiterals(sql: string, database: Database, dialect: SqlDialect = SQLITE): RewrittenSql {
  const literals = bindQuery(sql, database, dialect).names.filter(
    ({ token, found }) => found === null && token.quote === 'double',
  );
  const edits = sortEdits(
    literals.map(({ token }) => spacedEdit(sql, token.span.start, token.span.end, renderString(token.name))),
  );
  return { sql: applyEdits(sql, edits), edits };
}

/**
 * The query with its double-quoted strings in single quotes, which better-sqlite3 asks for (SQLITE_DQS=0), and with its
 * comparisons in one piece; strings stay where it can't be parsed or resolved, or is nested too deeply for that, so that
 * SQLite has the last word.
 */
export function executableSql(given: string, database: Database): string {
  const sql = joinComparisons(given);
  if (!sql.includes('"')) return sql;
  try {
    return singleQuoteLiterals(sql, database).sql;
  } catch (error) {
    if (error instanceof SqlRewriteError || error instanceof RangeError) return sql; // the latter: no stack left
    throw error;
  }
}
