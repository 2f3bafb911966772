import type { Database } from '../../schema/schema.js';
import type { ClauseQuery } from './clause.js';
import type { JoinKey } from './join-keys.js';

/** A NatSQL query in clauses, with the clause of each part that Spider-SS numbers. */
export interface NatSqlClauses {
  readonly query: ClauseQuery;
  /**
   * By Spider-SS's number (select items, then conditions and the connectives between them, group keys, order terms,
   * limit): index of the clause; null for a connective.
   */
  readonly parts: readonly (number | null)[];
}

/**
 * Reads NatSQL as Spider-SS and the NatSQL data set write it ("select singer.name from singer where @ join song.*").
 * @throws ClauseRefusal `natsql` where the text is outside the published grammar, or a name isn't the database's
 */
export function clausesOfNatSql(text: string, database: Database, keys: readonly JoinKey[]): NatSqlClauses {
  throw new Error(`not yet: ${text} ${database.id} ${keys.length}`);
}
