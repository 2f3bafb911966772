import { groupBy } from '../../run/group-by.js';
import type { Rng } from '../../stage.js';
import { bootstrapMean, type Interval } from './bootstrap.js';
import { type McNemarTest, testMcNemar } from './mcnemar.js';
import { meanOf } from './mean.js';

/** A value of something that is drawn as a whole for an interval: of a question, or of an interaction with its turns. */
export interface ClusteredValue {
  readonly cluster: string;
  readonly value: number;
}

/** What an answer scores on two sides, 0 to 1: before a change and after it, or of one run and of another. */
export interface PairedPoints {
  readonly cluster: string;
  readonly first: number;
  readonly second: number;
}

/** Two sides compared. */
export interface PairedComparison {
  /** Means. */
  readonly first: number;
  readonly second: number;
  /** Mean of second less first. */
  readonly difference: Interval | null;
  readonly mcNemar: McNemarTest;
}

/** The mean of values with its bootstrap interval; those of a cluster are drawn together. */
export function clusteredMean(values: readonly ClusteredValue[], rng: Rng): Interval | null {
  const clusters = groupBy(values, ({ cluster }) => cluster);
  return bootstrapMean(
    Array.from(clusters.values(), (own) => own.map(({ value }) => value)),
    rng,
  );
}

/** McNemar's test over the pairs that score more on one side than on the other. */
export function testPairs(pairs: readonly PairedPoints[]): McNemarTest {
  return testMcNemar(
    pairs.filter(({ first, second }) => first > second).length,
    pairs.filter(({ first, second }) => first < second).length,
  );
}

/** Compares two sides over the same answers. */
export function comparePairs(pairs: readonly PairedPoints[], rng: Rng): PairedComparison {
  const changes = pairs.map(({ cluster, first, second }) => ({ cluster, value: second - first }));
  return {
    first: meanOf(pairs.map(({ first }) => first)),
    second: meanOf(pairs.map(({ second }) => second)),
    difference: clusteredMean(changes, rng),
    mcNemar: testPairs(pairs),
  };
}
