import { createHash } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import type { Table } from '../../../schema/schema.js';
import { foldName, quoteIdentifier } from '../../../sql/dialect.js';
import { isSqliteError } from '../../../sql/execution/open-connection.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';
import { readEntries } from '../copy/schema-catalog.js';

/** A value as a text that no other has. */
function textOf(value: SqlValue): string {
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
  return value === null ? '' : `${typeof value} ${JSON.stringify(String(value))}`;
}

/** A view's columns and rows, in the order that SQLite gives them, as a hash; or what it says instead. */
function givenBy(sqlite: Sqlite.Database, view: string): string {
  try {
    const select = sqlite
      .prepare(`SELECT * FROM main.${quoteIdentifier(view)}`)
      .raw()
      .safeIntegers();
    const hash = createHash('sha256').update(JSON.stringify(select.columns().map(({ name }) => name)));
    for (const row of select.iterate() as Iterable<SqlValue[]>) hash.update(`\n${row.map(textOf).join(',')}`);
    return hash.digest('hex');
  } catch (error) {
    if (isSqliteError(error)) return error.message;
    throw error;
  }
}

/** Folded names of the views that read tables of these folded names, themselves or through other views. */
function viewsOver(sqlite: Sqlite.Database, tables: ReadonlySet<string>): ReadonlySet<string> {
  const views = readEntries(sqlite).filter(({ type }) => type === 'view');
  const named = new Set(tables);
  for (let before = -1; before < named.size;) {
    before = named.size;
    for (const { name, sql } of views) {
      const text = foldName(sql ?? '');
      if ([...named].some((table) => text.includes(table))) named.add(foldName(name));
    }
  }
  return new Set(views.map(({ name }) => foldName(name)).filter((name) => named.has(name)));
}

/**
 * The views of a schema that read tables which are rebuilt, with what they give before that: a query on a view says the
 * same only while its rows are the same.
 */
export class WatchedViews {
  readonly #sqlite: Sqlite.Database;
  /** By folded name. */
  readonly #given: ReadonlyMap<string, string>;

  /** `gone`: folded names of the tables that go, and of those that come in their place. */
  constructor(sqlite: Sqlite.Database, tables: readonly Table[], gone: ReadonlySet<string>) {
    this.#sqlite = sqlite;
    const over = viewsOver(sqlite, gone);
    const names = tables.map(({ originalName }) => foldName(originalName));
    const watched = names.filter((name) => over.has(name) && !gone.has(name));
    this.#given = new Map(watched.map((name) => [name, givenBy(sqlite, name)]));
  }

  /** Folded names of those that have other columns or rows now. */
  changed(): readonly string[] {
    return [...this.#given].filter(([name, given]) => givenBy(this.#sqlite, name) !== given).map(([name]) => name);
  }
}
