import type { SqlValue } from '../../sql/execution/query-outcome.js';

/** A column of a SQLite table that gets another name (RPL); identifiers as the file's schema spells them. */
export interface ColumnRename {
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** A column that a SQLite table gets in addition (ADD). */
export interface ColumnAddition {
  readonly table: string;
  readonly name: string;
  /** Declared type, "TEXT"; empty = none. */
  readonly declaredType: string;
  /** The column that it is put before, by its name before any rename; null = it comes last. */
  readonly before: string | null;
  /** One value per row, in order of rowid (of the primary key for a table WITHOUT ROWID). */
  readonly values: readonly SqlValue[];
}

/** The differences of a perturbed database from the original. Additions before one column are in their order here. */
export interface DatabaseChange {
  readonly renames: readonly ColumnRename[];
  readonly additions: readonly ColumnAddition[];
}
