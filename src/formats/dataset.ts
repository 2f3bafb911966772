import { basename } from 'node:path';
import { formatCount } from '../counts.js';
import { InternalError } from '../errors.js';
import type { Database, Example } from '../schema/schema.js';
import type { SqlDialect } from '../sql/dialect.js';
import type { DatasetFormat, DatasetInput } from './dataset-formats.js';
import { runsBy } from '../run/group-by.js';

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

/** Where a data set lies; which of the paths a format wants is in `DATASET_NEEDS`. */
export interface DatasetPaths {
  readonly dataset: DatasetFormat;
  /** Schemas or tables: a file or a folder, as the format has it. */
  readonly tables: string | null;
  /** Questions with gold SQL. */
  readonly examples: string | null;
  /** Databases with their rows, `<db_id>/<db_id>.sqlite` below a folder unless the format has its own layout. */
  readonly databases: string | null;
  /** `postgres://…` or `mysql://…`. */
  readonly connection: string | null;
  /** Identifier readings by people, a line each (`perturbql identifiers --json`), in place of the data set's names. */
  readonly readings?: string | null;
  /** Refuses a data set with a record that can't be used, rather than leaving the record out. */
  readonly strict?: boolean;
  /** Keeps questions that have no gold SQL, with an empty `query`, rather than leaving them out. */
  readonly withoutGold?: boolean;
  /** True if schemas that the data set has no rows for get synthetic databases (`withSyntheticDatabases`). */
  readonly syntheticDatabases?: boolean;
  /** Of the rows of synthetic databases. */
  readonly seed?: number;
}

/** Paths of which some are known to be given. */
export type PathsWith<K extends DatasetInput> = DatasetPaths & Readonly<Record<K, string>>;

/** Spider's format, no path named. */
export const PATH_DEFAULTS = {
  dataset: 'spider',
  tables: null,
  examples: null,
  databases: null,
  connection: null,
} as const satisfies DatasetPaths;

/** A question with its gold SQL, and how its file writes it. */
export interface DatasetExample extends Example {
  /**
   * Examples of one group follow one another and share a schema when perturbed: an interaction's turns; else its own
   * id.
   */
  readonly group: string;
  /** The file's record, for the writer of the same format. */
  readonly record: unknown;
}

/** Why a question is left out that comes without gold. */
export const NO_SQL = 'it has no SQL';

/** An example or a schema that a reader had to leave out. */
export interface SkippedExample {
  /** The record's own, or its place in the file: "dev:17". Of a schema its db_id. */
  readonly id: string;
  readonly reason: string;
  /** Where it is: "dev.json, record 17", "dev.jsonl:18"; absent where the id says so. */
  readonly place?: string;
}

/** Where the rows of a data set are read: in files of SQLite's or, of a server's database, in a copy. */
export interface RowSource extends Pick<Dataset, 'sqliteBytes' | 'sqliteFile'> {
  readonly copy?: ServerCopy;
}

/** A server's database in memory. */
interface ServerCopy {
  /** A SQLite file's, with its tables, columns declared by the server's types. */
  readonly bytes: Uint8Array;
  /** Parts that could not be copied, and why: a line each. */
  readonly notes: readonly string[];
}

/** A Text-to-SQL data set: schemas, questions with gold SQL, rows on demand. No input is ever written to. */
export interface Dataset {
  readonly format: DatasetFormat;
  /** The dialect of the gold SQL. */
  readonly dialect: SqlDialect;
  readonly databases: ReadonlyMap<string, Database>;
  /** Number of examples that `examples()` yields. */
  readonly size: number;
  /** Examples that `examples()` does not yield: with `size`, all that were read. */
  readonly skipped: readonly SkippedExample[];
  /**
   * Schemas that are not in `databases`, with which they are all that were read; of CSV folders, tables: "shop/item".
   */
  readonly skippedSchemas?: readonly SkippedExample[];
  /** Notes for whoever runs over it: tables that could not be read, say. */
  readonly notes?: readonly string[];
  /** Ids of the databases whose rows were made, as the data set ships none; absent where there are none. */
  readonly synthetic?: readonly string[];
  /** Records of Spider's `tables.json` by db_id, where the format has them: what is kept is written again unchanged. */
  readonly spiderTables?: ReadonlyMap<string, unknown>;
  /** sha256 of each input file, by its role: what a run's manifest records. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Of a published set of perturbations: its examples before and after, as far as both can be read. */
  readonly pairs?: readonly PerturbedPair[];
  /** The examples from the start, in the input's order, each with a known `dbId` and an id of its own. */
  examples(): Iterable<DatasetExample>;
  /** Up to three distinct cell values per table and column as texts; empty lists where rows are unknown. */
  sampleValues(database: Database): readonly (readonly (readonly string[])[])[];
  /** Checks whether `sqliteFile` has a file for it. */
  hasRows(dbId: string): boolean;
  /** Bytes of the input's own SQLite file; null, or no such method, where the input holds rows otherwise. */
  sqliteBytes?(dbId: string): number | null;
  /**
   * A SQLite file with the database's rows: the input's own or, where the input holds them otherwise, one that is
   * written into `scratch` at the first call; null where there are no rows. Identifiers are those of the schema.
   */
  sqliteFile(dbId: string, scratch: string): string | null;
  /**
   * Of gold queries in a server's dialect, which no SQLite file runs: where the rows that the server has can be read.
   * The same at each call.
   * @throws InputFormatError when the server can't be reached or read
   */
  readServerRows?(): Promise<RowSource>;
}

/** The schema of a database that a data set is known to have, as that of each of its examples. */
export function databaseOf({ databases }: Pick<Dataset, 'databases'>, id: string): Database {
  const database = databases.get(id);
  if (database === undefined) throw new InternalError(`the data set has no database ${id}`);
  return database;
}

/**
 * The schemas and examples that a reader left out, each with its place next to the id: without it, equal reasons are
 * counted together.
 */
export function leftOutOf({
  skipped,
  skippedSchemas = [],
}: Pick<Dataset, 'skipped' | 'skippedSchemas'>): readonly SkippedExample[] {
  return [...skippedSchemas, ...skipped].map(({ id, reason, place }) => ({
    id: place === undefined ? id : `${id} (${place})`,
    reason,
  }));
}

/** Returns the notes on databases whose rows are made; none if there are no such databases. */
export function syntheticNotes(made: number, seed: number): readonly string[] {
  if (made === 0) return [];
  const databases = made === 1 ? '1 database has' : `${formatCount(made)} databases have`;
  return [`${databases} no rows in the data set: synthetic ones are made from schema and gold queries (seed ${seed})`];
}

/** How reports and manifests keep the name of the file or folder with the examples, "dev.json". */
export interface ExamplesNamed {
  /** Absent where there are no examples, and in reports of earlier versions. */
  readonly examplesName?: string;
}

/** The name of the examples, for a report or a manifest: ids begin with it. */
export function examplesNamed({ examples }: Pick<DatasetPaths, 'examples'>): ExamplesNamed {
  return examples === null ? {} : { examplesName: basename(examples) };
}

/** The name of a report's data: the file of its examples, or else their format. */
export function dataName({ dataset, examplesName }: ExamplesNamed & { readonly dataset: string }): string {
  return examplesName ?? dataset;
}

/** The hint that a data set gives for a question, such as BIRD's evidence; empty if there is none. */
export function evidenceOf({ record }: Pick<DatasetExample, 'record'>): string {
  if (typeof record !== 'object' || record === null || !('evidence' in record)) return '';
  return typeof record.evidence === 'string' ? record.evidence : '';
}

/** The turns of an interaction, or any other example by itself. */
export type ExampleGroup = readonly [DatasetExample, ...DatasetExample[]];

/** Examples by their group, in order. */
export const groupExamples = (examples: Iterable<DatasetExample>): Generator<ExampleGroup> =>
  runsBy(examples, ({ group }) => group);
