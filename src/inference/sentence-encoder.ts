import { ModelFileError } from '../errors.js';
import type { InferenceOutput } from './inference-protocol.js';
import { InferencePool } from './inference-pool.js';
import type { EncoderManifest } from './model-manifest.js';
import type { LocatedModel } from './model-store.js';

/** Embeds texts with a table-context encoder: mean over the tokens, then normalized to length 1. */
export class SentenceEncoder {
  readonly fingerprint: string;
  readonly dimension: number;
  readonly model: { readonly name: string; readonly revision: string; readonly sha256: string };
  readonly #pool: InferencePool;

  constructor(model: LocatedModel<EncoderManifest>, workers?: number) {
    const { name, revision, dimension } = model.manifest;
    this.dimension = dimension;
    this.model = { name, revision, sha256: model.sha256 };
    this.fingerprint = `encoder:${model.sha256}`;
    this.#pool = new InferencePool(model, workers);
  }

  /** One unit vector of `dimension` float32 per text, in input order; texts over the model's limit are truncated. */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const outputs = await this.#pool.run(
      texts.map((text) => ({ text })),
      signal,
    );
    return outputs.map((output) => this.#meanPool(output));
  }

  dispose(): Promise<void> {
    return this.#pool.dispose();
  }

  /** `[1, tokens, dimension]` → `[dimension]`; a single input has no padding, so the mask is all ones. */
  #meanPool(output: InferenceOutput): Float32Array {
    const { data, tokens } = output;
    if (data.length !== tokens * this.dimension) {
      throw new ModelFileError(
        `model ${this.model.name} gives ${data.length / tokens} dimensions, not ${this.dimension}`,
        {
          fix: 'Name the encoder whose manifest states its true dimension.',
        },
      );
    }
    const mean = new Float32Array(this.dimension);
    for (let i = 0; i < data.length; i++) mean[i % this.dimension]! += data[i]!;
    const norm = Math.hypot(...mean) || 1;
    return mean.map((value) => value / norm);
  }
}
