import type { Column, Database, Table } from '../schema/schema.js';
import type { Dataset, DatasetExample } from './dataset.js';
import { itemAt, zip } from '../present.js';

/** A schema that is written, and what it was made from. */
export interface OutputSchema {
  readonly schema: Database;
  /** Id of the input's database; equal to the schema's own where nothing changed. */
  readonly origin: string;
  /**
   * Per table and column the column's position in the original table; null = added, none = gone. Tables keep their
   * positions. Empty where the tables are others, as a mutant's may be: texts about them have followed already.
   */
  readonly columns: readonly (readonly (number | null)[])[];
  /** Its record of `tables.json`, where that is written already. */
  readonly record?: unknown;
}

/** A column of a written schema, and the original's column that it was. */
export interface TracedColumn {
  readonly column: Column;
  /** Null = added. */
  readonly from: Column | null;
  /** Position of the latter in its table. */
  readonly position: number | null;
}

/** A table of a written schema, and the original's table that it was. */
export interface TracedTable {
  readonly table: Table;
  readonly original: Table;
  readonly columns: readonly TracedColumn[];
}

/** Entries of a list that has one per column, for columns at other positions; undefined for added ones. */
export function moveEntries<T>(entries: readonly T[], positions: readonly (number | null)[]): (T | undefined)[] {
  return positions.map((position) => (position === null ? undefined : itemAt(entries, position)));
}

/** The tables of a schema that has its original's, each column with the one that it was. */
export function traceTables(
  { schema, columns }: Pick<OutputSchema, 'schema' | 'columns'>,
  original: Database,
): readonly TracedTable[] {
  return zip(original.tables, zip(schema.tables, columns)).map(([before, [table, positions]]) => ({
    table,
    original: before,
    columns: zip(zip(table.columns, positions), moveEntries(before.columns, positions)).map(
      ([[column, position], from = null]) => ({ column, from, position }),
    ),
  }));
}

/** `OutputSchema.columns` of a schema whose columns are where they were. */
export function samePositions({ tables }: Database): OutputSchema['columns'] {
  return tables.map(({ columns }) => columns.map((_, c) => c));
}

/** Checks whether a schema's tables are others than its original's. */
export function hasOtherTables({ columns }: Pick<OutputSchema, 'columns'>): boolean {
  return columns.length === 0;
}

/** Checks whether a schema is an original, as its input has it. */
export function isOriginal({ schema, origin }: Pick<OutputSchema, 'schema' | 'origin'>): boolean {
  return schema.id === origin;
}

export const OUTPUT_KINDS = ['original', 'RPL', 'ADD', 'mixed', 'mutant'] as const;
export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** Whether a variant with renamed columns asks with its original's gold query, which names none of them. */
export function keepsGold(kind: string, query: string | null, originalQuery: string | null): boolean {
  return (kind === 'RPL' || kind === 'mixed') && query !== null && query === originalQuery;
}

export interface OutputExample {
  /** Of a mutant, its own; others are called after their source. */
  readonly id?: string;
  /** The example that it is or was made from; question and unknown fields are its. */
  readonly source: DatasetExample;
  readonly kind: OutputKind;
  readonly schema: OutputSchema;
  /** Gold SQL on the schema; an original's is the input's, byte for byte. */
  readonly query: string;
}

/** The fields that a data set has beyond Spider's, as they are for an example that is written. */
export type OwnFields = (example: OutputExample, input: Dataset) => Readonly<Record<string, unknown>>;

/** A data set to be written: the originals and their variants. */
export interface OutputSet {
  readonly input: Dataset;
  /** The originals that examples use, then the perturbed ones; ids are distinct. */
  readonly schemas: Iterable<OutputSchema>;
  /**
   * From the start, variants after their original, mutants after these, the turns of one interaction and kind one after
   * another. Where one kind is all that is wanted, others may be left out.
   */
  examples(only?: OutputKind): Iterable<OutputExample>;
  /** The SQLite file that holds a schema's rows, where there is one. */
  sqliteFile(id: string): string | null;
}

/** A folder to write into: each file is written whole or not at all. */
export interface OutputFolder {
  write(name: string, content: string | Iterable<string | Uint8Array>): void;
}

/** Writes a data set in one format. Names are relative to the folder: "wikisql/dev.jsonl". */
export type OutputWriter = (set: OutputSet, folder: OutputFolder) => void | Promise<void>;
