/** Spider's column types; `others` is Spider's own word for the rest. */
export const COLUMN_TYPES = ['text', 'number', 'time', 'boolean', 'others'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A column and those derived from it, which are named after it: "year" and "year_number". */
interface ColumnFamily {
  /** The same for the whole family, in its database no other's: "c3". */
  readonly key: string;
  /** What follows the first one's identifier: "_number"; empty for the first, the only one that is perturbed itself. */
  readonly suffix: string;
}

/** Evidence of a reading that people gave. */
export const GIVEN = 'given';
/** Evidence of a reading that a language model gave. */
export const BY_MODEL = 'llm';

/** How a natural name was read from an identifier. */
export interface NameReading {
  /** Probability that people read the same, 0 to 1: of its least sure part. */
  readonly confidence: number;
  /** What speaks for each part that is no word as it stands: "dt: list; sp: table"; "given" where people gave it, "llm" where a model did. */
  readonly evidence: string;
  /** Parts that could not be read; the name has their letters. */
  readonly unread: readonly string[];
}

export interface Column {
  /** Natural words, lower case: "home town". */
  readonly name: string;
  /** The identifier in the database: "Home_Town". */
  readonly originalName: string;
  readonly type: ColumnType;
  /** Absent where the name is the data set's, or the identifier's own words. */
  readonly reading?: NameReading;
  /** Where columns are derived from one another: a new name of the first is one for all. */
  readonly family?: ColumnFamily;
  /** Part of the data set's machinery, a row number or a view's column for instance: never perturbed. */
  readonly fixed?: true;
}

export interface Table {
  readonly name: string;
  readonly originalName: string;
  /** As a column's. */
  readonly reading?: NameReading;
  readonly columns: readonly Column[];
  /** A view: queries read it as a table, it follows the tables that it reads, and its columns are fixed. */
  readonly isView?: true;
  /** Names that queries may use as columns though `*` leaves them out: of a virtual table, which is read as a view. */
  readonly hidden?: readonly string[];
}

/** A column by position: index of its table in the database, index of the column in that table. */
export interface ColumnRef {
  readonly table: number;
  readonly column: number;
}

export interface ForeignKey {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
}

export interface Database {
  readonly id: string;
  readonly tables: readonly Table[];
  readonly primaryKeys: readonly ColumnRef[];
  readonly foreignKeys: readonly ForeignKey[];
}

/** A question with its gold SQL. */
export interface Example {
  /** Stable within its data set: file stem and position, "dev:17". */
  readonly id: string;
  readonly dbId: string;
  readonly question: string;
  /** Gold SQL; empty where there is none, which only readers that were asked for such questions yield. */
  readonly query: string;
}

/** Key of a column within its database, for maps: "2.5". */
export function columnKey(ref: ColumnRef): string {
  return `${ref.table}.${ref.column}`;
}

/** A table of a database, and its position. */
export interface PlacedTable {
  readonly t: number;
  readonly table: Table;
}

/** A column of a database with its table, and where it is. */
export interface PlacedColumn {
  readonly ref: ColumnRef;
  readonly table: Table;
  readonly column: Column;
}

/** The column that a reference points at, with its table. @throws RangeError when it points nowhere. */
export function placedColumn({ id, tables }: Database, ref: ColumnRef): PlacedColumn {
  const table = tables[ref.table];
  const column = table?.columns[ref.column];
  if (table === undefined || column === undefined)
    throw new RangeError(`no column ${columnKey(ref)} in database ${id}`);
  return { ref, table, column };
}

/** The column that a reference points at. @throws RangeError when it points nowhere. */
export function columnAt(database: Database, ref: ColumnRef): Column {
  return placedColumn(database, ref).column;
}

/** Columns of primary and foreign keys, at both ends, by `columnKey`. */
export function keyColumns({ primaryKeys, foreignKeys }: Database): ReadonlySet<string> {
  return new Set([...primaryKeys, ...foreignKeys.flatMap(({ from, to }) => [from, to])].map(columnKey));
}

/** The columns that foreign keys link with one another, directly or over others. */
export class KeyLinks {
  readonly #next = new Map<string, string>();

  constructor({ foreignKeys }: Pick<Database, 'foreignKeys'>) {
    for (const { from, to } of foreignKeys) {
      const [a, b] = [this.rootOf(columnKey(from)), this.rootOf(columnKey(to))];
      if (a !== b) this.#next.set(a, b);
    }
  }

  /** Of a column, by its `columnKey`: the same for all that are linked, and itself for one that none is. */
  rootOf(key: string): string {
    const next = this.#next.get(key);
    return next === undefined ? key : this.rootOf(next);
  }
}
