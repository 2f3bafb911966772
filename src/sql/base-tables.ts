import { LRUCache } from 'lru-cache';
import type { Database } from '../schema/schema.js';
import { zip } from '../present.js';
import type { SqlDialect } from './dialect.js';
import { namesFrom, type Relation, relationOf } from './scope.js';

/** The tables of a schema as queries find them: by their folded names, and by position. */
interface BaseTables {
  readonly byName: ReadonlyMap<string, Relation>;
  readonly relations: readonly Relation[];
}

/** Schemas whose tables are kept as they were read: a run holds many thousand perturbed ones, of which few are in use at a time. */
const CACHE_SIZE = 256;

const known = new WeakMap<SqlDialect, LRUCache<Database, BaseTables>>();
const names = new WeakMap<Relation, readonly string[]>();

function read({ tables }: Database, dialect: SqlDialect): BaseTables {
  const relations = tables.map(({ columns, hidden = [] }, table) =>
    relationOf(
      columns.map(({ originalName }, column) => {
        return { rawName: originalName, origin: { kind: 'base', ref: { table, column } } };
      }),
      table,
      new Set(hidden.map((name) => dialect.fold(name))),
    ),
  );
  const keys = tables.map(({ originalName }) => dialect.fold(originalName));
  // Of two tables of one name the first counts.
  return { byName: new Map(zip(keys, relations).reverse()), relations };
}

/** The tables of a schema; kept, for queries ask for them again and again. */
export function baseTables(database: Database, dialect: SqlDialect): BaseTables {
  let ofDialect = known.get(dialect);
  if (ofDialect === undefined)
    known.set(dialect, (ofDialect = new LRUCache<Database, BaseTables>({ max: CACHE_SIZE })));
  let tables = ofDialect.get(database);
  if (tables === undefined) ofDialect.set(database, (tables = read(database, dialect)));
  return tables;
}

/** Names of the columns of a schema's table. */
export function baseNames(relation: Relation, dialect: SqlDialect): readonly string[] {
  let own = names.get(relation);
  if (own === undefined) {
    const raw = relation.columns.map(({ rawName }) => rawName);
    names.set(relation, (own = namesFrom(relation, raw, dialect)));
  }
  return own;
}
