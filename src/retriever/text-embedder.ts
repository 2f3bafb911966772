import { ModelFileError } from '../errors.js';
import { itemAt, mustGet, zip } from '../present.js';

/** The part of a table-context encoder that the retriever needs; `src/inference` implements it. */
export interface TextEmbedder {
  /** Name, settings and weights: part of the cache key of whatever was computed with it. */
  readonly fingerprint: string;
  /** Length of every vector. */
  readonly dimension: number;
  readonly model: { readonly name: string; readonly revision: string; readonly sha256: string };
  /**
   * One unit vector (float32, `[dimension]`) per text, in input order. A text's vector must not depend on its
   * neighbors in the batch: resumed builds and single queries rely on it.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  /** As `embed`, for queries, where the encoder has a tower of its own for them. */
  embedQueries?(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

function faultOf(vector: Float32Array | undefined, dimension: number): string | null {
  if (vector === undefined) return 'no vector';
  if (vector.length !== dimension) return `a vector of ${vector.length} instead of ${dimension} dimensions`;
  if (!vector.every((value) => Number.isFinite(value))) return 'a vector with NaN or infinity';
  return vector.some((value) => value !== 0) ? null : 'a vector of zeros';
}

/** Embeds queries, as `embedChecked` does tables. @throws ModelFileError as that. */
export function embedQueriesChecked(
  embedder: TextEmbedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const embed = embedder.embedQueries?.bind(embedder) ?? embedder.embed.bind(embedder);
  const { fingerprint, dimension, model } = embedder;
  return embedChecked({ fingerprint, dimension, model, embed }, texts, signal);
}

/**
 * Embeds texts and checks what came back; hnswlib would take NaN, zeros and wrong lengths without a word.
 * @throws ModelFileError when a vector is missing, of another dimension, not finite or zero.
 */
export async function embedChecked(
  embedder: TextEmbedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const vectors = texts.length === 0 ? [] : await embedder.embed(texts, signal);
  signal.throwIfAborted();
  for (const [position, text] of texts.entries()) {
    const fault = faultOf(vectors[position], embedder.dimension);
    if (fault === null) continue;
    throw new ModelFileError(`the encoder ${embedder.model.name} returned ${fault} for "${text.slice(0, 80)}"`, {
      fix: 'Check the model files with `perturbql doctor`.',
    });
  }
  return vectors;
}

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

/** Where vectors outlive the run; `VectorCache` is one. */
export interface VectorStore {
  get(text: string): Float32Array | null;
  put(text: string, vector: Float32Array): void;
  /** Writes what is held back; called once, by the embedder's `dispose`. */
  close(): void;
}

/** An encoder that can be stopped. */
interface OwnedEmbedder extends Required<TextEmbedder> {
  dispose(): Promise<void>;
}

/** An encoder that embeds only the texts that its store lacks. */
export class StoredEmbedder implements OwnedEmbedder {
  readonly fingerprint: string;
  readonly dimension: number;
  readonly model: TextEmbedder['model'];
  readonly #inner: OwnedEmbedder;
  readonly #store: VectorStore | null;

  constructor(inner: OwnedEmbedder, store: VectorStore | null) {
    this.fingerprint = inner.fingerprint;
    this.dimension = inner.dimension;
    this.model = inner.model;
    this.#inner = inner;
    this.#store = store;
  }

  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    return this.#run('t', texts, (missing) => embedChecked(this.#inner, missing, signal));
  }

  embedQueries(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    return this.#run('q', texts, (missing) => embedQueriesChecked(this.#inner, missing, signal));
  }

  async dispose(): Promise<void> {
    await this.#inner.dispose();
    this.#store?.close();
  }

  /** `tower`: an encoder may have one for tables and one for queries. */
  async #run(
    tower: 't' | 'q',
    texts: readonly string[],
    embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
  ): Promise<readonly Float32Array[]> {
    const store = this.#store;
    if (store === null) return embed(texts);
    const asked = texts.map((text) => ({ text, vector: store.get(`${tower}:${text}`) }));
    const missing = asked.filter(({ vector }) => vector === null);
    for (const [one, vector] of zip(missing, await embed(missing.map(({ text }) => text)))) {
      store.put(`${tower}:${one.text}`, vector);
      one.vector = vector;
    }
    return asked.flatMap(({ vector }) => (vector === null ? [] : [vector]));
  }
}
