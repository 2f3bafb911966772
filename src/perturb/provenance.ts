import type { PerturbedLine, RecordedChange } from '../formats/artifacts/provenance.js';
import type { OutputExample } from '../formats/output-set.js';
import type { TextChange } from '../formats/schema-text/record-texts.js';
import { itemAt } from '../present.js';
import { columnAt, type Database } from '../schema/schema.js';
import type { SqlEdit } from '../sql/edits.js';
import type { ColumnChange } from './draw-perturbation.js';
import type { MutantMaking } from './mutant-source.js';

/** The differences of a record from its original; an original itself has none. */
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
): PerturbedLine {
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
): RecordedChange {
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
