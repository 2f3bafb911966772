import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { ColumnRule } from '../constraints/column-rule.js';
import type { CatalogKey } from './table-catalog.js';

/** The values that a column may hold, and those that distinguish queries. */
export interface FuzzColumn {
  readonly name: string;
  readonly declaredType: string;
  readonly kind: 'number' | 'text' | 'time';
  readonly isReal: boolean;
  readonly isStrict: boolean;
  /** True if it stands for the row id, which is an integer. */
  readonly isInteger: boolean;
  readonly isNullable: boolean;
  /** True if it alone is a key. */
  readonly isUnique: boolean;
  readonly isGenerated: boolean;
  readonly constants: readonly SqlValue[];
  readonly patterns: readonly string[];
  readonly originals: readonly SqlValue[];
  /** The rule that its values satisfy; null if nothing is known, and if they are another column's. */
  readonly rule: ColumnRule | null;
}

/** Columns that take most of their values from others. */
interface FuzzLink extends CatalogKey {
  /** Of the cells, how many come from the other table. */
  readonly share: number;
}

export interface FuzzTable {
  readonly name: string;
  readonly columns: readonly FuzzColumn[];
  readonly uniques: readonly (readonly number[])[];
  readonly foreignKeys: readonly CatalogKey[];
  /** Columns whose values are taken from another table's without a foreign key that asks for it: queries join them. */
  readonly links: readonly FuzzLink[];
  /** True if no two rows are alike in all columns. */
  readonly hasDistinctRows: boolean;
  /** True if it has a row in every database. */
  readonly isFilled: boolean;
}
