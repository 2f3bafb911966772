import type { ColumnRef, Database } from '../../schema/schema.js';

/** Two columns by which two tables, or a table and itself, are joined. */
export interface JoinKey {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
}

/**
 * The keys by which a database's tables can be joined: its foreign keys, then the pairs of columns that at least one of
 * its golds joins by, most used first. Golds that can't be read are skipped.
 */
export function joinKeysOf(database: Database, golds: readonly string[] = []): readonly JoinKey[] {
  throw new Error(`not yet: ${database.id} ${golds.length}`);
}
