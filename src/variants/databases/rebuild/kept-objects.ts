import { createHash } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { indexedContent, withOwnContent } from '../../../sql/definitions/create-text.js';
import { foldName, quoteIdentifier } from '../../../sql/dialect.js';
import { isSqliteError, openConnection, whileOpen } from '../../../sql/execution/open-connection.js';
import { editSchema } from '../../../sql/execution/schema-edit.js';
import { columnsOf, readableVirtualTables } from '../../../sql/execution/table-pragmas.js';
import { compileObjects, newlyBroken, readEntries, type SchemaEntry } from '../copy/schema-catalog.js';
import type { Table } from '../../../schema/schema.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';

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

const SEQUENCES = 'sqlite_sequence';
const q = (name: string): string => quoteIdentifier(name);

/** A full-text index over a table that goes: it gets a content of its own. */
interface OwnContent {
  readonly create: string;
  readonly fill: string;
}

/** Drops the table, view or index of a name, where there is one. */
export function dropNamed(sqlite: Sqlite.Database, name: string): void {
  const select = "SELECT type FROM main.sqlite_schema WHERE type <> 'trigger' AND name = ? COLLATE NOCASE";
  const type = sqlite.prepare(select).pluck().get(name) as string | undefined;
  if (type !== undefined) sqlite.exec(`DROP ${type} main.${q(name)}`);
}

/** Creates an object, unless its table is gone, or a column of an index; says whether it has. */
export function createIfPossible(sqlite: Sqlite.Database, sql: string): boolean {
  try {
    sqlite.exec(sql);
    return true;
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return false;
  }
}

/**
 * Objects that depend on tables that are rebuilt: triggers, indexes, views, full-text indexes over them, SQLite's table
 * of sequences. What compiled before and does not afterwards goes; all else is as it was.
 */
export class KeptObjects {
  readonly #sqlite: Sqlite.Database;
  readonly #entries: readonly SchemaEntry[];
  readonly #compiled: ReturnType<typeof compileObjects>;
  readonly #contents: readonly OwnContent[];
  readonly #hasSequences: boolean;

  /** Sets aside what the tables of these folded names take with them. */
  constructor(sqlite: Sqlite.Database, gone: ReadonlySet<string>) {
    this.#sqlite = sqlite;
    this.#entries = readEntries(sqlite);
    this.#compiled = compileObjects(sqlite, this.#entries);
    this.#hasSequences = this.#entries.some(({ name }) => name === SEQUENCES);
    if (this.#hasSequences) sqlite.exec(`CREATE TEMP TABLE perturbql_sequences AS SELECT * FROM main.${SEQUENCES}`);
    this.#contents = readableVirtualTables(sqlite).flatMap(({ name }, number) => {
      const sql = this.#entries.find((entry) => entry.name === name)?.sql ?? '';
      const content = indexedContent(sql);
      const isLeft = content === null || !gone.has(foldName(content.table)) || gone.has(foldName(name));
      return isLeft ? [] : this.#setContentAside(name, sql, `perturbql_content_${number}`);
    });
  }

  /** Puts back what was set aside, once the tables are there. */
  putBack(): void {
    for (const { create, fill } of this.#contents) this.#sqlite.exec(`${create}; ${fill}`);
    if (this.#hasSequences) {
      this.#sqlite.exec(
        `DELETE FROM main.${SEQUENCES}; INSERT INTO main.${SEQUENCES} SELECT * FROM perturbql_sequences`,
      );
    }
    const left = new Set(readEntries(this.#sqlite).map(({ type, name }) => `${type} ${name}`));
    for (const { type, name, sql } of this.#entries) {
      if ((type === 'trigger' || type === 'index') && !left.has(`${type} ${name}`))
        createIfPossible(this.#sqlite, sql ?? '');
    }
    const entries = readEntries(this.#sqlite);
    const broken = newlyBroken(entries, this.#compiled, compileObjects(this.#sqlite, entries));
    for (const { type, name } of broken) this.#sqlite.exec(`DROP ${type} IF EXISTS main.${q(name)}`);
  }

  #setContentAside(name: string, sql: string, aside: string): readonly OwnContent[] {
    const definition = withOwnContent(sql);
    if (definition === null) return [];
    const columns = ['rowid', ...columnsOf(this.#sqlite, name).map((column) => q(column.name))].join(', ');
    this.#sqlite.exec(
      `CREATE TEMP TABLE ${aside} AS SELECT ${columns} FROM main.${q(name)}; DROP TABLE main.${q(name)}`,
    );
    const create = `CREATE VIRTUAL TABLE main.${q(name)} USING ${definition.module}(${definition.args.join(', ')})`;
    return [{ create, fill: `INSERT INTO main.${q(name)} (${columns}) SELECT * FROM temp.${aside}` }];
  }
}

/** A table with its columns, all by identifiers. */
interface NamedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Folded names of an open file's views that can't be read any more once tables are gone and others are there: told
 * before any row is touched, by a schema of the same definitions in memory.
 */
export function lostViews(
  sqlite: Sqlite.Database,
  gone: ReadonlySet<string>,
  further: readonly NamedTable[],
): ReadonlySet<string> {
  const entries = readEntries(sqlite);
  const views = entries.filter(({ type, name }) => type === 'view' && !gone.has(foldName(name)));
  if (views.length === 0) return new Set();
  return whileOpen(openConnection(':memory:'), (scratch) => {
    for (const { type, sql } of entries) if (type === 'table' || type === 'view') createIfPossible(scratch, sql ?? '');
    for (const name of gone) dropNamed(scratch, name);
    for (const { name, columns } of further)
      scratch.exec(`CREATE TABLE ${q(name)} (${columns.map((column) => q(column)).join(', ')})`);
    const lost = newlyBroken(views, compileObjects(sqlite, views), compileObjects(scratch, views));
    return new Set(lost.map(({ name }) => foldName(name)));
  });
}

/** Puts tables into this order in the file's schema, before all else. */
export function orderTables(sqlite: Sqlite.Database, names: readonly string[]): void {
  const entries = readEntries(sqlite);
  const isOf = (name: string) => (entry: SchemaEntry) =>
    (entry.type === 'table' || entry.type === 'view') && foldName(entry.name) === foldName(name);
  const first = names.flatMap((name) => entries.find(isOf(name)) ?? []);
  if (first.every(({ rowid }, i) => i === 0 || rowid > (first[i - 1]?.rowid ?? 0))) return;
  const ordered = [...first, ...entries.filter((entry) => !first.includes(entry))];
  sqlite.exec('CREATE TEMP TABLE perturbql_order (place INTEGER PRIMARY KEY, id)');
  const insert = sqlite.prepare('INSERT INTO perturbql_order (id) VALUES (?)');
  for (const { rowid } of ordered) insert.run(rowid);
  const columns = 'type, name, tbl_name, rootpage, sql';
  editSchema(sqlite, () =>
    sqlite.exec(`CREATE TEMP TABLE perturbql_entries AS
        SELECT ${columns} FROM perturbql_order JOIN main.sqlite_schema ON sqlite_schema.rowid = id ORDER BY place;
      DELETE FROM main.sqlite_schema;
      INSERT INTO main.sqlite_schema (rowid, ${columns}) SELECT rowid, ${columns} FROM perturbql_entries ORDER BY rowid;
      DROP TABLE perturbql_entries; DROP TABLE perturbql_order`),
  );
}
