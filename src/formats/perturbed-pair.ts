import type { Database } from '../schema/schema.js';

/** A question with its gold on a schema, as a published set has it. */
interface PublishedGold {
  /** Null where the set's schema can't be read. */
  readonly database: Database | null;
  readonly question: string;
  /** Null where the set gives none. */
  readonly query: string | null;
}

/** A published set's own mapping between the two schemas; a reader of it may find more, or disagree. */
export interface PublishedMapping {
  /** New names of tables, by old ones. */
  readonly tables: ReadonlyMap<string, string>;
  /** Old column behind a new one of a merged table: [new column, old table, old column]. */
  readonly merged: readonly (readonly [now: string, table: string, column: string])[];
  /** Columns in another form: old names and new ones, of which one side has one. */
  readonly recoded: readonly { readonly old: readonly string[]; readonly now: readonly string[] }[];
}

export const NO_MAPPING: PublishedMapping = { tables: new Map(), merged: [], recoded: [] };

/** An example of a published set of perturbations, before and after. */
export interface PerturbedPair {
  /** That of the data set's example. */
  readonly id: string;
  /** As the set calls it: "rename columns", "DB_schema_synonym". */
  readonly kind: string;
  readonly before: PublishedGold;
  readonly after: PublishedGold;
  readonly mapping: PublishedMapping;
  /** The set's own id of the original's database. */
  readonly origin: string;
  /** The schema after the change as it is meant: where a record contradicts itself, all that it says. */
  readonly intended: Database | null;
  /** True if things are removed that the gold may need. */
  readonly isRemoval: boolean;
  /** True if the gold after the change is to give the rows of the one before. */
  readonly keepsRows: boolean;
  /** SQLite files of both databases; null where there is none. */
  readonly rowsBefore: string | null;
  readonly rowsAfter: string | null;
  /** The file's record, for who writes it again. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The field of the record with the gold after the change. */
  readonly goldField: string;
  /** Name of the file that it is from, below the set's folder. */
  readonly file: string;
}
