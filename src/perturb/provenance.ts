import type { OutputExample, OutputKind } from '../formats/output-set.js';
import type { TextChange } from '../formats/schema-text/record-texts.js';
import { itemAt } from '../present.js';
import { columnAt, type Database } from '../schema/schema.js';
import type { SqlEdit } from '../sql/edits.js';
import type { PerturbationKind } from './candidate-pool.js';
import type { ColumnChange } from './draw-perturbation.js';
import type { MutantMaking } from './mutant-source.js';

/** What was replaced or added, by what, and why: one line of `provenance.jsonl`. */
export interface ProvenanceLine {
  /** Position among the records: in `examples.json`, or in the `dev.json` of prepared inputs. */
  readonly index: number;
  /** Id of the example in the input, "dev:17". */
  readonly source: string;
  readonly db_id: string;
  readonly original_db_id: string;
  readonly kind: OutputKind;
  /** Of a mutant: its own. */
  readonly id?: string;
  readonly unmentioned: boolean;
  readonly changes: readonly {
    readonly table: string;
    readonly column: string;
    /** In a mixed variant: which of the two; in others it is the variant's kind. */
    readonly kind?: PerturbationKind;
    readonly candidate: string;
    readonly identifier: string;
    readonly source: string;
    readonly reason: string;
    readonly origin: unknown;
    readonly e1: number | null;
    readonly e2: number | null;
  }[];
  /** Edits of the gold query by position in the original. */
  readonly edits: readonly SqlEdit[];
  /** Texts about the schema with mentions of renamed columns, by field: what changed and what was left; else absent. */
  readonly texts?: readonly TextChange[];
  /** Of a mutant: how it was made, and what became of values. */
  readonly relations?: readonly string[];
  readonly level?: string;
  readonly details?: readonly string[];
  readonly expectation?: MutantMaking['expectation'];
  readonly mapping?: MutantMaking['mapping'];
}

/** What sets a record apart from its original; nothing does in an original itself. */
export interface RecordChanges {
  readonly changes: readonly ColumnChange[];
  readonly edits: readonly SqlEdit[];
  /** As in `PerturbedGroup`. */
  readonly unmentioned: boolean;
  readonly texts: readonly TextChange[];
  readonly making?: MutantMaking;
}

/** The line of a record that was made from an example on `database`. */
export function provenanceLine(
  index: number,
  { source, kind, schema }: Omit<OutputExample, 'query'>,
  database: Database,
  { changes, edits, unmentioned, texts, making }: RecordChanges,
): ProvenanceLine {
  return {
    index,
    source: source.id,
    db_id: schema.schema.id,
    original_db_id: database.id,
    kind,
    unmentioned,
    changes: changes.map((change) => describeChange(database, change, kind === 'mixed')),
    edits,
    ...(texts.length === 0 ? {} : { texts }),
    ...making,
  };
}

function describeChange(
  database: Database,
  { kind, ref, decision, originalName }: ColumnChange,
  isMixed: boolean,
): ProvenanceLine['changes'][number] {
  return {
    table: itemAt(database.tables, ref.table).originalName,
    column: columnAt(database, ref).originalName,
    ...(isMixed ? { kind } : {}),
    candidate: decision.candidate,
    identifier: originalName,
    source: decision.source,
    reason: decision.reason,
    origin: decision.origin,
    e1: decision.e1,
    e2: decision.e2,
  };
}
