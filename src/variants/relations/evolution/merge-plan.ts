import type { Column, ForeignKey, Table } from '../../../schema/schema.js';
import type { TableName } from './table-naming.js';

/** Two tables that become one along a key, a row of the first with its row of the second. */
export interface TableMergePlan {
  readonly key: ForeignKey;
  readonly first: Table;
  readonly second: Table;
  readonly merged: TableName;
  /** The second table's columns as the merged one has them; its key is the first one's column. */
  readonly columns: readonly Column[];
  /** The declared types of both tables' columns, in order; null for those that have none. */
  readonly types: readonly (string | null)[];
  /**
   * True if rows of the second table have no row of the first: they are in the merged table with nothing in its
   * columns.
   */
  readonly hasLonely: boolean;
  /** True if each row of the second table is in one row of the merged table only. */
  readonly isOneToOne: boolean;
  /** True if rows of the first table have no row of the second. */
  readonly hasNulls: boolean;
}
