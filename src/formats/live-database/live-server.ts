import type { ColumnRef, ColumnType, Database, Table } from '../../schema/schema.js';
import type { SqlDialect } from '../../sql/dialect.js';
import type { ConnectionUrl } from './connection.js';
import { InputFormatError } from '../../errors.js';
import { asView } from '../../schema/column-family.js';
import { naturalName } from '../../schema/natural-name.js';

/** A row as texts; what is not a text comes in the server's own text form. */
export type TextRow = readonly (string | null)[];

/** One read-only transaction on one connection; nothing can be written through it. */
export interface LiveSession {
  /** Rows of one statement. @throws InputFormatError when the server refuses it */
  rows(sql: string): Promise<readonly TextRow[]>;
  /**
   * Rows of one statement that may fail, after which others still work; the server's reason where it failed.
   * @throws InputFormatError when the connection is lost
   */
  attempt(sql: string): Promise<readonly TextRow[] | { readonly reason: string }>;
  /** Ends transaction and connection; never fails. */
  close(): Promise<void>;
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** The server's name of the type, without length and the like: "varchar". */
  readonly declaredType: string;
  /** SQL for the text form of a value; null where it has none worth reading, as bytes. */
  readonly sample: string | null;
}

/** A table or view, with its columns in order. */
export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
  /** A view keeps the names of its columns where those of its tables change. */
  readonly isView: boolean;
}

/** A column that belongs to a key; those of one key follow one another in its order. */
interface KeyColumn {
  readonly table: string;
  readonly column: string;
}

/** A server's catalog of one schema. */
export interface LiveCatalog {
  readonly database: string;
  /** Name that qualifies the tables; in MySQL the database's. */
  readonly schema: string;
  readonly tables: readonly CatalogTable[];
  readonly primaryKeys: readonly KeyColumn[];
  /** Pairs of columns, both in this schema. */
  readonly foreignKeys: readonly { readonly from: KeyColumn; readonly to: KeyColumn }[];
}

/** A kind of database server. */
export interface LiveServer {
  readonly format: 'postgresql' | 'mysql';
  /** URL schemes, with their colons. */
  readonly schemes: readonly string[];
  readonly quote: '"' | '`';
  /** Connects and begins the transaction. @throws InputFormatError when the server can't be reached or refuses */
  open(url: ConnectionUrl): Promise<LiveSession>;
  /** @throws InputFormatError when there is no schema, or the server's settings change how SQL is read */
  readCatalog(session: LiveSession, url: ConnectionUrl): Promise<LiveCatalog>;
  /** The dialect of queries on the schema. */
  dialectOf(catalog: LiveCatalog): SqlDialect;
}

/** Longest statement, in seconds: one that takes longer is a view that computes a lot, and goes without samples. */
export const STATEMENT_SECONDS = 10;

/** Longest wait for a connection, in seconds. */
export const CONNECT_SECONDS = 10;

/** Longest sample, in characters: a document or a log in a cell tells no more at its full length. */
export const SAMPLE_LENGTH = 1000;

/** A name in quotes, whatever it holds. */
export function quoteName(name: string, quote: LiveServer['quote']): string {
  return quote + name.replaceAll(quote, quote + quote) + quote;
}

/** Readers of a catalog's rows, which begin with the table's name: facts on its columns and on the table. */
interface CatalogRows {
  /** Null for a table without columns. */
  column(row: TextRow): CatalogColumn | null;
  isView(row: TextRow): boolean;
}

/** Tables from rows of the catalog, one per column. */
export function tablesOf(rows: readonly TextRow[], read: CatalogRows): CatalogTable[] {
  const tables = new Map<string, { name: string; columns: CatalogColumn[]; isView: boolean }>();
  for (const row of rows) {
    const name = row[0] ?? '';
    const table = tables.get(name) ?? { name, columns: [], isView: read.isView(row) };
    const column = read.column(row);
    if (column !== null) table.columns.push(column);
    tables.set(name, table);
  }
  return [...tables.values()];
}

function toTable({ name, columns, isView }: CatalogTable): Table {
  const named = columns.map((column) => ({ name: natural(column.name), originalName: column.name, type: column.type }));
  const table = { name: natural(name), originalName: name, columns: named };
  return isView ? asView(table) : table;
}

const natural = (name: string): string => naturalName(name) || name.toLowerCase();

function locate({ tables }: LiveCatalog, { table, column }: KeyColumn): ColumnRef[] {
  const t = tables.findIndex(({ name }) => name === table);
  const c = tables[t]?.columns.findIndex(({ name }) => name === column) ?? -1;
  return c < 0 ? [] : [{ table: t, column: c }];
}

/**
 * The schema that a catalog describes, called as its database.
 * @throws InputFormatError when it has no tables; `place` is the connection as it may be shown
 */
export function schemaOf(catalog: LiveCatalog, place: string): Database {
  const { database, schema, tables } = catalog;
  if (tables.length === 0) {
    throw new InputFormatError(`the user sees no tables with columns in ${schema}`, {
      where: { id: place },
      fix: 'Check which database and schema --connection names, and that its user may SELECT from the tables.',
    });
  }
  return {
    id: database,
    tables: tables.map(toTable),
    primaryKeys: catalog.primaryKeys.flatMap((key) => locate(catalog, key)),
    foreignKeys: catalog.foreignKeys.flatMap((key) =>
      locate(catalog, key.from).flatMap((from) => locate(catalog, key.to).map((to) => ({ from, to }))),
    ),
  };
}
