/**
 * SQL rewritten by span: columns renamed or added, everything else byte for byte. Loads no model, database or file.
 * @module
 */
export { SqlRewriteError } from '../errors.js';
export type { Column, ColumnRef, ColumnType, Database, ForeignKey, Table } from '../schema/schema.js';
export { SQLITE, type SqlDialect } from '../sql/dialect.js';
export type { QuotedSql, RewrittenSql, SqlEdit } from '../sql/edits.js';
export { expandStars, renameColumns, rewriteForAdded, rewriteVariant } from '../sql/rename-columns.js';
