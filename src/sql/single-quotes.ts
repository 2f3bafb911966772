import type { Database } from '../schema/schema.js';
import { bindQuery } from './binder.js';
import { renderString, SQLITE, type SqlDialect } from './dialect.js';
import { applyEdits, sortEdits, spacedEdit, type RewrittenSql } from './edits.js';

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
