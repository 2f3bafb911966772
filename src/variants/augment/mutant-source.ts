import type { Dataset } from '../../formats/dataset.js';
import type { OutputExample } from '../../formats/output-set.js';
import type { RunHost } from '../../run/run-host.js';
import type { SkippedItem } from '../candidates/plan-tables.js';
import type { MutantMaking } from './provenance.js';

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
