import { ModelFileError } from '../../errors.js';
import { InferencePool } from '../../inference/inference-pool.js';
import type { LinkerManifest } from '../../inference/model-manifest.js';
import type { LocatedModel } from '../../inference/model-store.js';
import { AutoTokenizer, env } from '../../inference/transformers.js';
import type { ColumnRef } from '../../schema/schema.js';
import {
  columnsAnswer,
  failedAnswer,
  type Victim,
  type VictimAnswer,
  type VictimContext,
  type VictimQuestion,
} from '../victim.js';
import { type LinkerSequence, LinkerSequences } from './linker-sequences.js';

/** Raised when a linker is read otherwise than before. */
const VERSION = 1;

const byPlace = (a: ColumnRef, b: ColumnRef): number => a.table - b.table || a.column - b.column;

async function openSequences({ folder, manifest }: LocatedModel<LinkerManifest>): Promise<LinkerSequences> {
  env.allowRemoteModels = false;
  const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  const words = {
    encode: (text: string) => tokenizer.encode(text, { add_special_tokens: false }),
    decode: (ids: readonly number[]) => tokenizer.decode([...ids]),
  };
  return new LinkerSequences(words, manifest.maxTokens);
}

/** A schema linker: it answers with the columns that a question asks for, not with SQL (docs/defense.md). */
export class LinkerVictim implements Victim {
  readonly id = 'linker';
  readonly fingerprint: string;
  readonly concurrency: number;
  readonly #model: LocatedModel<LinkerManifest>;
  readonly #pool: InferencePool;
  #sequences: Promise<LinkerSequences> | null = null;

  constructor(model: LocatedModel<LinkerManifest>) {
    this.#model = model;
    this.#pool = new InferencePool(model);
    // One waits for each that is read.
    this.concurrency = 2 * this.#pool.size;
    this.fingerprint = `linker-${VERSION}:${model.fingerprint}`;
  }

  /**
   * @throws ModelFileError when the model's files are wrong or its network can't be run
   * @throws the signal's reason when aborted
   */
  async answer(asked: VictimQuestion, { signal }: Pick<VictimContext, 'signal'>): Promise<VictimAnswer> {
    const { id, question, schema } = asked;
    this.#sequences ??= openSequences(this.#model);
    const sequences = (await this.#sequences).of(question, schema);
    const { maxTokens } = this.#model.manifest;
    if (sequences.some(({ tokens }) => tokens > maxTokens)) {
      return failedAnswer(id, 'too-long', `a name is longer than the ${maxTokens} tokens of the linker`);
    }
    const outputs = await this.#pool.run(sequences, signal);
    const columns = sequences.flatMap((sequence, i) => this.#linked(sequence, outputs[i]?.data ?? new Float32Array()));
    return columnsAnswer(id, columns.sort(byPlace), schema);
  }

  dispose(): Promise<void> {
    return this.#pool.dispose();
  }

  #linked({ stretches }: LinkerSequence, logits: Float32Array): readonly ColumnRef[] {
    const { name, threshold } = this.#model.manifest;
    if (logits.length < stretches.length) {
      throw new ModelFileError(`the network of ${name} gives ${logits.length} logits, not one for each stretch`, {
        where: { file: this.#model.folder },
        fix: 'Export the linker with training/linker/export_linker.py.',
      });
    }
    return stretches.flatMap((ref, at) => (ref !== null && (logits[at] ?? -Infinity) >= threshold ? [ref] : []));
  }
}
