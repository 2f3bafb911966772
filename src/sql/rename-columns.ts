import type { Database } from '../schema/schema.js';
import { SQLITE, type SqlDialect } from './dialect.js';
import type { QuotedSql, RewrittenSql } from './edits.js';
import { rewriteQuery } from './query-rewriter.js';
import { NO_CHANGE, type SchemaChange } from './schema-change.js';

/**
 * Rewrites a query for renamed columns (RPL): the identifier tokens of those columns change at their spans, all other
 * bytes stay. A name that only holds through a subquery's result follows it; a reference that the new name would make
 * ambiguous is qualified; NATURAL and USING are kept where both sides still agree, else written with ON. `renames` maps
 * `columnKey` to the new identifier, unquoted.
 * @throws SqlRewriteError with position and reason where the query can't be resolved or kept equal in meaning
 */
export function renameColumns(
  sql: string,
  database: Database,
  renames: ReadonlyMap<string, string>,
  dialect: SqlDialect = SQLITE,
): RewrittenSql {
  return plain(rewriteQuery(sql, database, { ...NO_CHANGE, renames }, dialect));
}

const plain = ({ sql, edits }: RewrittenSql): RewrittenSql => ({ sql, edits });

/**
 * Rewrites a query for a perturbed variant: renames and additions at once, as `renameColumns` and `rewriteForAdded` do
 * them, and every double-quoted token that SQLite reads as a string in single quotes, so that the variant runs where
 * double quotes are for identifiers only. All edits have offsets into `sql`; `literals` counts the strings.
 * @throws SqlRewriteError as `renameColumns`
 */
export function rewriteVariant(
  sql: string,
  database: Database,
  change: Partial<Pick<SchemaChange, 'renames' | 'added'>> & { readonly keepStars?: boolean },
  dialect: SqlDialect = SQLITE,
): QuotedSql {
  const { renames = NO_CHANGE.renames, added = NO_CHANGE.added, keepStars = false } = change;
  const stars = keepStars ? 'never' : 'where-needed';
  return rewriteQuery(sql, database, { renames, added, stars, singleQuotes: true }, dialect);
}

/**
 * Rewrites every star that selects columns as the list of those columns, qualified when the query has several tables;
 * `count(*)` stays.
 * @throws SqlRewriteError with position and reason where the query can't be resolved or a column can't be named
 */
export function expandStars(sql: string, database: Database, dialect: SqlDialect = SQLITE): RewrittenSql {
  return plain(rewriteQuery(sql, database, { ...NO_CHANGE, stars: 'always' }, dialect));
}

/**
 * Rewrites a query for columns added to tables (ADD), so that it means what it meant: stars become lists of the present
 * columns (unless `keepStars`), references that would be ambiguous or captured are qualified, NATURAL joins keep their
 * columns, double-quoted strings that would become identifiers get single quotes. A query that is not concerned keeps
 * its bytes. `added` maps the index of a table to the new identifiers, unquoted.
 * @throws SqlRewriteError with position and reason where the query can't be resolved or kept equal in meaning
 */
export function rewriteForAdded(
  sql: string,
  database: Database,
  added: ReadonlyMap<number, readonly string[]>,
  options: { readonly keepStars?: boolean; readonly dialect?: SqlDialect } = {},
): RewrittenSql {
  const stars = options.keepStars === true ? 'never' : 'where-needed';
  return plain(rewriteQuery(sql, database, { ...NO_CHANGE, added, stars }, options.dialect ?? SQLITE));
}
