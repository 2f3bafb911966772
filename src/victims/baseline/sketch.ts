import type { ColumnRef } from '../../schema/schema.js';

/** The roles of columns in a query; one column can have several. */
export const COLUMN_ROLES = [
  'select',
  'aggregate',
  'where-equal',
  'where-compare',
  'where-in',
  'group',
  'having',
  'order',
] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** A column of the query, at all its places. */
export interface ColumnSlot {
  readonly ref: ColumnRef;
  readonly roles: readonly ColumnRole[];
  /** Positions of the SELECTs that name it. */
  readonly cores: readonly number[];
}

/** A literal of the query. */
export interface ValueSlot {
  /** `limit` is the number of LIMIT. */
  readonly kind: 'number' | 'text' | 'limit';
  /** Without quotes, and without the wildcards around it. */
  readonly text: string;
  /** Wildcards of LIKE before and after the text. */
  readonly before: string;
  readonly after: string;
  /** The column that it is compared with, where there is one. */
  readonly column: number | null;
}

/** One SELECT with its FROM. */
export interface SketchCore {
  /** Tables of the FROM clause, in order. */
  readonly tables: readonly number[];
  /** Those that neither hold a column of a slot nor lie on the way between such tables. */
  readonly extras: readonly number[];
}

export type SketchPart =
  /** A keyword (upper case), function (lower case) or symbol. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'column'; readonly slot: number; readonly core: number }
  | { readonly kind: 'value'; readonly slot: number }
  /** FROM with its tables and joins. */
  | { readonly kind: 'from'; readonly core: number };

/** A query whose tables, columns and literals can be replaced. */
export interface Sketch {
  readonly parts: readonly SketchPart[];
  readonly columns: readonly ColumnSlot[];
  readonly values: readonly ValueSlot[];
  readonly cores: readonly SketchCore[];
  /** Pairs of slots `x IN (SELECT y …)`: mostly the two ends of a foreign key. */
  readonly memberships: readonly (readonly [number, number])[];
  /** Equal for queries of one structure. */
  readonly key: string;
  /** The traits of the structure, for a classifier: "0:select:count". */
  readonly traits: readonly string[];
}
