import { basename } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import type { Dataset, DatasetExample, SkippedExample } from '../../formats/dataset.js';
import { checkRecord, loadText, parseJson } from '../../formats/json-file.js';
import { sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import type { AlignedQuestion } from '../align/aligned-question.js';
import { readSpiderSs, type SpiderSsRecord, spiderSsRecord } from '../align/spider-ss.js';
import { ClauseRefusal } from '../clauses/clause-refusal.js';
import type { JoinKey } from '../clauses/join-keys.js';
import type { AlignedQuestions, AlignedSource } from './aligned-source.js';

const FIX = 'Give a file of Spider-SS for the same examples: a record for each, in their order.';

/** Sub-sentences with clauses by people, of a file in Spider-SS's form: its records follow the data set's examples. */
export class AnnotatedSource implements AlignedSource {
  readonly minConfidence = 0;
  readonly fingerprint: string;
  readonly #file: string;
  readonly #records: readonly SpiderSsRecord[];
  #places: ReadonlyMap<string, number> | null = null;

  /** @throws InputFormatError when the file is missing or none of Spider-SS's */
  constructor(file: string) {
    const text = loadText(file);
    const shape = z.array(spiderSsRecord);
    this.#records = checkRecord(shape, parseJson(text, file), { file, id: '' }, FIX);
    this.#file = file;
    this.fingerprint = `annotations ${sha256Of(text)}`;
  }

  align(
    examples: readonly DatasetExample[],
    database: Database,
    keys: readonly JoinKey[],
    dataset: Dataset,
  ): Promise<AlignedQuestions> {
    this.#places ??= new Map([...dataset.examples()].map(({ id }, place) => [id, place]));
    const questions: AlignedQuestion[] = [];
    const leftOut: SkippedExample[] = [];
    for (const example of examples) {
      try {
        questions.push(readSpiderSs(this.#recordOf(example), example, database, keys));
      } catch (error) {
        if (!(error instanceof ClauseRefusal)) throw error;
        leftOut.push({ id: example.id, reason: error.message });
      }
    }
    return Promise.resolve({ questions, leftOut });
  }

  #recordOf({ id, dbId }: DatasetExample): SpiderSsRecord {
    const record = this.#records[this.#places?.get(id) ?? -1];
    if (record?.db_id === dbId) return record;
    const what = record === undefined ? 'there is no annotation' : `the annotation is of database ${record.db_id}`;
    throw new InputFormatError(`${what} for this example`, { where: { file: basename(this.#file), id }, fix: FIX });
  }
}
