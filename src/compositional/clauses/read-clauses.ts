import type { Database } from '../../schema/schema.js';
import type { ClauseQuery } from './clause.js';
import type { JoinKey } from './join-keys.js';

/**
 * A query in clauses. `keys` are the database's join keys (`joinKeysOf`), the same that `sqlOf` is given.
 * @throws ClauseRefusal with the reason where the query has no clause form
 */
export function clausesOf(sql: string, database: Database, keys: readonly JoinKey[]): ClauseQuery {
  throw new Error(`not yet: ${sql} ${database.id} ${keys.length}`);
}
