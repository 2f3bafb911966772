import type { DatasetExample } from '../../formats/dataset.js';
import type { OutputSchema } from '../../formats/output-set.js';
import { samePositions } from '../../formats/output-set.js';
import type { PerturbationKind } from '../../variants/relations/names/candidate-pool.js';
import type { ColumnChange } from '../../variants/relations/names/draw-perturbation.js';
import type { Mention } from '../../variants/candidates/plan-tables.js';
import { sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import type { RewrittenSql } from '../../sql/edits.js';

/** Examples that are attacked together: the turns of an interaction, else one alone. */
export interface AttackGroup {
  readonly id: string;
  readonly database: Database;
  readonly examples: readonly DatasetExample[];
  /** The columns and tables that their gold queries mention. */
  readonly mention: Mention;
}

/** The tables that a group is asked of. */
export interface TableSet {
  /** Under the original's id. */
  readonly schema: Database;
  readonly columns: OutputSchema['columns'];
  /** Empty for the original tables. */
  readonly changes: readonly ColumnChange[];
  /** The gold queries on them, in the order of the examples. */
  readonly queries: readonly RewrittenSql[];
  /** Equal for equal tables; hexadecimal. */
  readonly key: string;
}

/** A set of tables, the condition it represents, and the seed it was drawn with. */
export interface DrawnTables {
  readonly kind: PerturbationKind;
  readonly seed: number;
  readonly tables: TableSet;
}

/** Digits of a table set's key: 48 bits. */
const KEY_LENGTH = 12;

/** The key of tables: what a model sees of them. */
export function tablesKey(schema: Database): string {
  return sha256Of(JSON.stringify(schema)).slice(0, KEY_LENGTH);
}

/** The tables of a group as they are. */
export function originalTables({ database, examples }: AttackGroup): TableSet {
  return {
    schema: database,
    columns: samePositions(database),
    changes: [],
    queries: examples.map(({ query }) => ({ sql: query, edits: [] })),
    key: tablesKey(database),
  };
}
