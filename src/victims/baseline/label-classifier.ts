import { createRng, shuffled } from '../../seeded-rng.js';

/** A sample for a classifier: names of features that are present, and numbers of the labels that hold. */
export interface LabeledSample {
  readonly features: readonly string[];
  readonly labels: readonly number[];
}

/** Features of fewer samples are left out, where there are many samples. */
const MIN_COUNT = 2;
const MIN_SAMPLES_FOR_MIN_COUNT = 500;
/** Errors below this teach nothing. */
const MIN_ERROR = 0.01;
const EPOCHS = 5;
const RATE = 0.4;
const SEED = 1;

/** One logistic regression per label over binary features, trained by AdaGrad in a fixed order. */
export class LabelClassifier {
  readonly #ids = new Map<string, number>();
  readonly #weights: Float64Array;
  readonly #labels: number;

  constructor(samples: readonly LabeledSample[], labels: number) {
    this.#labels = labels;
    this.#number(samples);
    const rows = samples.map(({ features }) => this.#rowOf(features));
    this.#weights = new Float64Array(this.#ids.size * labels);
    const squares = new Float64Array(this.#weights.length).fill(1e-6);
    const order = shuffled([...samples.keys()], createRng(SEED, 'label-classifier'));
    for (let epoch = 0; epoch < EPOCHS; epoch++) {
      for (const at of order) this.#learn(rows[at]!, samples[at]!.labels, squares);
    }
  }

  /** The logit of each label. */
  logits(features: readonly string[]): Float64Array {
    return this.#sum(this.#rowOf(features));
  }

  #number(samples: readonly LabeledSample[]): void {
    const counts = new Map<string, number>();
    for (const { features } of samples)
      for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    const least = samples.length < MIN_SAMPLES_FOR_MIN_COUNT ? 1 : MIN_COUNT;
    for (const [feature, count] of counts) if (count >= least) this.#ids.set(feature, this.#ids.size);
  }

  #rowOf(features: readonly string[]): Int32Array {
    return Int32Array.from(features.flatMap((feature) => this.#ids.get(feature) ?? []));
  }

  #sum(row: Int32Array): Float64Array {
    const [sums, weights, labels] = [new Float64Array(this.#labels), this.#weights, this.#labels];
    for (const id of row) {
      const first = id * labels;
      for (let label = 0; label < labels; label++) sums[label]! += weights[first + label]!;
    }
    return sums;
  }

  #learn(row: Int32Array, labels: readonly number[], squares: Float64Array): void {
    const errors = this.#sum(row);
    for (let label = 0; label < this.#labels; label++) errors[label] = -1 / (1 + Math.exp(-errors[label]!));
    for (const label of labels) errors[label]! += 1;
    const rate = RATE / Math.sqrt(row.length);
    for (let label = 0; label < this.#labels; label++) {
      const error = errors[label]!;
      if (Math.abs(error) >= MIN_ERROR) this.#move(row, label, error, rate, squares);
    }
  }

  #move(row: Int32Array, label: number, error: number, rate: number, squares: Float64Array): void {
    for (const id of row) {
      const at = id * this.#labels + label;
      squares[at]! += error * error;
      this.#weights[at]! += (rate * error) / Math.sqrt(squares[at]!);
    }
  }
}
