import { createRng, shuffled } from '../../../src/seeded-rng.js';
import { columnKey, type Database } from '../../../src/schema/schema.js';
import type { SqlDialect } from '../../../src/sql/dialect.js';

/** A change of a schema, as the rewriter takes it and as a server does it. */
export interface ServerChange {
  readonly renames: ReadonlyMap<string, string>;
  readonly added: ReadonlyMap<number, readonly string[]>;
  readonly apply: readonly string[];
  readonly undo: readonly string[];
}

// Columns of other tables, aliases and functions of the queries, words that are reserved somewhere, odd characters.
const NAMES =
  `id name age city_id boss country population person_id year cost order n k q count max lower Name user value
  column1 l p é x.y o"x b\`t Age total depth select count(*) max(age) a b top rank r m years avg t v c key date person city
  visit day interval left if char values sum`
    .split(/\s+/)
    .concat('first name', 'the name');

const ADDED_PER_TABLE = 3;

const inQuotes = (name: string, { quote }: SqlDialect): string => quote + name.replaceAll(quote, quote + quote) + quote;

/** Names in a seeded order that no column of a table has. */
function freeNames(database: Database, table: number, seed: number, dialect: SqlDialect): string[] {
  const used = new Set(database.tables[table]!.columns.map(({ originalName }) => dialect.fold(originalName)));
  return shuffled(NAMES, createRng(seed, `names of ${table}`)).filter((name) => {
    const isFree = !used.has(dialect.fold(name));
    used.add(dialect.fold(name));
    return isFree;
  });
}

/** Gives about half of all columns new names. */
export function randomRenames(database: Database, seed: number, dialect: SqlDialect): ServerChange {
  const rng = createRng(seed, 'columns');
  const renames = new Map<string, string>();
  const steps = database.tables.flatMap(({ originalName, columns }, table) => {
    const free = freeNames(database, table, seed, dialect);
    return columns.flatMap((column, c) => {
      if (rng.next() < 0.5) return [];
      const name = free.pop()!;
      renames.set(columnKey({ table, column: c }), name);
      return [[originalName, column.originalName, name] as const];
    });
  });
  const rename = (table: string, from: string, to: string): string =>
    `ALTER TABLE ${inQuotes(table, dialect)} RENAME COLUMN ${inQuotes(from, dialect)} TO ${inQuotes(to, dialect)}`;
  return {
    renames,
    added: new Map(),
    apply: steps.map(([table, from, to]) => rename(table, from, to)),
    undo: steps.map(([table, from, to]) => rename(table, to, from)),
  };
}

/** Gives every table three further columns. */
export function randomAdditions(database: Database, seed: number, dialect: SqlDialect): ServerChange {
  const added = new Map<number, readonly string[]>();
  const steps = database.tables.flatMap(({ originalName }, table) => {
    const names = freeNames(database, table, seed, dialect).slice(0, ADDED_PER_TABLE);
    added.set(table, names);
    return names.map((name) => [inQuotes(originalName, dialect), inQuotes(name, dialect)] as const);
  });
  return {
    renames: new Map(),
    added,
    apply: steps.map(([table, name]) => `ALTER TABLE ${table} ADD COLUMN ${name} varchar(9) DEFAULT 'added'`),
    undo: steps.map(([table, name]) => `ALTER TABLE ${table} DROP COLUMN ${name}`),
  };
}
