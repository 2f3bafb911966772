import { ModelFileError } from '../errors.js';
import type { InferenceOutput } from './inference-protocol.js';
import { type Device, markDevice } from './device.js';
import { InferencePool } from './inference-pool.js';
import type { EncoderManifest, Pooling } from './model-manifest.js';
import type { LocatedModel } from './model-store.js';
import { addTo } from '../vectors.js';

/**
 * Embeds texts with a table-context encoder: its tokens' mean or first vector, normalized to length 1. Of an encoder
 * with two towers (as TAPAS retrieval has them), `embed` is the one for tables and `embedQueries` the other.
 */
export class SentenceEncoder {
  readonly fingerprint: string;
  readonly dimension: number;
  readonly model: { readonly name: string; readonly revision: string; readonly sha256: string };
  readonly #pooling: Pooling;
  readonly #tables: InferencePool;
  readonly #queries: InferencePool;

  constructor(model: LocatedModel<EncoderManifest>, workers?: number, device: Device = 'cpu') {
    const { name, revision, dimension, pooling, network, tableNetwork } = model.manifest;
    this.dimension = dimension;
    this.model = { name, revision, sha256: model.sha256 };
    this.fingerprint = markDevice(`encoder:${model.sha256}:${model.fingerprint.slice(0, 16)}`, device);
    this.#pooling = pooling;
    this.#queries = new InferencePool(model, workers, { device, network });
    this.#tables =
      tableNetwork === undefined ? this.#queries : new InferencePool(model, workers, { device, network: tableNetwork });
  }

  /** One unit vector of `dimension` float32 per text, in input order; texts over the model's limit are truncated. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    return this.#run(this.#tables, texts, signal);
  }

  /** As `embed`, with the tower for queries where there is one. */
  embedQueries(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    return this.#run(this.#queries, texts, signal);
  }

  async dispose(): Promise<void> {
    await Promise.all([...new Set([this.#tables, this.#queries])].map((pool) => pool.dispose()));
  }

  async #run(pool: InferencePool, texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const outputs = await pool.run(
      texts.map((text) => ({ text })),
      signal,
    );
    return outputs.map((output) => this.#pool(output));
  }

  /** `[1, tokens, dimension]` or `[1, dimension]` → `[dimension]`; one input has no padding, so the mask is all ones. */
  #pool({ data, dims }: InferenceOutput): Float32Array {
    const width = dims.at(-1) ?? 0;
    const isWhole = this.#pooling === 'none' ? dims.length === 2 : dims.length === 3;
    if (width !== this.dimension || !isWhole) {
      const shape = `[${dims.join(', ')}]`;
      throw new ModelFileError(
        `model ${this.model.name} gives ${shape}, not ${this.dimension} dimensions with pooling ${this.#pooling}`,
        { fix: 'Name the encoder whose manifest states its true dimension and pooling.' },
      );
    }
    const sum = new Float32Array(width);
    const used = this.#pooling === 'cls' ? width : data.length;
    for (let at = 0; at < used; at += width) addTo(sum, data.subarray(at, at + width));
    const norm = Math.hypot(...sum) || 1;
    return sum.map((value) => value / norm);
  }
}
