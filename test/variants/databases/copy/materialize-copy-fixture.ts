import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll } from 'vitest';
import { quoteIdentifier } from '../../../../src/sql/dialect.js';
import { isTrivia, tokenize, unquote } from '../../../../src/sql/tokenizer.js';

/** A folder that is gone after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-copy-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function createDatabase(file: string, sql: string): void {
  rmSync(file, { force: true });
  const sqlite = new Sqlite(file);
  sqlite.pragma('foreign_keys = OFF');
  sqlite.exec(sql);
  sqlite.close();
}

/** Runs a reader on a file without journals being left next to it. */
export function withDatabase<T>(file: string, read: (sqlite: Sqlite.Database) => T): T {
  const sqlite = new Sqlite(file, { fileMustExist: true });
  sqlite.pragma('synchronous = OFF');
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly hidden: number;
}

export function columnsOf(sqlite: Sqlite.Database, table: string): ColumnInfo[] {
  return (sqlite.pragma(`table_xinfo(${quoteIdentifier(table)})`) as ColumnInfo[]).filter(({ hidden }) => hidden !== 1);
}

export function tablesOf(sqlite: Sqlite.Database): { readonly name: string; readonly wr: number }[] {
  const listed = sqlite.pragma('table_list') as { name: string; type: string; schema: string; wr: number }[];
  return listed
    .filter(({ name, type, schema }) => type === 'table' && schema === 'main' && !name.startsWith('sqlite_'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every cell of a table with its storage class, bytes as hexadecimal digits; rows in order of rowid or key. */
function cellsOf(
  sqlite: Sqlite.Database,
  table: string,
  columns: readonly string[],
  rowid: string | null,
  order: string,
): unknown[] {
  const cells = columns.flatMap((name) => {
    const column = quoteIdentifier(name);
    return [`typeof(${column})`, `iif(typeof(${column}) IN ('text', 'blob'), hex(CAST(${column} AS BLOB)), ${column})`];
  });
  const id = rowid === null ? [] : [rowid];
  const sql = `SELECT ${[...id, ...cells].join(', ')} FROM ${quoteIdentifier(table)} ORDER BY ${order}`;
  return sqlite.prepare(sql).raw().safeIntegers().all();
}

/** The order of a table WITHOUT ROWID; without ORDER BY, SQLite may read it in that of any index. */
function keyOrder(sqlite: Sqlite.Database, table: string): string {
  const indexes = sqlite.pragma(`index_list(${quoteIdentifier(table)})`) as { name: string; origin: string }[];
  const key = indexes.find(({ origin }) => origin === 'pk')?.name ?? '';
  const terms = sqlite.pragma(`index_xinfo(${quoteIdentifier(key)})`) as {
    name: string;
    desc: number;
    coll: string;
    key: number;
  }[];
  const used = terms.filter((term) => term.key === 1);
  return used
    .map(({ name, desc, coll }) => `${quoteIdentifier(name)} COLLATE ${coll}${desc === 1 ? ' DESC' : ''}`)
    .join(', ');
}

/** All cells of all tables, without the columns that are named. */
export function allCells(sqlite: Sqlite.Database, without: (table: string, column: string) => boolean): unknown {
  return tablesOf(sqlite).map(({ name, wr }) => {
    const all = columnsOf(sqlite, name).map((column) => column.name);
    const taken = new Set(all.map((column) => column.toLowerCase()));
    const rowid = ['rowid', '_rowid_', 'oid'].find((candidate) => !taken.has(candidate)) ?? null;
    const columns = all.filter((column) => !without(name, column));
    return [
      name,
      wr === 1
        ? cellsOf(sqlite, name, columns, null, keyOrder(sqlite, name))
        : cellsOf(sqlite, name, columns, rowid, rowid ?? '1'),
    ];
  });
}

/** Names and cells of all views that can be read. */
export function viewCells(sqlite: Sqlite.Database): unknown {
  const views = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name").pluck().all();
  return (views as string[]).map((name) => {
    try {
      const statement = sqlite
        .prepare(`SELECT * FROM ${quoteIdentifier(name)}`)
        .raw()
        .safeIntegers();
      return [name, statement.columns().map((column) => column.name), statement.all().map(render).sort()];
    } catch (error) {
      return [name, error instanceof Error ? error.name : ''];
    }
  });
}

function render(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** A SQL text up to white space and quotes of identifiers. */
function bareText(sql: string): string {
  const tokens = tokenize(sql).filter((token) => !isTrivia(token));
  return tokens.map((token) => (token.kind === 'string' ? token.text : unquote(token))).join(' ');
}

export interface StoredObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** The definitions of a file in their order, up to quotes. */
export function bareSchema(sqlite: Sqlite.Database): StoredObject[] {
  const objects = sqlite.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY rowid').all() as StoredObject[];
  return objects.map(({ type, name, sql }) => ({ type, name, sql: sql === null ? null : bareText(sql) }));
}

/** What SQLite's own checks find. */
export function checksOf(sqlite: Sqlite.Database): unknown {
  return [sqlite.pragma('integrity_check'), foreignKeyFaults(sqlite)];
}

function foreignKeyFaults(sqlite: Sqlite.Database): unknown {
  try {
    return sqlite.pragma('foreign_key_check');
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder).sort();
}
