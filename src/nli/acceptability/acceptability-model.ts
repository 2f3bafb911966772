import { z } from 'zod';
import { PackagedPart, partManifest } from '../../inference/packaged-part.js';
import { packagePath } from '../../package-path.js';
import type { Reading } from '../../stage.js';
import { NAME_FEATURES } from './name-features.js';

const FILE = 'trees.json';

type Output = keyof Reading;

const probability = z.number().min(0).max(1);
const perOutput = <T extends z.ZodType>(schema: T) =>
  z.strictObject({ replacement: schema, addition: schema, topic: schema });

const manifestSchema = partManifest('acceptability', [FILE]).extend({
  /** sha256 of the network of the judge that it was fitted with. */
  judge: z.string(),
  /** Least probability that a replacement, an addition and its closeness in topic read right. */
  thresholds: perOutput(probability),
  /** The same by the judge alone, of names that a language model wrote for the table. */
  proposed: perOutput(probability),
});

/** A tree as parallel lists: a node without `left` (-1) is a leaf, whose value is in `at`. */
const treeSchema = z.strictObject({
  feature: z.array(z.int()),
  at: z.array(z.number()),
  left: z.array(z.int()),
  right: z.array(z.int()),
});
type Tree = z.infer<typeof treeSchema>;

const boostSchema = z.strictObject({
  base: z.number(),
  trees: z.array(treeSchema),
  /** Weights of a logistic regression: of the trees' sum, of the judge's logit, and its constant. */
  combined: z.strictObject({ trees: z.number(), judge: z.number(), constant: z.number() }),
  /** Sum of the trees below which only 1% of the names lie that reach the threshold with the judge. */
  floor: z.number(),
});
const fileSchema = z.strictObject({ features: z.array(z.string()), outputs: perOutput(boostSchema) });

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));
/** Bounds a logit: the judge is never surer than one in three thousand. */
const LARGEST_LOGIT = 8;
const logit = (p: number): number => Math.min(LARGEST_LOGIT, Math.max(-LARGEST_LOGIT, Math.log(p / (1 - p))));

function valueOf({ feature, at, left, right }: Tree, features: Float64Array): number {
  let node = 0;
  while (left[node]! >= 0) node = features[feature[node]!]! <= at[node]! ? left[node]! : right[node]!;
  return at[node]!;
}

/** What the trees tell of a name, before the judge is asked. */
export interface NameEstimate {
  /** Whether readers would hardly take it so, whatever the judge says. */
  readonly isUnlikely: Readonly<Record<'replacement' | 'addition', boolean>>;
  /** How likely it is taken as an addition that is close to the column, 0 to 1. */
  readonly promise: number;
  /** How readers would take it, by the trees and by what the judge says of it. */
  combine(reading: Reading): Reading;
}

/** Folder of the model that ships with the package. */
export function embeddedAcceptabilityFolder(): string {
  return packagePath('models/acceptability');
}

const partOf = (folder: string): PackagedPart => new PackagedPart('the acceptability model', folder);

/** Reads the model's manifest. @throws ModelFileError when the folder has no manifest, or another model's */
export function readAcceptabilityManifest(folder = embeddedAcceptabilityFolder()): z.infer<typeof manifestSchema> {
  return partOf(folder).manifest(manifestSchema);
}

/**
 * Gradient-boosted trees over what lists of columns and word vectors tell of a name in its table, and a logistic
 * regression of these with what the judge says: how likely readers take the name. Learned from training/readings.
 */
export class AcceptabilityModel {
  readonly fingerprint: string;
  readonly #outputs: z.infer<typeof fileSchema>['outputs'];

  private constructor(fingerprint: string, outputs: z.infer<typeof fileSchema>['outputs']) {
    this.fingerprint = fingerprint;
    this.#outputs = outputs;
  }

  /** @throws ModelFileError when the folder has no such model, another one, or one of other features */
  static open(folder = embeddedAcceptabilityFolder()): AcceptabilityModel {
    const { files } = readAcceptabilityManifest(folder);
    return partOf(folder).file(FILE, files[FILE], (bytes) => {
      const { features, outputs } = fileSchema.parse(JSON.parse(bytes.toString('utf8')));
      if (features.join() !== NAME_FEATURES.join()) throw new RangeError('it was trained on other features');
      return new AcceptabilityModel(files[FILE].sha256, outputs);
    });
  }

  estimate(features: Float64Array): NameEstimate {
    const of = (output: Output): number => {
      const { base, trees } = this.#outputs[output];
      return trees.reduce((sum, tree) => sum + valueOf(tree, features), base);
    };
    const prior = { replacement: of('replacement'), addition: of('addition'), topic: of('topic') };
    const isBelow = (output: 'replacement' | 'addition'): boolean => prior[output] < this.#outputs[output].floor;
    const combined = (output: Output, reading: Reading): number => {
      const { trees, judge, constant } = this.#outputs[output].combined;
      return sigmoid(trees * prior[output] + judge * logit(reading[output]) + constant);
    };
    return {
      isUnlikely: { replacement: isBelow('replacement'), addition: isBelow('addition') },
      promise: sigmoid(prior.addition) * sigmoid(prior.topic),
      combine: (reading) => ({
        replacement: combined('replacement', reading),
        addition: combined('addition', reading),
        topic: combined('topic', reading),
      }),
    };
  }
}
