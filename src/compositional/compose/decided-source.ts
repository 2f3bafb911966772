import type { AnnotatedSplit } from '../../formats/annotated-split.js';
import type { DatasetExample, SkippedExample } from '../../formats/dataset.js';
import { sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import { readAnnotatedSplit } from '../align/annotated-split.js';
import type { AlignedQuestion } from '../align/aligned-question.js';
import { ClauseRefusal } from '../clauses/clause-refusal.js';
import type { JoinKey } from '../clauses/join-keys.js';
import type { AlignedQuestions, AlignedSource } from './aligned-source.js';

const UNDECIDED = 'nobody has annotated it, or annotators differ and no reviewer has decided';

/** Sub-sentences with clauses as people decided them, of the questions that they did decide. */
export class DecidedSource implements AlignedSource {
  readonly minConfidence = 0;
  readonly fingerprint: string;
  readonly #splits: ReadonlyMap<string, AnnotatedSplit>;

  constructor(splits: readonly AnnotatedSplit[]) {
    this.#splits = new Map(splits.map((split) => [split.id, split]));
    this.fingerprint = `decisions ${sha256Of(JSON.stringify(splits))}`;
  }

  align(examples: readonly DatasetExample[], database: Database, keys: readonly JoinKey[]): Promise<AlignedQuestions> {
    const questions: AlignedQuestion[] = [];
    const leftOut: SkippedExample[] = [];
    for (const example of examples) {
      const read = this.#read(example, database, keys);
      if ('reason' in read) leftOut.push({ id: example.id, reason: read.reason });
      else questions.push(read);
    }
    return Promise.resolve({ questions, leftOut });
  }

  #read(
    example: DatasetExample,
    database: Database,
    keys: readonly JoinKey[],
  ): AlignedQuestion | { readonly reason: string } {
    const split = this.#splits.get(example.id);
    if (split === undefined) return { reason: UNDECIDED };
    try {
      return readAnnotatedSplit(split, example, database, keys);
    } catch (error) {
      if (error instanceof ClauseRefusal) return { reason: error.message };
      throw error;
    }
  }
}
