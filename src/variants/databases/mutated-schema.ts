import { zip } from '../../present.js';
import type { ColumnRef, Database, PlacedTable, Table } from '../../schema/schema.js';
import { quoteIdentifier } from '../../sql/dialect.js';

/**
 * A table of a mutated schema as a query over the seed's database: its rows, one result column per column, in order.
 */
export interface TableContent {
  readonly select: string;
  /** Identifiers of columns that the query gives as NULL: values are made for them when the database is written. */
  readonly made?: readonly string[];
  /** Declared types of columns that the query computes, by identifier. */
  readonly types?: Readonly<Record<string, string>>;
}

/** A schema that a relation made. */
export interface MutatedSchema {
  /** Its id is new; equal content has the equal id, whatever question it was made for. */
  readonly schema: Database;
  /** Id of the data set's own database that the rows come from. */
  readonly origin: string;
  /** By table of `schema`, over the database of `origin` (composed relations nest). */
  readonly content: readonly TableContent[];
  /**
   * By table and column of `schema`, the column of the origin that it is, under whatever name; null for a new one. Left
   * out where that is not known: texts about the schema then stay as they are.
   */
  readonly sources?: readonly (readonly (ColumnRef | null)[])[];
}

const SYSTEM_TABLE = /^sqlite_/i;

/** Checks whether SQLite keeps a table for itself: Spider lists world_1's sqlite_sequence. */
export function isSystemTable({ originalName }: Pick<Table, 'originalName'>): boolean {
  return SYSTEM_TABLE.test(originalName);
}

/** A table of a mutated schema, with the query of its rows. */
export interface ContentTable extends PlacedTable {
  readonly content: TableContent;
}

/** The tables of a mutated schema but for those that SQLite keeps for itself. */
export function contentTables({ schema, content }: MutatedSchema): readonly ContentTable[] {
  return zip(schema.tables, content).flatMap(([table, own], t) =>
    isSystemTable(table) ? [] : [{ t, table, content: own }],
  );
}

/**
 * The query of a table whose rows are another's, cell by cell: each column by what it is called there, null for NULL.
 */
export function plainSelect(from: string, columns: readonly (readonly [before: string | null, now: string])[]): string {
  const list = columns.map(([before, now]) => {
    const value = before === null ? 'NULL' : quoteIdentifier(before);
    return before === now ? value : `${value} AS ${quoteIdentifier(now)}`;
  });
  return `SELECT ${list.join(', ')} FROM ${quoteIdentifier(from)}`;
}

/** Checks whether the table of this name is one of the origin's, unchanged but for keys. */
export function isUntouched({ tables }: Database, name: string, { select }: TableContent): boolean {
  const own = tables.find(({ originalName }) => originalName === name)?.columns ?? [];
  return (
    select ===
    plainSelect(
      name,
      own.map(({ originalName }) => [originalName, originalName]),
    )
  );
}

/** The origin's tables that a table's query reads; relations write their names in quotes. */
export function tablesRead({ select }: Pick<TableContent, 'select'>, { tables }: Database): readonly Table[] {
  return tables.filter(({ originalName }) => select.includes(quoteIdentifier(originalName)));
}
