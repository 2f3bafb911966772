import type Sqlite from 'better-sqlite3';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { affinityOf } from '../../sql/affinity.js';
import { columnsOf, keyPositions, type ColumnInfo } from '../../sql/execution/table-pragmas.js';

/**
 * What every database of a suite keeps to, as proofs of equivalence need it; columns by `columnKey`. Spider's
 * tables.json doesn't say: it has no NOT NULL, one type for all numbers, and of a composite key often one column only.
 */
export interface ColumnFacts {
  /** Columns that hold integers and NULL only. */
  readonly integer: ReadonlySet<string>;
  /** Columns that hold no NULL. */
  readonly notNull: ReadonlySet<string>;
  /** Sets of columns of one table of which no two rows have the same values. */
  readonly keys: readonly (readonly ColumnRef[])[];
}

/** Facts where nothing but the names and Spider's types are known. */
export const NO_FACTS: ColumnFacts = { integer: new Set(), notNull: new Set(), keys: [] };

/** In SQLite an INTEGER PRIMARY KEY is the row id; other keys may hold NULL. https://sqlite.org/lang_createtable.html */
function isRowId({ type, pk }: ColumnInfo, keyed: number): boolean {
  return pk > 0 && keyed === 1 && type.toUpperCase() === 'INTEGER';
}

/** What the declarations of a SQLite file promise of a schema's columns, if values are of the types declared. */
export function readColumnFacts(sqlite: Sqlite.Database, database: Database): ColumnFacts {
  const [integer, notNull, keys] = [new Set<string>(), new Set<string>(), [] as ColumnRef[][]];
  database.tables.forEach(({ originalName, columns }, table) => {
    const declared = columnsOf(sqlite, originalName);
    const refOf = (name: string): ColumnRef => {
      const column = columns.findIndex((known) => known.originalName.toLowerCase() === name.toLowerCase());
      return { table, column };
    };
    const key = keyPositions(declared).map((position) => refOf(declared[position]?.name ?? ''));
    if (key.length > 0) keys.push(key);
    for (const info of declared) {
      const id = columnKey(refOf(info.name));
      if (affinityOf(info.type) === 'INTEGER') integer.add(id);
      if (info.notnull === 1 || isRowId(info, key.length)) notNull.add(id);
    }
  });
  return { integer, notNull, keys };
}
