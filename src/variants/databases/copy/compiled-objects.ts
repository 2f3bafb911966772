import type Sqlite from 'better-sqlite3';
import { itemAt } from '../../../present.js';
import { quoteIdentifier } from '../../../sql/dialect.js';
import { pragmaRows, type ColumnInfo } from '../../../sql/execution/table-pragmas.js';
import type { SchemaEntry } from './schema-catalog.js';

/** SQLite's answer about a view or about what fires triggers: the columns of the view, or the fault. */
export type Compiled = { readonly columns: string } | { readonly fault: string };

/** Returns SQLite's error for an object; null if it compiles, or is not there. */
export function faultOf(compiled: Compiled | undefined): string | null {
  return compiled !== undefined && 'fault' in compiled ? compiled.fault : null;
}

const EVENTS = ['INSERT', 'DELETE', 'UPDATE'];

/** Keys by which `compileObjects` tells of a view or a trigger. */
export function compiledKeys({
  type,
  name,
  tableName,
}: Pick<SchemaEntry, 'type' | 'name' | 'tableName'>): readonly string[] {
  if (type === 'view') return [`view ${name}`];
  return type === 'trigger' ? EVENTS.map((event) => `triggers of ${event} ON ${tableName}`) : [];
}

function settable(sqlite: Sqlite.Database, table: string): string[] {
  try {
    const columns = pragmaRows<ColumnInfo>(sqlite, 'table_xinfo', table);
    return columns.filter(({ hidden }) => hidden === 0).map(({ name }) => name);
  } catch {
    return [];
  }
}

function statementsOf(sqlite: Sqlite.Database, { type, name, tableName }: SchemaEntry): readonly string[] {
  if (type === 'view') return [`SELECT * FROM main.${quoteIdentifier(name)}`];
  if (type !== 'trigger') return [];
  const table = `main.${quoteIdentifier(tableName)}`;
  const set = settable(sqlite, tableName).map((column) => `${quoteIdentifier(column)} = ${quoteIdentifier(column)}`);
  return [`INSERT INTO ${table} DEFAULT VALUES`, `DELETE FROM ${table}`, `UPDATE ${table} SET ${set.join(', ')}`];
}

/** Compiles a statement without running it. */
function compile(sqlite: Sqlite.Database, sql: string): Compiled {
  try {
    const statement = sqlite.prepare(sql);
    const columns = statement.reader ? statement.columns().map(({ name }) => name) : [];
    return { columns: JSON.stringify(columns) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Compiles the views of a file and each event that has triggers, by `compiledKeys`. */
export function compileObjects(
  sqlite: Sqlite.Database,
  entries: readonly SchemaEntry[],
): ReadonlyMap<string, Compiled> {
  const compiled = new Map<string, Compiled>();
  for (const entry of entries) {
    const keys = compiledKeys(entry);
    if (keys.every((key) => compiled.has(key))) continue;
    statementsOf(sqlite, entry).forEach((sql, i) => compiled.set(itemAt(keys, i), compile(sqlite, sql)));
  }
  return compiled;
}

/** The views and triggers that compiled before, and do not now. */
export function newlyBroken(
  entries: readonly SchemaEntry[],
  before: ReadonlyMap<string, Compiled>,
  now: ReadonlyMap<string, Compiled>,
): readonly SchemaEntry[] {
  const isBroken = (key: string): boolean => faultOf(before.get(key)) === null && faultOf(now.get(key)) !== null;
  return entries.filter((entry) => compiledKeys(entry).some(isBroken));
}
