import type * as Ort from 'onnxruntime-node';
import type { RawToken } from './english-tokenizer.js';
import type { ParserFiles } from './model-files.js';
import { WordRows } from './word-rows.js';

/** What the network says of the tokens of one text. */
export interface ReadTokens {
  /** What each token contributes to the parser's hidden units in each of its roles, `[tokens, roles × units × pieces]`. */
  readonly features: Float32Array;
  /** Part of speech by its number. */
  readonly tags: Int32Array;
}

interface Batch {
  readonly rows: Int32Array;
  readonly words: Int32Array;
  readonly tokens: Int32Array;
}

/** The spaCy tagger's and parser's network of tokens: hash embeddings, windows of three, features of the parser. */
export class TokenNetwork {
  readonly #ort: typeof Ort;
  readonly #session: Ort.InferenceSession;
  readonly #rows: WordRows;
  readonly #padding: number;

  private constructor(ort: typeof Ort, session: Ort.InferenceSession, rows: WordRows, padding: number) {
    [this.#ort, this.#session, this.#rows, this.#padding] = [ort, session, rows, padding];
  }

  static async open({ network, language }: ParserFiles): Promise<TokenNetwork> {
    const ort = await import('onnxruntime-node');
    // One thread: a batch is some milliseconds of work.
    const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' } as const;
    const session = await ort.InferenceSession.create(network, options);
    return new TokenNetwork(ort, session, new WordRows(language), language.padding);
  }

  /** Reads several texts, none empty, as one batch; a text is read as if it were alone. */
  async read(texts: readonly (readonly RawToken[])[]): Promise<readonly ReadTokens[]> {
    const { rows, words, tokens } = this.#batchOf(texts);
    const { Tensor } = this.#ort;
    const size = this.#rows.size;
    const feeds = {
      rows: new Tensor('int32', rows, [rows.length / size, size / 4, 4]),
      words: new Tensor('int32', words, [words.length]),
      tokens: new Tensor('int32', tokens, [tokens.length]),
    };
    const { features, tags } = await this.#session.run(feeds);
    if (features?.type !== 'float32' || tags?.type !== 'int32') throw new TypeError('the network’s outputs are others');
    return cutByText(texts, features.data as Float32Array, tags.data as Int32Array);
  }

  /** Ends the network's session. */
  async close(): Promise<void> {
    await this.#session.release();
  }

  /** Numbers of words, 0 for the rows of zeros around each text, and each different word's rows. */
  #batchOf(texts: readonly (readonly RawToken[])[]): Batch {
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
          rows.push(...this.#rows.rowsOf(token));
        }
        words[at] = number;
        tokens[read++] = at++;
      }
      at += this.#padding;
    }
    return { rows: Int32Array.from(rows), words, tokens };
  }
}

function cutByText(
  texts: readonly (readonly RawToken[])[],
  features: Float32Array,
  tags: Int32Array,
): readonly ReadTokens[] {
  const width = features.length / tags.length;
  let start = 0;
  return texts.map(({ length }) => {
    const end = (start += length);
    return {
      features: features.subarray((end - length) * width, end * width),
      tags: tags.subarray(end - length, end),
    };
  });
}
