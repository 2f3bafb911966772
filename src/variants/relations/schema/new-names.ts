import type { Database } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { renameColumns, rewriteForAdded } from '../../../sql/rename-columns.js';
import type { GoldUse } from './gold-use.js';
import { spellingKey, wordsOf } from '../../../schema/name-identity.js';

/**
 * Checks whether a question has all words of a name, whatever their number: it might then mean a column of that name.
 */
export function isAskedFor(name: string, question: string): boolean {
  const asked = new Set(wordsOf(question).map(spellingKey));
  return wordsOf(name).every((word) => asked.has(spellingKey(word)));
}

/** Checks whether new names can mean something to a query: it holds them, or joins by whatever names are equal. */
function mentions({ words, bound }: GoldUse, names: readonly string[], dialect: SqlDialect): boolean {
  return bound.joins.length > 0 || names.some((name) => words.has(dialect.fold(name)));
}

/**
 * A query on a schema where a column that it does not use has another name: as it is, but where the new name would be
 * ambiguous or turn a text into a name.
 * @throws SqlRewriteError where it can't be kept equal in meaning
 */
export function withRenamed(
  gold: GoldUse,
  database: Database,
  column: string,
  name: string,
  dialect: SqlDialect,
): string {
  if (!mentions(gold, [name], dialect)) return gold.sql;
  return renameColumns(gold.sql, database, new Map([[column, name]]), dialect).sql;
}

/**
 * A query on a schema where a table has further columns: as it is, but for stars over that table and names that would
 * be ambiguous.
 * @throws SqlRewriteError where it can't be kept equal in meaning
 */
export function withAdded(
  gold: GoldUse,
  database: Database,
  table: number,
  names: readonly string[],
  dialect: SqlDialect,
): string {
  if (!gold.starred.has(table) && !mentions(gold, names, dialect)) return gold.sql;
  return rewriteForAdded(gold.sql, database, new Map([[table, names]]), { dialect }).sql;
}
