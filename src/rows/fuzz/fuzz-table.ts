import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { ColumnRule } from '../constraints/column-rule.js';
import type { CatalogKey } from './table-catalog.js';
import { itemAt, zip } from '../../present.js';

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

/** A row in the making: one cell for each column of its table. */
export type Cells = SqlValue[];

/** A column of a reference with the one that it takes its values from; positions are those of cells in rows. */
export interface KeyPair {
  readonly column: FuzzColumn;
  readonly position: number;
  readonly parentColumn: FuzzColumn;
  readonly parentPosition: number;
}

/** A reference of a table's rows to those of another, or of its own. */
export interface DrawnKey<Row extends readonly SqlValue[] = Cells> {
  readonly parent: DrawnTable<Row>;
  readonly pairs: readonly KeyPair[];
}

/** A table of one random database with its rows, and the tables that these refer to. */
export interface DrawnTable<Row extends readonly SqlValue[] = Cells> {
  readonly schema: FuzzTable;
  readonly foreignKeys: readonly DrawnKey<Row>[];
  readonly links: readonly (DrawnKey<Row> & { readonly share: number })[];
  rows: readonly Row[];
}

/** The tables of a schema with rows, in its order; `rowsOf` gives those that each has to begin with. */
export function drawnTables<Row extends readonly SqlValue[] = Cells>(
  schemas: readonly FuzzTable[],
  rowsOf: (schema: FuzzTable) => readonly Row[],
): readonly DrawnTable<Row>[] {
  const tables = schemas.map((schema) => {
    const [foreignKeys, links]: [DrawnKey<Row>[], DrawnTable<Row>['links'][number][]] = [[], []];
    return { schema, foreignKeys, links, rows: rowsOf(schema) };
  });
  for (const { schema, foreignKeys, links } of tables) {
    const keyOf = ({ columns, parent: index, parentColumns }: CatalogKey): DrawnKey<Row> => {
      const parent = itemAt(tables, index);
      const pairs = zip(columns, parentColumns).map(([position, parentPosition]): KeyPair => {
        const parentColumn = itemAt(parent.schema.columns, parentPosition);
        return { column: itemAt(schema.columns, position), position, parentColumn, parentPosition };
      });
      return { parent, pairs };
    };
    foreignKeys.push(...schema.foreignKeys.map(keyOf));
    links.push(...schema.links.map((link) => ({ ...keyOf(link), share: link.share })));
  }
  return tables;
}
