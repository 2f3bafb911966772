import type { SqlValue } from '../../sql/execution/query-outcome.js';

/** A query's demand on one value of a row that it is to find. */
export type ValueConstraint =
  | { readonly kind: 'one-of'; readonly values: readonly SqlValue[] }
  | { readonly kind: 'not'; readonly value: SqlValue }
  | { readonly kind: 'above' | 'below'; readonly value: SqlValue; readonly strict: boolean }
  | { readonly kind: 'like'; readonly pattern: string }
  /** Above or below all that other rows hold. */
  | { readonly kind: 'most' | 'least' }
  /** A value that no other row holds, not even by chance. */
  | { readonly kind: 'alone' };

/** A column of a row to be made: the row's number in its witness, and the column's position in the schema's table. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The rows that make a query find something: of which tables, which cells are equal, and what they hold. */
export interface Witness {
  /** Position in the schema of each row's table. */
  readonly rows: readonly number[];
  readonly equal: readonly (readonly [Cell, Cell])[];
  /** Pairs of which the first is to be less than the second. */
  readonly less: readonly (readonly [Cell, Cell])[];
  readonly constraints: readonly (readonly [Cell, ValueConstraint])[];
  /** Cells by which the query groups: the same in all copies of the witness. */
  readonly shared: readonly Cell[];
  /** Cells of the first SELECT's result columns, as far as these are not computed. */
  readonly results: readonly Cell[];
  /** How many copies the query wants, and whether it wants no more. */
  readonly copies: number;
  readonly exact: boolean;
}
