import { ModelFileError } from '../errors.js';
import { type Device, markDevice } from '../inference/device.js';
import { InferencePool } from '../inference/inference-pool.js';
import type { NliLabel, NliManifest } from '../inference/model-manifest.js';
import type { LocatedModel } from '../inference/model-store.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer, StageContext } from '../stage.js';

/** Softmax of three logits, label order read from the model's manifest. */
export function toEntailmentScore(logits: Float32Array, labels: readonly NliLabel[]): EntailmentScore {
  const highest = Math.max(...logits);
  const exponents = Array.from(logits, (logit) => Math.exp(logit - highest));
  const sum = exponents.reduce((total, value) => total + value, 0);
  const of = (label: NliLabel): number => exponents[labels.indexOf(label)]! / sum;
  return {
    entailment: of('entailment'),
    neutral: of('neutral'),
    contradiction: of('contradiction'),
    entailmentLogit: logits[labels.indexOf('entailment')]!,
  };
}

/** ADVETA §4.4: an NLI cross-encoder; each pair is one inference, so a score never depends on its neighbors. */
export class OnnxEntailmentScorer implements EntailmentScorer {
  readonly id = 'onnx';
  readonly fingerprint: string;
  readonly #pool: InferencePool;
  readonly #labels: readonly NliLabel[];
  readonly #name: string;

  constructor(model: LocatedModel<NliManifest>, workers?: number, device: Device = 'cpu') {
    this.fingerprint = markDevice(model.fingerprint, device);
    this.#labels = model.manifest.labels;
    this.#name = model.manifest.name;
    this.#pool = new InferencePool(model, workers, { device });
  }

  async score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]> {
    const inputs = pairs.map(({ premise, hypothesis }) => ({ text: premise, pair: hypothesis }));
    const outputs = await this.#pool.run(inputs, context.signal);
    return outputs.map(({ data }) => {
      if (data.length !== this.#labels.length || data.some(Number.isNaN)) {
        throw new ModelFileError(
          `model ${this.#name} gives ${data.length} scores a pair, not ${this.#labels.length} numbers`,
          {
            fix: 'Name a three-way NLI model whose manifest states its labels.',
          },
        );
      }
      return toEntailmentScore(data, this.#labels);
    });
  }

  dispose(): Promise<void> {
    return this.#pool.dispose();
  }
}
