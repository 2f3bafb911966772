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

const origin = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('original') }),
    z.strictObject({ kind: z.literal('random'), seed: z.int() }),
    /** Made for one neighbor that random databases left: which one of the gold's, and the attempt. */
    z.strictObject({ kind: z.literal('aimed'), gold: z.int(), neighbor: z.int(), seed: z.int() }),
  ])
  .readonly();
/** Where a database of a suite comes from: that and the task make the same rows again. */
export type DatabaseOrigin = z.infer<typeof origin>;

const evident = {
  table: z.string(),
  columns: z.array(z.string()).readonly(),
  evidence: z.enum(['declared', 'observed', 'assumed']),
  /** Of the table in the original. */
  rows: z.int(),
};

/** `RowConstraint` as it is written. */
const rowConstraint = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('not-null'), ...evident }),
    z.strictObject({ kind: z.literal('unique'), ...evident }),
    z.strictObject({
      kind: z.literal('reference'),
      ...evident,
      parent: z.string(),
      parentColumns: z.array(z.string()).readonly(),
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
  ])
  .readonly();

const listedNeighbor = z
  .strictObject({
    sql: z.string(),
    /** Its `ChangeKind`. */
    kind: z.string(),
    detail: z.string(),
    /** Why, for people: "shown to be equivalent: …", "no row meets all conditions in n databases", … */
    reason: z.string(),
  })
  .readonly();
/** A neighbor that no database of the suite distinguishes from its gold. */
export type ListedNeighbor = z.infer<typeof listedNeighbor>;

const suiteGold = z
  .strictObject({
    sql: z.string(),
    /** Of the text as executed. */
    sha256,
    /** How results are compared: `ordered` where the gold orders its rows, else `bag`. */
    mode: z.enum(['bag', 'ordered']),
    neighbors: z.int(),
    /** Of them, those shown to be equivalent: they are not `left`. */
    equivalent: z.int(),
    left: z.array(listedNeighbor).readonly(),
    /**
     * Those that only a database distinguishes that breaks one of the schema's constraints: they are not `left` either.
     * None in suites of earlier versions.
     */
    equivalentUnderData: z.array(listedNeighbor).readonly().default([]),
    /**
     * Positions in the schema's `databases` where the gold's result does not depend on the order in which rows are found
     * (ties at LIMIT, bare columns next to GROUP BY), those that distinguish most neighbors first; all where the gold is
     * indeterminate.
     */
    databases: z.array(z.int()).readonly(),
    /** The gold's `denotationHash` on each of `databases`, in their order. */
    denotations: z.array(z.string()).readonly(),
    /**
     * Where only a part of the gold's result is determinate, and counts: a position in the schema's `databases`, and the
     * hash of the `PartialDenotation` there. Absent where there is none; suites of format 1 have none.
     */
    partial: z
      .array(z.strictObject({ database: z.int(), denotation: z.string() }).readonly())
      .readonly()
      .optional(),
    /**
     * True if nothing of the gold's result is known to be independent of the order of rows on any database, so that
     * equal queries may fail.
     */
    isIndeterminate: z.boolean(),
    /** True if some database gives the gold at least a row. */
    hasRows: z.boolean(),
  })
  .readonly();
/** The entry of a suite for one gold query. */
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

const curvePoint = z
  .strictObject({
    /** Databases tried: 0 is the original alone. Targeted ones come after all random ones. */
    tried: z.int(),
    /** Neighbors, not shown to be equivalent, that no database so far distinguishes from their gold. */
    left: z.int(),
  })
  .readonly();
/** A point of the curve of the paper's Figure 5. */
export type CurvePoint = z.infer<typeof curvePoint>;

/** `schemas/<db_id>.json` below the suite's folder. */
export const suiteSchemaFile = z.strictObject({
  dbId: z.string(),
  /** Of the schema's names, types and keys: a suite serves the schema that it was made for. */
  schemaSha256: sha256,
  databases: z.array(suiteDatabase).readonly(),
  golds: z.array(suiteGold).readonly(),
  unread: z.array(unreadGold).readonly(),
  curve: z.array(curvePoint).readonly(),
  /** The constraints that all databases satisfy; none in suites of earlier versions. */
  constraints: z.array(rowConstraint).readonly().default([]),
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

/**
 * A part of a suite that does not hold on this machine: a file, the result of a gold query, a neighbor that is
 * distinguished though it is listed as left or as equivalent, or a generated database that breaks a constraint of the
 * data.
 */
export const suiteFault = z
  .strictObject({
    dbId: z.string(),
    kind: z.enum(['missing', 'damaged', 'denotation', 'told-apart', 'constraint']),
    /** A file, or a database by its name. */
    place: z.string(),
    /** The query that gives something else; null where a file is missing or damaged. */
    sql: z.string().nullable(),
    detail: z.string(),
  })
  .readonly();
export type SuiteFault = z.infer<typeof suiteFault>;
