import type { Dataset, DatasetExample, SkippedExample } from '../../formats/dataset.js';
import type { Database } from '../../schema/schema.js';
import type { AlignedQuestion } from '../align/aligned-question.js';
import type { JoinKey } from '../clauses/join-keys.js';

/** The questions of one database, aligned; those that could not be, with the reason. */
export interface AlignedQuestions {
  readonly questions: readonly AlignedQuestion[];
  readonly leftOut: readonly SkippedExample[];
}

/** Where sub-sentences with their clauses come from: people's files, or our parser, splitter and aligner. */
export interface AlignedSource {
  /** The source's record in a run's manifest. */
  readonly fingerprint: string;
  /** Questions whose alignment is less certain are not composed of. */
  readonly minConfidence: number;
  align(
    examples: readonly DatasetExample[],
    database: Database,
    keys: readonly JoinKey[],
    dataset: Dataset,
  ): Promise<AlignedQuestions>;
  dispose?(): Promise<void>;
}
