import { itemAt, mustGet } from '../present.js';
import { embedChecked, type TextEmbedder } from './text-embedder.js';

/** Vectors remembered, 1.5 kB each: a bound to memory in long runs. */
const REMEMBERED = 20_000;

/** An encoder that embeds each text once, also where several ask for it at the same time. */
export class CachedEmbedder implements TextEmbedder {
  readonly fingerprint: string;
  readonly dimension: number;
  readonly model: TextEmbedder['model'];
  readonly #embedder: TextEmbedder;
  readonly #vectors = new Map<string, Promise<Float32Array>>();

  constructor(embedder: TextEmbedder) {
    this.#embedder = embedder;
    this.fingerprint = embedder.fingerprint;
    this.dimension = embedder.dimension;
    this.model = embedder.model;
  }

  /** @throws ModelFileError when the encoder returns what is no vector of its dimension */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const distinct = [...new Set(texts)];
    if (this.#vectors.size + distinct.length > REMEMBERED) this.#vectors.clear();
    const missing = distinct.filter((text) => !this.#vectors.has(text));
    const embedded = embedChecked(this.#embedder, missing, signal);
    for (const [i, text] of missing.entries()) this.#vectors.set(text, this.#kept(text, embedded, i));
    return Promise.all([embedded, ...texts.map((text) => mustGet(this.#vectors.get(text), 'the text’s vector'))]).then(
      ([, ...ofTexts]) => ofTexts,
    );
  }

  /** The vector of one of several texts that are being embedded; of a failure nothing is remembered. */
  async #kept(text: string, embedded: Promise<readonly Float32Array[]>, position: number): Promise<Float32Array> {
    try {
      return itemAt(await embedded, position);
    } catch (error) {
      this.#vectors.delete(text);
      throw error;
    }
  }
}
