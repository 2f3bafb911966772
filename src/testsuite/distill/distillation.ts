import type { CurvePoint, DatabaseOrigin, SuiteGold, UnreadGold } from '../suite/suite-manifest.js';
import type { Database } from '../../schema/schema.js';
import type { DataLevel, RowConstraint } from '../../rows/constraints/row-constraint.js';
import type { TableRows } from '../../rows/fuzz/fuzzer.js';

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

export interface DistilledDatabase {
  readonly origin: DatabaseOrigin;
  /** Null for the original: its file is the content. */
  readonly rows: TableRows | null;
}

/** The suite of one schema. */
export interface DistilledSchema {
  /** The original first where there is one, of up to 32 MiB. */
  readonly databases: readonly DistilledDatabase[];
  readonly golds: readonly SuiteGold[];
  readonly curve: readonly CurvePoint[];
  /** The constraints that all databases satisfy. */
  readonly constraints: readonly RowConstraint[];
  /** Gold queries that have no neighbors since they can't be read or don't execute, with the reason. */
  readonly unread: readonly UnreadGold[];
}
