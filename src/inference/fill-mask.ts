import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelFileError } from '../errors.js';
import { type Device, markDevice } from './device.js';
import { InferencePool } from './inference-pool.js';
import type { InferenceOutput } from './inference-protocol.js';
import type { FillMaskManifest } from './model-manifest.js';
import type { LocatedModel } from './model-store.js';
import { itemAt, zip } from '../present.js';

/** The used parts of a tokenizer of transformers.js. */
interface Tokenizer {
  (text: string, options: object): { readonly input_ids: { readonly data: BigInt64Array } };
  readonly mask_token?: string | null;
  readonly mask_token_id?: number | null;
}

/** Of tokenizer.json: WordPiece and BPE number their entries, Unigram lists them. */
const tokenizerSchema = z.looseObject({
  model: z.looseObject({
    type: z.string().nullish(),
    vocab: z.union([z.record(z.string(), z.int()), z.array(z.tuple([z.string(), z.number()]))]),
  }),
});

/** A tokenizer with what it says of masks and whole words. */
interface Vocabulary {
  readonly tokenizer: Tokenizer;
  readonly mask: { readonly token: string; readonly id: bigint };
  /** Positions of whole words of letters, and the words in lower case. */
  readonly words: readonly { readonly position: number; readonly word: string }[];
}

/** Where a whole word begins, in vocabularies that mark beginnings: byte-level BPE and SentencePiece. */
const BEGINNING = /^[Ġ▁]/u;
const WORD = /^[a-z]{2,}$/;

function wordsOf({ model: { type, vocab } }: z.infer<typeof tokenizerSchema>): Vocabulary['words'] {
  const entries = Array.isArray(vocab)
    ? vocab.map(([text], position) => [text, position] as const)
    : Object.entries(vocab);
  return entries.flatMap(([text, position]) => {
    if (type !== 'WordPiece' && !BEGINNING.test(text)) return [];
    const word = text.replace(BEGINNING, '').toLowerCase();
    return WORD.test(word) ? [{ position, word }] : [];
  });
}

/** Predicts the word behind a mask by a masked language model in ONNX, whatever its tokenizer marks words by. */
export class FillMask {
  readonly fingerprint: string;
  readonly #model: LocatedModel<FillMaskManifest>;
  readonly #pool: InferencePool;
  #vocabulary: Promise<Vocabulary> | null = null;

  constructor(model: LocatedModel<FillMaskManifest>, workers?: number, device: Device = 'cpu') {
    this.#model = model;
    this.#pool = new InferencePool(model, workers, { device });
    this.fingerprint = markDevice(`fill-mask:${model.sha256}:${model.fingerprint.slice(0, 16)}`, device);
  }

  /** Returns the mark of a hidden word: "[MASK]", "<mask>". @throws ModelFileError when the tokenizer has no mask */
  async maskToken(): Promise<string> {
    return (await this.#open()).mask.token;
  }

  /**
   * The `k` likeliest whole words for the one mask of each text, likeliest first, each word once, with the natural
   * logarithm of their probability among all of the vocabulary. A text whose mask is cut off gets none.
   * @throws ModelFileError when the network gives no score for each token and entry of the vocabulary.
   */
  async predict(
    texts: readonly string[],
    k: number,
    signal: AbortSignal,
  ): Promise<readonly (readonly { readonly word: string; readonly logProbability: number }[])[]> {
    const vocabulary = await this.#open();
    const outputs = await this.#pool.run(
      texts.map((text) => ({ text })),
      signal,
    );
    return zip(texts, outputs).map(([text, output]) => this.#likeliest(vocabulary, text, output, k));
  }

  dispose(): Promise<void> {
    return this.#pool.dispose();
  }

  #open(): Promise<Vocabulary> {
    this.#vocabulary ??= this.#load();
    return this.#vocabulary;
  }

  async #load(): Promise<Vocabulary> {
    const { AutoTokenizer, env } = await import('./transformers.js');
    env.allowRemoteModels = false;
    const tokenizer = (await AutoTokenizer.from_pretrained(this.#model.folder, {
      local_files_only: true,
    })) as unknown as Tokenizer;
    const { mask_token: token, mask_token_id: id } = tokenizer;
    if (typeof token !== 'string' || typeof id !== 'number') throw this.#fault('has a tokenizer without a mask token');
    return { tokenizer, mask: { token, id: BigInt(id) }, words: wordsOf(this.#readTokenizer()) };
  }

  #readTokenizer(): z.infer<typeof tokenizerSchema> {
    try {
      return tokenizerSchema.parse(JSON.parse(readFileSync(join(this.#model.folder, 'tokenizer.json'), 'utf8')));
    } catch (cause) {
      throw this.#fault('has no tokenizer.json with a vocabulary', cause);
    }
  }

  #likeliest({ tokenizer, mask, words }: Vocabulary, text: string, { data, dims }: InferenceOutput, k: number) {
    const [, tokens = 0, size = 0] = dims;
    if (dims.length !== 3 || words.some(({ position }) => position >= size))
      throw this.#fault(`gives [${dims.join(', ')}]`);
    const { maxTokens } = this.#model.manifest;
    const at = tokenizer(text, { truncation: true, max_length: maxTokens }).input_ids.data.indexOf(mask.id);
    if (at < 0 || at >= tokens) return [];
    const scores = data.subarray(at * size, (at + 1) * size);
    const greatest = scores.reduce((most, score) => Math.max(most, score), -Infinity);
    const total = greatest + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - greatest), 0));
    const ranked = words
      .map(({ word, position }) => ({ word, logProbability: itemAt(scores, position) - total }))
      .sort((a, b) => b.logProbability - a.logProbability);
    const distinct = new Map(ranked.toReversed().map((prediction) => [prediction.word, prediction]));
    return ranked.filter((prediction) => distinct.get(prediction.word) === prediction).slice(0, k);
  }

  #fault(what: string, cause?: unknown): ModelFileError {
    return new ModelFileError(`model ${this.#model.manifest.name} ${what}: it can't predict masked words`, {
      where: { file: this.#model.folder },
      fix: 'Take a fill-mask model, exported with its language-modeling head.',
      cause,
    });
  }
}
