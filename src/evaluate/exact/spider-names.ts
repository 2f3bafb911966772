import type { Database } from '../../schema/schema.js';

/**
 * A schema as Spider's scripts see it: names in lower case, columns numbered as in tables.json, `*` is 0. Names that
 * are equal in lower case are one, with the number of the first.
 */
export interface SpiderNames {
  /** Number of each table, and of each column of it, by name. */
  readonly tables: ReadonlyMap<string, { readonly id: number; readonly columns: ReadonlyMap<string, number> }>;
  /** Number of each column by "table.column", and 0 by "*". */
  readonly columns: ReadonlyMap<string, number>;
  /** For each column number its name as GROUP BY compares it: what is after the first dot of "table.column". */
  readonly bareNames: readonly string[];
  /** For each column number the number of its table; -1 for `*`. */
  readonly tableOf: readonly number[];
  /** Columns that foreign keys link, each with the first of them; see `foreignKeyMap`. */
  readonly linked: ReadonlyMap<number, number>;
}

/**
 * Columns counted as one because foreign keys link them, each with the lowest number among them. Keys are taken in
 * order and each joins the first set that has one of its ends: two sets that a later key would unite stay apart, as in
 * Spider's `build_foreign_key_map`.
 */
function foreignKeyMap(pairs: readonly (readonly [number, number])[]): Map<number, number> {
  const sets: Set<number>[] = [];
  for (const [from, to] of pairs) {
    let found = sets.find((set) => set.has(from) || set.has(to));
    if (found === undefined) sets.push((found = new Set()));
    found.add(from).add(to);
  }
  return new Map(sets.flatMap((set) => [...set].map((column) => [column, Math.min(...set)] as const)));
}

/** Names of the tables that a file of a database has, in lower case; null where that is not known. */
export type PresentTables = ReadonlySet<string> | null;

/** The published script reads names from the file: `sqlite_sequence` in a tables.json is often not in it. */
function isPresent(table: string, present: PresentTables): boolean {
  return present === null ? !table.startsWith('sqlite_') : present.has(table);
}

/**
 * The names of a database as Spider's scripts know them. Tables that its file does not have are no names to them; where
 * the file's tables are not given, those are taken to be SQLite's own (`sqlite_…`).
 */
export function createSpiderNames(database: Database, present: PresentTables = null): SpiderNames {
  const tables = new Map<string, { id: number; columns: Map<string, number> }>();
  const columns = new Map([['*', 0]]);
  const bareNames = ['*'];
  const tableOf = [-1];
  const canonical: number[] = [0];
  const firstIds: number[] = [];
  database.tables.forEach((table, id) => {
    const tableName = table.originalName.toLowerCase();
    const entry = tables.get(tableName) ?? { id, columns: new Map<string, number>() };
    if (isPresent(tableName, present)) tables.set(tableName, entry);
    firstIds.push(bareNames.length);
    for (const column of table.columns) {
      const name = column.originalName.toLowerCase();
      const key = `${tableName}.${name}`;
      const number = columns.get(key) ?? bareNames.length;
      if (tables.has(tableName)) columns.set(key, number);
      entry.columns.set(name, number);
      canonical.push(number);
      bareNames.push(key.split('.')[1] ?? '');
      tableOf.push(entry.id);
    }
  });
  const numberOf = (table: number, column: number): number => canonical[(firstIds[table] ?? 0) + column] ?? 0;
  const pairs = database.foreignKeys.map(
    ({ from, to }) => [numberOf(from.table, from.column), numberOf(to.table, to.column)] as const,
  );
  return { tables, columns, bareNames, tableOf, linked: foreignKeyMap(pairs) };
}
