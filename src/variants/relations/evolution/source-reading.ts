import type { BoundCore } from '../../../sql/bound-query.js';
import type { ScopeSource } from '../../../sql/scope.js';

/** Writes a column of the changed table as a query has it, with a qualifier where that is needed. */
type ColumnWriter = (name: string) => string;

/**
 * The affinity that an expression lacks and the column had, so that a cast must stand in for it; null where it has it. Of
 * texts in a column of numbers, dates for instance, no cast keeps both.
 */
export type ReadAffinity = 'TEXT' | 'NUMERIC' | 'NUMERIC with texts' | null;

/** A column of the original as the changed schema has it: an expression over columns of its table. */
export interface ColumnReading {
  readonly sql: (column: ColumnWriter) => string;
  readonly affinity: ReadAffinity;
}

/** A further table that has some of a table's columns, row by row. */
interface JoinedTable {
  readonly table: string;
  /** Identifier of the key in both tables. */
  readonly key: string;
  /** Positions of the columns that it has, in the original table. */
  readonly columns: ReadonlySet<number>;
}

/** A table of the changed schema in the place of one of the original. */
export interface TableReading {
  readonly kind: 'table';
  readonly table: string;
  /** By position in the original table; others keep their identifiers. */
  readonly columns: ReadonlyMap<number, ColumnReading>;
  readonly joined: JoinedTable | null;
  /** Set if the table has a part of what the original had: indexes of this may be on another part. */
  readonly isPart?: true;
}

/** A subquery in the place of a table; its columns are called as the table's were. */
export interface SubqueryReading {
  readonly kind: 'subquery';
  /** Without parentheses. */
  readonly select: string;
  /** Positions in the original table of the columns that it gives, in its order. */
  readonly columns: readonly number[];
}

export type SourceReading = TableReading | SubqueryReading;

/** How a query uses one table of one of its FROM clauses. */
export interface SourceUse {
  readonly source: ScopeSource;
  readonly core: BoundCore;
  /** Positions of the columns that the query names, in ascending order. */
  readonly columns: readonly number[];
  readonly usesRowid: boolean;
}

/** Says how a source is read on the changed schema; null where it is read as it was. */
export type SourceReader = (use: SourceUse) => SourceReading | null;

/** A table under another identifier, all of its columns as they were. */
export function renamedTable(table: string): TableReading {
  return { kind: 'table', table, columns: new Map(), joined: null };
}

/** A table that has a part of another's rows or columns, those as they were. */
export function partOfTable(table: string): TableReading {
  return { ...renamedTable(table), isPart: true };
}
