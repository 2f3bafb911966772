import { SqlRewriteError } from '../../errors.js';
import { memoizeObject } from '../../schema/memoize.js';
import { type ColumnRef, columnKey, type Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import type { JoinEdge } from './join-plan.js';
import { QueryNames, readFrom } from './read-from.js';

/** Two columns by which two tables, or a table and itself, are joined. */
export interface JoinKey {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
}

/**
 * The keys by which a database's tables can be joined: its foreign keys, then the pairs of columns that at least one of
 * its gold queries joins by; both by how often gold queries use them. Gold queries that can't be read are skipped.
 */
export function joinKeysOf(database: Database, goldQueries: readonly string[] = []): readonly JoinKey[] {
  const counted = new Map<string, { readonly key: JoinKey; readonly rank: number; uses: number }>();
  const count = (key: JoinKey, rank: number): void => {
    const name = [key.from, key.to].map(columnKey).sort().join('=');
    const known = counted.get(name);
    if (known === undefined) counted.set(name, { key, rank, uses: 0 });
    else known.uses++;
  };
  for (const key of database.foreignKeys) count(key, 0);
  for (const edge of goldQueries.flatMap((sql) => edgesOf(sql, database))) count(directed(edge, database), 1);
  return [...counted.values()].sort((a, b) => a.rank - b.rank || b.uses - a.uses).map(({ key }) => key);
}

/** A key toward the primary key, where one of its columns is one. */
function directed({ from, to }: JoinEdge, { primaryKeys }: Database): JoinKey {
  const isPrimary = (ref: ColumnRef): boolean => primaryKeys.some((key) => columnKey(key) === columnKey(ref));
  const [a, b] = [from, to].map(({ table, column }) => ({ table, column })) as [ColumnRef, ColumnRef];
  return isPrimary(a) && !isPrimary(b) ? { from: b, to: a } : { from: a, to: b };
}

/** The joins of all SELECTs of a gold that can be read. */
function edgesOf(sql: string, database: Database): readonly JoinEdge[] {
  const bound = orNull(() => bindQuery(sql, database));
  return bound === null
    ? []
    : bound.cores.flatMap(({ node }) => orNull(() => readFrom(node, namesOf(bound)).edges) ?? []);
}

const namesOf = memoizeObject((bound: BoundQuery) => new QueryNames(bound));

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SqlRewriteError || error instanceof RangeError) return null; // the latter: no stack left
    throw error;
  }
}
