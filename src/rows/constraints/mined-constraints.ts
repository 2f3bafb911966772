import type { Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { ColumnRule } from './column-rule.js';
import type { DataLevel, RowConstraint } from './row-constraint.js';

/** What constraints are mined from. */
export interface ConstraintSource {
  readonly database: Database;
  /** The original SQLite file; null where there is none. */
  readonly file: string | null;
  readonly level: DataLevel;
  /** Gold queries of the schema. */
  readonly golds: readonly string[];
}

/** What the rows of all databases of a schema keep to. */
export interface MinedConstraints {
  readonly level: DataLevel;
  readonly list: readonly RowConstraint[];
  /** What values keep to, by `columnPlace`. */
  readonly rules: ReadonlyMap<string, ColumnRule>;
}

/** Nothing but what SQLite itself asks for. */
export const NO_CONSTRAINTS: MinedConstraints = { level: 'any', list: [], rules: new Map() };

/** A column of a file by the names of its table and its own, whatever their case. */
export function columnPlace(table: string, column: string): string {
  return `${foldName(table)}\0${foldName(column)}`;
}
