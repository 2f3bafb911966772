import type * as Ort from 'onnxruntime-node';
import { ModelFileError } from '../../errors.js';
import { mustGet } from '../../present.js';
import type { RawToken } from './english-tokenizer.js';
import type { ParserFiles } from './model-files.js';
import { WordRows } from './word-rows.js';

/** One thread: a batch is some milliseconds of work. */
const OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' } as const;

/**
 * Tokens of several texts as numbers: of their different words, whose rows are given, and of their places in padding.
 */
interface Batch {
  readonly rows: Int32Array;
  readonly words: Int32Array;
  readonly tokens: Int32Array;
}

/** The network's output for the tokens of several texts, one text after another. */
export interface ReadTokens {
  /** The features of each token in each of its roles for a move; the first row is that of a missing token. */
  readonly features: Ort.Tensor;
  /** Part of speech of each token by its number. */
  readonly tags: Int32Array;
}

type Texts = readonly (readonly RawToken[])[];

/**
 * The two networks of spaCy's tagger and parser: one reads tokens (hash embeddings, windows of three), one scores
 * moves.
 */
export class ParserNetworks {
  readonly #ort: typeof Ort;
  readonly #reader: Ort.InferenceSession;
  readonly #scorer: Ort.InferenceSession;
  readonly #words: WordRows;
  readonly #padding: number;
  readonly #roles: number;

  private constructor(
    ort: typeof Ort,
    sessions: readonly [Ort.InferenceSession, Ort.InferenceSession],
    { padding, sizes, ...language }: ParserFiles['language'],
  ) {
    this.#ort = ort;
    [this.#reader, this.#scorer] = sessions;
    this.#words = new WordRows(language);
    [this.#padding, this.#roles] = [padding, sizes.features];
  }

  /** @throws ModelFileError where onnxruntime refuses a network */
  static async open({ name, network, moves, language }: ParserFiles): Promise<ParserNetworks> {
    const ort = await import('onnxruntime-node');
    const open = (file: Uint8Array): Promise<Ort.InferenceSession> => ort.InferenceSession.create(file, OPTIONS);
    try {
      return new ParserNetworks(ort, [await open(network), await open(moves)], language);
    } catch (cause) {
      throw new ModelFileError(`${name} can’t be opened`, { cause, fix: 'Run `perturbql doctor`.' });
    }
  }

  /** Reads several texts, none empty, at once; each as if it were alone. */
  async read(texts: Texts): Promise<ReadTokens> {
    const { rows, words, tokens } = this.#batchOf(texts);
    const { Tensor } = this.#ort;
    const { size } = this.#words;
    const { features, tags } = await this.#reader.run({
      rows: new Tensor('int32', rows, [rows.length / size, size / 4, 4]),
      words: new Tensor('int32', words, [words.length]),
      tokens: new Tensor('int32', tokens, [tokens.length]),
    });
    const all = mustGet(features, 'the features of tokens');
    const inRoles = (tokens.length + 1) * this.#roles;
    return {
      features: all.reshape([inRoles, all.size / inRoles]),
      tags: mustGet(tags, 'the tags of tokens').data as Int32Array,
    };
  }

  /** Scores of all moves, `[states, moves]`, by the rows of features that each state looks at, `[states, roles]`. */
  async score(features: Ort.Tensor, context: Int32Array): Promise<Float32Array> {
    const states = new this.#ort.Tensor('int32', context, [context.length / this.#roles, this.#roles]);
    const { scores } = await this.#scorer.run({ features, context: states });
    return mustGet(scores, 'the scores of moves').data as Float32Array;
  }

  /** Ends both sessions. */
  async close(): Promise<void> {
    await this.#reader.release();
    await this.#scorer.release();
  }

  /** Numbers of words, 0 for the rows of zeros around each text, and each different word's rows. */
  #batchOf(texts: Texts): Batch {
    const numbers = new Map<string, number>();
    const rows: number[] = [];
    const count = texts.reduce((sum, { length }) => sum + length, 0);
    const words = new Int32Array(count + this.#padding * (texts.length + 1));
    const tokens = new Int32Array(count);
    let [at, read] = [this.#padding, 0];
    for (const text of texts) {
      for (const token of text) {
        const name = `${token.isSpaced ? ' ' : ''}${token.norm ?? ''}\n${token.text}`;
        let number = numbers.get(name);
        if (number === undefined) {
          number = numbers.size + 1;
          numbers.set(name, number);
          rows.push(...this.#words.rowsOf(token));
        }
        words[at] = number;
        tokens[read++] = at++;
      }
      at += this.#padding;
    }
    return { rows: Int32Array.from(rows), words, tokens };
  }
}
