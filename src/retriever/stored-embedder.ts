import { zip } from '../present.js';
import { embedChecked, embedQueriesChecked, type TextEmbedder } from './text-embedder.js';

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
