import { z } from 'zod';
import { STORAGE_KINDS } from '../../rows/constraints/row-constraint.js';
import { suiteChange } from '../transfer/suite-change.js';
import { sha256Of } from '../../run/sha256.js';
import { columnKey, type Database } from '../../schema/schema.js';

/**
 * sha256 of what a schema's queries and databases depend on: identifiers, types and keys, in their order. Not of its id
 * and of the natural words that refer to identifiers, and not of views, which follow their tables.
 */
export function schemaSha256({ tables, primaryKeys, foreignKeys }: Database): string {
  const content = {
    tables: tables.flatMap(({ originalName, columns, isView }) =>
      isView === true ? [] : [[originalName, columns.map((column) => [column.originalName, column.type])]],
    ),
    primaryKeys: primaryKeys.map(columnKey),
    foreignKeys: foreignKeys.map(({ from, to }) => [columnKey(from), columnKey(to)]),
  };
  return sha256Of(JSON.stringify(content));
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

const origin = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('original') }),
  z.strictObject({ kind: z.literal('random'), seed: z.int() }),
  z.strictObject({ kind: z.literal('aimed'), gold: z.int(), neighbor: z.int(), seed: z.int() }),
]);

const evident = {
  table: z.string(),
  columns: z.array(z.string()),
  evidence: z.enum(['declared', 'observed', 'assumed']),
  /** Of the table in the original. */
  rows: z.int(),
};

/** `RowConstraint` as it is written. */
const rowConstraint = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('not-null'), ...evident }),
  z.strictObject({ kind: z.literal('unique'), ...evident }),
  z.strictObject({
    kind: z.literal('reference'),
    ...evident,
    parent: z.string(),
    parentColumns: z.array(z.string()),
    exceptions: z.int(),
  }),
  z.strictObject({
    kind: z.literal('values'),
    ...evident,
    storage: z.enum(STORAGE_KINDS),
    least: z.number().nullable(),
    most: z.number().nullable(),
    format: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('letter-case'), ...evident }),
  z.strictObject({ kind: z.literal('filled'), ...evident }),
]);
export type WrittenConstraint = z.infer<typeof rowConstraint>;

const listedNeighbor = z.strictObject({
  sql: z.string(),
  kind: z.string(),
  detail: z.string(),
  reason: z.string(),
});

/** One gold query of a schema's suite: `DistilledGold` as it is written. */
const suiteGold = z.strictObject({
  sql: z.string(),
  /** Of the text as executed. */
  sha256,
  mode: z.enum(['bag', 'ordered']),
  neighbors: z.int(),
  equivalent: z.int(),
  left: z.array(listedNeighbor),
  /** None in suites of earlier versions. */
  equivalentUnderData: z.array(listedNeighbor).default([]),
  databases: z.array(z.int()),
  denotations: z.array(z.string()),
  /** Databases on which a part of its result is determinate, and counts; suites of format 1 have none. */
  partial: z.array(z.strictObject({ database: z.int(), denotation: z.string() })).optional(),
  isIndeterminate: z.boolean(),
  hasRows: z.boolean(),
});
export type SuiteGold = z.infer<typeof suiteGold>;

const suiteDatabase = z.strictObject({
  /** `database/<db_id>/<name>.sqlite.gz` below the suite's folder. */
  name: z.string(),
  /** Of the SQLite file, not compressed. */
  sha256,
  bytes: z.int(),
  rows: z.int(),
  origin,
});
export type SuiteDatabase = z.infer<typeof suiteDatabase>;

const unreadGold = z.strictObject({
  sql: z.string(),
  reason: z.string(),
  /** The virtual table that it reads, and that suites do not hold; absent where another reason is given. */
  virtualTable: z.string().optional(),
});
/** A gold query that has no neighbors since it can't be read or doesn't execute. */
export type UnreadGold = z.infer<typeof unreadGold>;

/** `schemas/<db_id>.json` below the suite's folder. */
export const suiteSchemaFile = z.strictObject({
  dbId: z.string(),
  /** Of the schema's names, types and keys: a suite serves the schema that it was made for. */
  schemaSha256: sha256,
  databases: z.array(suiteDatabase),
  golds: z.array(suiteGold),
  unread: z.array(unreadGold),
  curve: z.array(z.strictObject({ tried: z.int(), left: z.int() })),
  /** The constraints that all databases satisfy; none in suites of earlier versions. */
  constraints: z.array(rowConstraint).default([]),
  /** The suite was transferred from another schema's: `suite transfer`. */
  carriedFrom: z.string().nullable(),
  /** The change from the databases of the schema that it was transferred from to those of this one. */
  change: suiteChange.optional(),
});
export type SuiteSchemaFile = z.infer<typeof suiteSchemaFile>;

/** Neighbors of some gold queries. */
export interface NeighborCounts {
  readonly golds: number;
  readonly neighbors: number;
  /** Of them, those that are shown to be equivalent, which no suite can distinguish. */
  readonly equivalent: number;
  /** Those that only a database distinguishes that breaks one of the data's constraints. */
  readonly equivalentUnderData: number;
  /** Of the others, those that no database distinguishes. */
  readonly left: number;
}

/** The neighbors of a schema's gold queries, counted. */
export function countNeighbors({ golds }: Pick<SuiteSchemaFile, 'golds'>): NeighborCounts {
  return golds.reduce(
    (sum, { neighbors, equivalent, equivalentUnderData, left }) => ({
      golds: sum.golds + 1,
      neighbors: sum.neighbors + neighbors,
      equivalent: sum.equivalent + equivalent,
      equivalentUnderData: sum.equivalentUnderData + equivalentUnderData.length,
      left: sum.left + left.length,
    }),
    { golds: 0, neighbors: 0, equivalent: 0, equivalentUnderData: 0, left: 0 },
  );
}

/** The neighbors that a suite is to distinguish: all shares are of them. */
export function countedNeighbors({
  neighbors,
  equivalent,
  equivalentUnderData,
}: Pick<NeighborCounts, 'neighbors' | 'equivalent' | 'equivalentUnderData'>): number {
  return neighbors - equivalent - equivalentUnderData;
}

/** Share of the neighbors that are not equivalent that are left, in [0, 1]; null where there is none. */
export function shareLeft(counts: NeighborCounts): number | null {
  const counted = countedNeighbors(counts);
  return counted === 0 ? null : counts.left / counted;
}
