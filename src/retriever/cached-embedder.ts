import { elementAt, present } from '../present.js';
import { embedChecked, type TextEmbedder } from './text-embedder.js';

/** Vectors remembered, 1.5 kB each: a bound to memory in long runs. */
const REMEMBERED = 20_000;

/** Where vectors of texts are found that need not be computed, and others can find those that were. */
export interface VectorStore {
  get(text: string): Float32Array | null;
  put(text: string, vector: Float32Array): void;
}

/** An encoder that embeds each text once, also where several ask for it at the same time. */
export class CachedEmbedder implements TextEmbedder {
  readonly fingerprint: string;
  readonly dimension: number;
  readonly model: TextEmbedder['model'];
  readonly #embedder: TextEmbedder;
  readonly #store: VectorStore | null;
  readonly #vectors = new Map<string, Promise<Float32Array>>();

  constructor(embedder: TextEmbedder, store: VectorStore | null = null) {
    this.#embedder = embedder;
    this.#store = store;
    this.fingerprint = embedder.fingerprint;
    this.dimension = embedder.dimension;
    this.model = embedder.model;
  }

  /** @throws ModelFileError when the encoder returns what is no vector of its dimension */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const distinct = [...new Set(texts)];
    if (this.#vectors.size + distinct.length > REMEMBERED) this.#vectors.clear();
    const vectors = new Map(distinct.map((text) => [text, this.#vectors.get(text) ?? this.#stored(text)]));
    const missing = distinct.filter((text) => vectors.get(text) === null);
    const embedded = embedChecked(this.#embedder, missing, signal);
    for (const [i, text] of missing.entries()) vectors.set(text, this.#kept(text, embedded, i));
    for (const [text, vector] of vectors) if (vector !== null) this.#vectors.set(text, vector);
    return Promise.all([embedded, ...texts.map((text) => present(vectors.get(text), 'vectors.get(text)'))]).then(
      ([, ...ofTexts]) => ofTexts,
    );
  }

  #stored(text: string): Promise<Float32Array> | null {
    const vector = this.#store?.get(text) ?? null;
    return vector === null ? null : Promise.resolve(vector);
  }

  /** The vector of one of several texts that are being embedded; of a failure nothing is remembered. */
  async #kept(text: string, embedded: Promise<readonly Float32Array[]>, position: number): Promise<Float32Array> {
    try {
      const vector = elementAt(await embedded, position);
      this.#store?.put(text, vector);
      return vector;
    } catch (error) {
      this.#vectors.delete(text);
      throw error;
    }
  }
}
