import type { Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { NamedReference } from './breaks-constraint.js';
import type { ColumnRule } from './column-rule.js';
import type { DataLevel, RowConstraint } from './row-constraint.js';

/** The source that constraints are mined from. */
export interface ConstraintSource {
  readonly database: Database;
  /** The original SQLite file; null where there is none. */
  readonly file: string | null;
  readonly level: DataLevel;
  /** Gold queries of the schema. */
  readonly golds: readonly string[];
}

/** A foreign key that is no constraint, as too many rows of the original break it. */
export interface BrokenReference extends NamedReference {
  /** Of the rows that refer to something, those without a parent, as a share; where these are most, spaces and letter case around aside. */
  readonly share: number;
}

/** The constraints on the rows of all databases of a schema. */
export interface MinedConstraints {
  readonly level: DataLevel;
  readonly list: readonly RowConstraint[];
  /** The rules that values satisfy, by `columnPlace`. */
  readonly rules: ReadonlyMap<string, ColumnRule>;
  readonly broken: readonly BrokenReference[];
}

/** Nothing but what SQLite itself asks for. */
export const NO_CONSTRAINTS: MinedConstraints = { level: 'any', list: [], rules: new Map(), broken: [] };

/** A column of a file by the names of its table and its own, whatever their case. */
export function columnPlace(table: string, column: string): string {
  return `${foldName(table)}\0${foldName(column)}`;
}
