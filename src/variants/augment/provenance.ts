import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import type { PerturbedLine, RecordedChange } from '../../formats/artifacts/provenance.js';
import type { OutputExample, OutputSchema } from '../../formats/output-set.js';
import type { TextChange } from '../../formats/schema-text/schema-texts.js';
import { type Database, placedColumn } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { SqlEdit } from '../../sql/edits.js';
import type { ColumnChange } from '../relations/names/draw-perturbation.js';
import type { Dataset } from '../../formats/dataset.js';
import type { RunHost } from '../../run/run-host.js';
import type { SkippedItem } from '../candidates/plan-tables.js';

/** How a mutant was made, as its line says it: `expectation` where it asks something else, `mapping` where values changed. */
export type MutantMaking = Required<Pick<PerturbedLine, 'id' | 'relations' | 'details'>> &
  Pick<PerturbedLine, 'level' | 'expectation' | 'mapping'>;

/** What a mutant's record says of how it was made. */
export function mutantMaking({ id, relations, level, details, expectation, mapping }: MutantRecord): MutantMaking {
  return {
    id,
    relations,
    ...(level === undefined ? {} : { level }),
    details,
    ...(expectation === 'other-query' ? { expectation } : {}),
    ...(mapping == null ? {} : { mapping }),
  };
}

/** The differences of a record from its original; an original itself has none. */
export interface RecordChanges {
  readonly changes: readonly ColumnChange[];
  readonly edits: readonly SqlEdit[];
  /** As in `DrawnSchema`. */
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
  const { table, column } = placedColumn(database, ref);
  return {
    table: table.originalName,
    column: column.originalName,
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

/** Where a variant's columns were in the original: those that ADD put in are new, all others keep their order. */
export function recordedPositions(
  original: Database,
  schema: Database,
  kind: string,
  changes: readonly Pick<RecordedChange, 'table' | 'identifier' | 'kind'>[],
): OutputSchema['columns'] {
  return schema.tables.map((table, t) => {
    const own = changes.filter((change) => change.table === original.tables[t]?.originalName);
    const isAdded = (change: (typeof own)[number]): boolean => (change.kind ?? kind) === 'ADD';
    const added = new Set(own.filter(isAdded).map(({ identifier }) => foldName(identifier)));
    let next = 0;
    return table.columns.map(({ originalName }) => (added.has(foldName(originalName)) ? null : next++));
  });
}

/** A mutant as a record of a training set. */
export interface TrainingMutant {
  readonly example: OutputExample;
  readonly making: MutantMaking;
}

/** Mutants for a training set. */
export interface TrainingMutants {
  /** By id of the example that they were made of. */
  readonly byExample: ReadonlyMap<string, readonly TrainingMutant[]>;
  /** Those that nothing can be learned from. */
  readonly skipped: readonly SkippedItem[];
  /** The SQLite file of a schema of their own; null where there is none. */
  fileOf(id: string): string | null;
}

/** The run that mutants are made for. */
interface MutantUse {
  readonly dataset: Dataset;
  /** Folder of the run that takes them. */
  readonly out: string;
  /** Decided candidates, for relations that take names from them. */
  readonly candidates: string;
}

/** Where the mutants of a training set come from: a run of `mutate`, which is made above. */
export interface MutantSource {
  /** Everything that they depend on, for a manifest. */
  readonly fingerprint: string;
  /** @throws InputFormatError where they were made of other examples */
  mutantsFor(use: MutantUse, host: RunHost): Promise<TrainingMutants>;
}
