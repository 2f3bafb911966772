import { tally } from '../../counts.js';
import type { FillFeature, FillFeatures } from './fill-features.js';
import type { KnownExample } from './known-example.js';
import { LabelClassifier } from './label-classifier.js';
import { tablesTrait, traitTopic } from './sketch.js';
import { itemAt } from '../../present.js';

/** Share of the examples below which a trait is not learned. */
const MIN_SHARE = 0.003;

/** Judges structures of queries for a question. */
export interface StructureOdds {
  /** Returns the features that speak for the structure of an example. */
  of(example: KnownExample): FillFeatures;
  /** Returns the features that speak for a query over so many tables. */
  ofTables(count: number): FillFeatures;
}

/** Learns what in a question goes with which trait of a structure. */
export class StructureJudge {
  readonly #traits: readonly string[];
  readonly #features: readonly FillFeature[];
  readonly #labels = new Map<string, readonly number[]>();
  readonly #classifier: LabelClassifier;

  constructor(examples: readonly KnownExample[]) {
    this.#traits = commonTraits(examples);
    this.#features = this.#traits.map((trait): FillFeature => `traits-${traitTopic(trait)}`);
    const samples = examples.map((example) => ({ features: example.terms, labels: this.#labelsOf(example) }));
    this.#classifier = new LabelClassifier(samples, this.#traits.length);
  }

  /** The judgement for a question with these terms. */
  judge(terms: readonly string[]): StructureOdds {
    const logits = this.#classifier.logits(terms);
    const known = new Map<string, FillFeatures>();
    return {
      of: (example) => {
        const features = known.get(example.sketch.key) ?? this.#sum(example, logits);
        known.set(example.sketch.key, features);
        return features;
      },
      ofTables: (count) => ({ 'traits-tables': logits[this.#traits.indexOf(tablesTrait(count))] ?? 0 }),
    };
  }

  #labelsOf({ sketch }: KnownExample): readonly number[] {
    let labels = this.#labels.get(sketch.key);
    if (labels === undefined) {
      labels = sketch.traits.map((trait) => this.#traits.indexOf(trait)).filter((label) => label >= 0);
      this.#labels.set(sketch.key, labels);
    }
    return labels;
  }

  #sum(example: KnownExample, logits: Float64Array): FillFeatures {
    const sums: FillFeatures = {};
    for (const label of this.#labelsOf(example)) {
      const feature = itemAt(this.#features, label);
      if (feature !== 'traits-tables') sums[feature] = (sums[feature] ?? 0) + (logits[label] ?? 0);
    }
    return sums;
  }
}

/** Traits that enough examples have to be learned. */
function commonTraits(examples: readonly KnownExample[]): readonly string[] {
  const counts = tally(examples.flatMap(({ sketch }) => [...sketch.traits]));
  return [...counts].filter(([, count]) => count >= MIN_SHARE * examples.length).map(([trait]) => trait);
}
