import type { Database } from '../../schema/schema.js';
import type { QuotedSql } from '../../sql/edits.js';
import type { DrawnSchema } from '../relations/names/draw-schema.js';
import { changedSchema, insertionsOf, type PerturbedSchema } from '../relations/names/perturbed-schema.js';
import type { SkippedItem } from '../candidates/plan-tables.js';
import { slotName, type VariantKind, type VariantSlot } from './variant-plan.js';

/** A variant as a run keeps it: plain JSON without its schema, which its changes make of the original again. */
export interface KeptVariant extends Omit<DrawnSchema, 'schema' | 'columns'> {
  readonly kind: VariantKind;
  /** The original database. */
  readonly dbId: string;
  /** The id under which its schema is written; equal schemas share one. */
  readonly schemaId: string;
  /** sha256 of the schema under the original's id. */
  readonly schemaHash: string;
  /** The examples whose gold can be rewritten, in their order, with it. */
  readonly turns: readonly { readonly id: string; readonly query: QuotedSql }[];
}

/** The outcome for one kind of variant of a group of examples. */
export interface KeptOutcome {
  /** Null where there is none. */
  readonly variant: KeptVariant | null;
  readonly skipped: readonly SkippedItem[];
}

/** Returns the id of a group's outcome among a run's. */
export const outcomeId = (group: string, slot: VariantSlot): string => `${group} ${slotName(slot)}`;

/** The schema that a variant's changes make. */
export function keptSchema(database: Database, variant: KeptVariant): PerturbedSchema {
  const { kind, schemaId, changes, positions } = variant;
  const made = changedSchema(database, schemaId, changes, insertionsOf(changes, positions));
  return { ...made, origin: database.id, kind, changes };
}
