import { SqlRewriteError } from '../errors.js';
import { columnKey, type Column, type Database } from '../schema/schema.js';
import { SQLITE, type SqlDialect } from './dialect.js';

/** A change of a schema that queries have to follow. */
export interface SchemaChange {
  /** New identifiers of columns, by `columnKey`. */
  readonly renames: ReadonlyMap<string, string>;
  /** Identifiers of columns that tables get in addition, by index of the table. */
  readonly added: ReadonlyMap<number, readonly string[]>;
  /** The treatment of stars that select columns: rewritten if the change would alter them, always, or never. */
  readonly stars: 'where-needed' | 'always' | 'never';
  /** True if double-quoted strings are written in single quotes, too. */
  readonly singleQuotes: boolean;
}

/** No renames, no additions, stars and quotes left alone. */
export const NO_CHANGE: SchemaChange = {
  renames: new Map(),
  added: new Map(),
  stars: 'where-needed',
  singleQuotes: false,
};

function checkNames(database: Database, table: number, names: readonly string[], dialect: SqlDialect): void {
  const seen = new Set<string>();
  for (const name of names) {
    const title = database.tables[table]?.originalName ?? String(table);
    const fault = dialect.nameFault(name);
    const bad = fault === null ? null : `a column of ${title} would have ${fault}`;
    const twice = seen.has(dialect.fold(name))
      ? `two columns of ${title} would be called ${JSON.stringify(name)}`
      : null;
    const reason = bad ?? twice;
    if (reason !== null) {
      throw new SqlRewriteError(reason, { fix: 'Choose another name for it.', where: { id: database.id } });
    }
    seen.add(dialect.fold(name));
  }
}

const addedColumn = (name: string): Column => ({ name: name.toLowerCase(), originalName: name, type: 'others' });

/** A change that a schema went through last, as it was then, with what came of it. */
interface KnownChange {
  readonly renames: readonly (readonly [string, string])[];
  readonly added: readonly (readonly [number, readonly string[]])[];
  readonly dialect: SqlDialect;
  readonly changed: Database;
}

const last = new WeakMap<Database, KnownChange>();

/** Checks whether a change is the one that is known: maps may have been filled further since. */
function isKnown({ renames, added, dialect }: KnownChange, change: SchemaChange, given: SqlDialect): boolean {
  if (dialect !== given || renames.length !== change.renames.size || added.length !== change.added.size) return false;
  for (const [key, name] of renames) if (change.renames.get(key) !== name) return false;
  return added.every(([table, names]) => {
    const now = change.added.get(table);
    return now?.length === names.length && names.every((name, i) => now[i] === name);
  });
}

/**
 * The schema after a change; queries that follow the same change one after another share it.
 * @throws SqlRewriteError as `changeSchema`
 */
export function changedSchema(database: Database, change: SchemaChange, dialect: SqlDialect): Database {
  const known = last.get(database);
  if (known !== undefined && isKnown(known, change, dialect)) return known.changed;
  const changed = changeSchema(database, change, dialect);
  const added = [...change.added].map(([table, names]) => [table, [...names]] as const);
  last.set(database, { renames: [...change.renames], added, dialect, changed });
  return changed;
}

/**
 * The schema after a change; added columns come last, so that references to columns stay valid.
 * @throws SqlRewriteError when two columns of a table would have the same name, or one has none
 */
export function changeSchema(database: Database, change: SchemaChange, dialect: SqlDialect = SQLITE): Database {
  const tables = database.tables.map((table, t) => {
    const kept = table.columns.map((column, c) => {
      const originalName = change.renames.get(columnKey({ table: t, column: c }));
      return originalName === undefined ? column : { ...column, originalName };
    });
    const added = change.added.get(t) ?? [];
    const touched = added.length > 0 || kept.some((column, c) => column !== table.columns[c]);
    if (!touched) return table;
    checkNames(database, t, [...kept.map((column) => column.originalName), ...added], dialect);
    return { ...table, columns: [...kept, ...added.map(addedColumn)] };
  });
  return { ...database, tables };
}
