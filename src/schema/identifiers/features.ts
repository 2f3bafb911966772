import { itemAt } from '../../present.js';
import { dot } from '../../vectors.js';
/** What is asked of a way to read a part of an identifier; each has a weight (data/identifiers/weights.json). */
export const FEATURES = [
  // A word as it stands.
  'word',
  'wordShare',
  'innerWord',
  // A reading of the list.
  'listed',
  'listedCommonness',
  'listedCue',
  'listedCueInDatabase',
  'listedWithoutCue',
  'listedShare',
  // Letters that abbreviate a word of the vocabulary.
  'truncated',
  'truncatedShare',
  'skeleton',
  'skeletonShare',
  'short-skeleton',
  'short-skeletonShare',
  'contracted',
  'contractedShare',
  'picked',
  'pickedShare',
  'spelling',
  'lostConsonants',
  'strayVowels',
  'oneLetter',
  'initialOfTable',
  'twoLetters',
  'readShare',
  'severalWords',
  // Letters that stay.
  'kept',
  'keptLetters',
  'keptOne',
  // Runs that are taken apart.
  'inner',
  'innerShort',
  // What stands together.
  'pairGain',
  'firstWord',
  'lastWord',
  'nearPrevious',
  'repeated',
  'participleOfHead',
  // The database's own words.
  'inTable',
  'inTableName',
  'inKeyTable',
  'inDatabase',
  'someInDatabase',
  'inText',
  'topic',
  'typeGain',
  // The same letters elsewhere in the table and database.
  'agree',
  'disagree',
  'agreeDatabase',
  // How the database abbreviates elsewhere.
  'habit',
  // What the other identifiers were read as.
  'elsewhere',
  'topicRead',
  'topicNear',
] as const;

export type Feature = (typeof FEATURES)[number];

/** A feature and its value. */
export type FeatureValue = readonly [Feature, number];

const PLACES = new Map<Feature, number>(FEATURES.map((feature, place) => [feature, place]));

const placeOf = (feature: Feature): number => PLACES.get(feature) ?? -1;

/** A weight for each feature, by name. */
export type Weights = Readonly<Record<Feature, number>>;

/** Values of features, `[features]`, most of them 0. */
export class FeatureVector {
  readonly values: Float64Array;

  constructor(values = new Float64Array(FEATURES.length)) {
    this.values = values;
  }

  add(feature: Feature, value = 1): this {
    this.values[placeOf(feature)] = this.get(feature) + value;
    return this;
  }

  get(feature: Feature): number {
    return itemAt(this.values, placeOf(feature));
  }

  copy(): FeatureVector {
    return new FeatureVector(this.values.slice());
  }

  dot(weights: Float64Array): number {
    return dot(this.values, weights);
  }
}

/** Weights as a vector, `[features]`. */
export function weightVector(weights: Weights): Float64Array {
  return Float64Array.from(FEATURES, (feature) => weights[feature]);
}
