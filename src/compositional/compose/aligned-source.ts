import { basename } from 'node:path';
import { z } from 'zod';
import type { Dataset, DatasetExample, SkippedExample } from '../../formats/dataset.js';
import type { Database } from '../../schema/schema.js';
import type { AlignedQuestion } from '../align/aligned-question.js';
import type { JoinKey } from '../clauses/join-keys.js';
import type { AnnotatedSplit } from '../../formats/annotated-split.js';
import { sha256Of } from '../../run/sha256.js';
import { readAnnotatedSplit } from '../align/annotated-split.js';
import { ClauseRefusal } from '../clauses/clause-refusal.js';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadText, parseJson } from '../../formats/json-file.js';
import { zip } from '../../present.js';
import { readSpiderSs, type SpiderSsRecord, spiderSsRecord } from '../align/spider-ss.js';

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

/** Reads examples one by one; those without an annotation, and those whose clauses are refused, are left out. */
function alignEach(
  examples: readonly DatasetExample[],
  read: (example: DatasetExample) => AlignedQuestion | { readonly reason: string },
): Promise<AlignedQuestions> {
  const questions: AlignedQuestion[] = [];
  const leftOut: SkippedExample[] = [];
  for (const example of examples) {
    try {
      const found = read(example);
      if ('reason' in found) leftOut.push({ id: example.id, reason: found.reason });
      else questions.push(found);
    } catch (error) {
      if (!(error instanceof ClauseRefusal)) throw error;
      leftOut.push({ id: example.id, reason: error.message });
    }
  }
  return Promise.resolve({ questions, leftOut });
}

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
    return alignEach(examples, (example) => {
      const split = this.#splits.get(example.id);
      return split === undefined ? { reason: UNDECIDED } : readAnnotatedSplit(split, example, database, keys);
    });
  }
}

const FIX = 'Give a file of Spider-SS for the same examples: a record for each, in their order.';

/**
 * Sub-sentences with clauses by people, of a file in Spider-SS's form: its records follow the data set's examples, or, where
 * there are fewer, have their places in `rid`, and the other examples are left out.
 */
export class AnnotatedSource implements AlignedSource {
  readonly minConfidence = 0;
  readonly fingerprint: string;
  readonly #file: string;
  readonly #records: readonly SpiderSsRecord[];
  #byExample: ReadonlyMap<string, SpiderSsRecord | null> | null = null;

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
    this.#byExample ??= this.#recordsOf(dataset);
    return alignEach(examples, (example) => {
      const record = this.#recordOf(example);
      return record === null ? { reason: 'nobody has annotated it' } : readSpiderSs(record, example, database, keys);
    });
  }

  #recordsOf(dataset: Dataset): ReadonlyMap<string, SpiderSsRecord | null> {
    const ids = [...dataset.examples()].map(({ id }) => id);
    const records = this.#records;
    if (records.length >= ids.length || records.some(({ rid }) => rid === undefined))
      return new Map(zip(ids.slice(0, records.length), records.slice(0, ids.length)));
    const byPlace = new Map(records.map((record) => [record.rid, record]));
    return new Map(ids.map((id, place) => [id, byPlace.get(place) ?? null]));
  }

  /** Null where nobody has annotated the example. @throws InputFormatError where the record is of another example */
  #recordOf({ id, dbId }: DatasetExample): SpiderSsRecord | null {
    const record = this.#byExample?.get(id);
    if (record === null || record?.db_id === dbId) return record;
    const what = record === undefined ? 'there is no annotation' : `the annotation is of database ${record.db_id}`;
    throw new InputFormatError(`${what} for this example`, { where: { file: basename(this.#file), id }, fix: FIX });
  }
}
