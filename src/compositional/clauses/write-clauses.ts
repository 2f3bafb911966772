import type { Database } from '../../schema/schema.js';
import type { ClauseQuery } from './clause.js';
import type { JoinKey } from './join-keys.js';

/**
 * The SQL of a query in clauses: FROM and joins by the shortest way over `keys`, GROUP BY as its clauses say, or by the
 * plain columns selected where aggregates stand next to them.
 * @throws ClauseRefusal where the tables can't be joined, or nothing is selected
 */
export function sqlOf(query: ClauseQuery, database: Database, keys: readonly JoinKey[]): string {
  throw new Error(`not yet: ${query.clauses.length} ${database.id} ${keys.length}`);
}
