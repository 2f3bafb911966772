import type { UnreadGold } from '../suite/suite-manifest.js';
import type { Database } from '../../schema/schema.js';
import type { DataLevel, RowConstraint } from '../../rows/constraints/row-constraint.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import type { ChangeKind } from '../neighbors/change.js';
import type { TableRows } from '../../rows/fuzz/fuzzer.js';

/** Where a database of a suite comes from: that and the task make the same rows again. */
export type DatabaseOrigin =
  | { readonly kind: 'original' }
  | { readonly kind: 'random'; readonly seed: number }
  /** Made for one neighbor that random databases left: which one of the gold's, and the attempt. */
  | { readonly kind: 'aimed'; readonly gold: number; readonly neighbor: number; readonly seed: number };

/** How much work goes into one schema. */
export interface DistillBudget {
  /** Random databases that are tried; it ends before where no neighbor is left. */
  readonly randomDatabases: number;
  /** Targeted databases that are tried for each neighbor that is left. */
  readonly targetedDatabases: number;
  /** Databases that distinguish each neighbor are kept, as far as there are so many: wrong queries are no neighbors. */
  readonly redundancy: number;
  /**
   * Random databases that stay whole, chosen by what gold queries find in them: wrong queries of models are no
   * neighbors.
   */
  readonly allRound: number;
}

/** One schema with its gold queries. */
export interface DistillTask {
  readonly database: Database;
  /** The original SQLite file; null where there is none. */
  readonly file: string | null;
  /** Distinct gold queries as they are executed (`executableSql`), in the data set's order. */
  readonly golds: readonly string[];
  readonly seed: number;
  readonly budget: DistillBudget;
  /** The level of constraints that generated databases satisfy. */
  readonly data: DataLevel;
}

/** A point of the curve of the paper's Figure 5. */
export interface CurvePoint {
  /** Databases tried: 0 is the original alone. Targeted ones come after all random ones. */
  readonly tried: number;
  /** Neighbors, not shown to be equivalent, that no database so far tells from their gold. */
  readonly left: number;
}

/** The state that a resumed distillation needs: all else follows from the task. Plain JSON. */
export interface DistillState {
  readonly tried: number;
  readonly kept: readonly DatabaseOrigin[];
  readonly curve: readonly CurvePoint[];
  /** Neighbors left that targeted databases were tried for, in the sequence of the gold queries. */
  readonly targeted: readonly TargetedNeighbor[];
  /** Neighbors that gave another result only where the gold's depends on the order of rows, as `gold.neighbor`. */
  readonly doubtful: readonly string[];
  /** For progress: neighbors not shown to be equivalent, and those of them that no database distinguishes. */
  readonly neighbors: number;
  readonly left: number;
  /** For progress: the share that is done of what follows the random databases. */
  readonly finished: number;
}

/** A neighbor of a gold, by position in the task's gold queries and among the gold's neighbors. */
export interface TargetedNeighbor {
  readonly gold: number;
  readonly neighbor: number;
  /** Databases that could be made for it. */
  readonly built: number;
}

/** A neighbor that no database of the suite tells from its gold. */
export interface LeftNeighbor {
  readonly sql: string;
  readonly kind: ChangeKind;
  readonly detail: string;
  /** Why, for people: "shown to be equivalent: …", "no row meets all conditions in n databases", … */
  readonly reason: string;
}

/** The entry of a suite for one gold query. */
export interface DistilledGold {
  readonly sql: string;
  /** How results are compared: `ordered` where the gold orders its rows, else `bag`. */
  readonly mode: ComparisonMode;
  readonly neighbors: number;
  /** Of them, those shown to be equivalent: they are not `left`. */
  readonly equivalent: number;
  readonly left: readonly LeftNeighbor[];
  /** Those that only a database tells that breaks one of the schema's constraints: they are not `left` either. */
  readonly equivalentUnderData: readonly LeftNeighbor[];
  /**
   * Positions in `databases` where the gold's result does not depend on the order in which rows are found (ties at
   * LIMIT, bare columns next to GROUP BY), those that distinguish most neighbors first; all where the gold is
   * indeterminate.
   */
  readonly databases: readonly number[];
  /** The gold's `denotationHash` on each of `databases`, in their order. */
  readonly denotations: readonly string[];
  /**
   * Where only a part of the gold's result is determinate, and counts: a position in `databases` of the schema, and the
   * hash of the `PartialDenotation` there.
   */
  readonly partial: readonly { readonly database: number; readonly denotation: string }[];
  /**
   * True if nothing of the gold's result is known to be independent of the order of rows on any database, so that equal
   * queries may fail.
   */
  readonly isIndeterminate: boolean;
  /** True if some database gives the gold at least a row. */
  readonly hasRows: boolean;
}

export interface DistilledDatabase {
  readonly origin: DatabaseOrigin;
  /** Null for the original: its file is the content. */
  readonly rows: TableRows | null;
}

/** The suite of one schema. */
export interface DistilledSchema {
  /** The original first where there is one, of up to 32 MiB. */
  readonly databases: readonly DistilledDatabase[];
  readonly golds: readonly DistilledGold[];
  readonly curve: readonly CurvePoint[];
  /** The constraints that all databases satisfy. */
  readonly constraints: readonly RowConstraint[];
  /** Gold queries that have no neighbors since they can't be read or don't execute, with the reason. */
  readonly unread: readonly UnreadGold[];
}
