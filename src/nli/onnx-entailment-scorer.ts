import { ModelFileError } from '../errors.js';
import { type Device, markDevice } from '../inference/device.js';
import { InferencePool } from '../inference/inference-pool.js';
import type { NliLabel, NliManifest, ReadingLabel } from '../inference/model-manifest.js';
import type { LocatedModel } from '../inference/model-store.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer, Reading, StageContext } from '../stage.js';
import { itemAt } from '../present.js';
import { softmax } from '../vectors.js';

const valueOf =
  <Label>(labels: readonly Label[], values: ArrayLike<number>) =>
  (label: Label): number =>
    itemAt(values, labels.indexOf(label));

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** Softmax of the labels' logits, then a probability of each reading; their order is read from the model's manifest. */
export function toEntailmentScore(
  logits: Float32Array,
  labels: readonly NliLabel[],
  readings: readonly ReadingLabel[] = [],
): EntailmentScore {
  const ofLabels = logits.subarray(0, labels.length);
  const of = valueOf(labels, softmax(ofLabels));
  return {
    entailment: of('entailment'),
    neutral: of('neutral'),
    contradiction: of('contradiction'),
    entailmentLogit: valueOf(labels, logits)('entailment'),
    reading: readings.length === 0 ? null : readingOf(logits.subarray(labels.length), readings),
  };
}

function readingOf(logits: Float32Array, readings: readonly ReadingLabel[]): Reading {
  const of = valueOf(readings, Array.from(logits, sigmoid));
  return { replacement: of('replacement'), addition: of('addition'), topic: of('topic') };
}

/** ADVETA §4.4: an NLI cross-encoder; each pair is one inference, so a score never depends on its neighbors. */
export class OnnxEntailmentScorer implements EntailmentScorer {
  readonly id = 'onnx';
  readonly fingerprint: string;
  readonly #pool: InferencePool;
  readonly #labels: readonly NliLabel[];
  readonly #readings: readonly ReadingLabel[];
  readonly #name: string;

  constructor(model: LocatedModel<NliManifest>, workers?: number, device: Device = 'cpu') {
    this.fingerprint = markDevice(model.fingerprint, device);
    this.#labels = model.manifest.labels;
    this.#readings = model.manifest.readings ?? [];
    this.#name = model.manifest.name;
    this.#pool = new InferencePool(model, workers, { device });
  }

  async score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]> {
    const inputs = pairs.map(({ premise, hypothesis }) => ({ text: premise, pair: hypothesis }));
    const outputs = await this.#pool.run(inputs, context.signal);
    return outputs.map(({ data }) => {
      const expected = this.#labels.length + this.#readings.length;
      if (data.length !== expected || data.some(Number.isNaN)) {
        throw new ModelFileError(`model ${this.#name} gives ${data.length} scores a pair, not ${expected} numbers`, {
          fix: 'Name a three-way NLI model whose manifest states its labels.',
        });
      }
      return toEntailmentScore(data, this.#labels, this.#readings);
    });
  }

  dispose(): Promise<void> {
    return this.#pool.dispose();
  }
}
