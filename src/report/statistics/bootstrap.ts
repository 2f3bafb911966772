import { z } from 'zod';
import { pick, shuffled } from '../../seeded-rng.js';
import type { Rng } from '../../stage.js';
import type { Estimate } from './estimate.js';
import { itemAt } from '../../present.js';
import { addTo } from '../../vectors.js';

/** A mean with the interval in which it falls with the given confidence; its ends are null where groups are too few. */
export const reportedInterval = z.object({
  mean: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  confidence: z.number(),
});

/** Resamples; Efron & Tibshirani 1993, §12.5, ask for 1,000 at least for percentiles. */
const RESAMPLES = 2000;
const CONFIDENCE = 0.95;

/** Groups from which on resampling them says how far a figure may be off: of fewer, one is most of each resample. */
export const LEAST_GROUPS = 5;

export type Interval = Readonly<z.infer<typeof reportedInterval>>;

/** The value below which a share of sorted values lies, between neighbors in proportion (type 7 of Hyndman & Fan 1996). */
export function quantile(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at;
  const [below, above] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN];
  return below + (above - below) * (place - Math.floor(place));
}

interface Cluster {
  readonly sum: number;
  readonly size: number;
}

function resampledMean(clusters: readonly Cluster[], rng: Rng): number {
  let [sum, size] = [0, 0];
  for (let i = 0; i < clusters.length; i++) {
    const cluster = pick(clusters, rng);
    sum += cluster.sum;
    size += cluster.size;
  }
  return sum / size;
}

/** Chances of at most 0, 1, … n successes of n trials; by logarithms, as the first ones alone would vanish. */
function binomialCdf(n: number, chance: number): readonly number[] {
  let log = n * Math.log1p(-chance);
  let total = 0;
  return Array.from({ length: n + 1 }, (_, k) => {
    total += Math.exp(log);
    log += Math.log(n - k) - Math.log(k + 1) + Math.log(chance) - Math.log1p(-chance);
    return total;
  });
}

/** The first place whose value is above one; the last where none is. */
function placeOf(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Draws resampled means; of two kinds of clusters, such as right and wrong, only the number of one of them is drawn. */
function meanSampler(clusters: readonly Cluster[], rng: Rng): () => number {
  const [first] = clusters;
  const isFirst = ({ sum, size }: Cluster): boolean => sum === first?.sum && size === first.size;
  const others = clusters.filter((cluster) => !isFirst(cluster));
  const [second] = others;
  const areTwo = others.every(({ sum, size }) => sum === second?.sum && size === second.size);
  if (first === undefined || !areTwo) return () => resampledMean(clusters, rng);
  if (second === undefined) return () => first.sum / first.size;
  const n = clusters.length;
  const cdf = binomialCdf(n, others.length / n);
  return () => {
    const drawn = placeOf(cdf, rng.next());
    return ((n - drawn) * first.sum + drawn * second.sum) / ((n - drawn) * first.size + drawn * second.size);
  };
}

/**
 * The mean of values with its percentile bootstrap interval (Efron & Tibshirani 1993, §13.3). Values come in clusters
 * that are drawn as a whole, each alone where they are independent: the turns of an interaction, or the seeds of one pair.
 * For a paired comparison give the differences. Null where there are no values; without ends where clusters are fewer
 * than `LEAST_GROUPS`.
 */
export function bootstrapMean(
  values: readonly (readonly number[])[],
  rng: Rng,
  options: { readonly resamples?: number; readonly confidence?: number } = {},
): Interval | null {
  const { resamples = RESAMPLES, confidence = CONFIDENCE } = options;
  const clusters = values
    .filter((cluster) => cluster.length > 0)
    .map((cluster) => ({ sum: cluster.reduce((total, value) => total + value, 0), size: cluster.length }));
  if (clusters.length === 0) return null;
  const all = values.flat();
  const mean = all.reduce((total, value) => total + value, 0) / all.length;
  if (clusters.length < LEAST_GROUPS) return { mean, low: null, high: null, confidence };
  const means = Array.from({ length: resamples }, meanSampler(clusters, rng)).sort((a, b) => a - b);
  const tail = (1 - confidence) / 2;
  return {
    mean,
    low: quantile(means, tail),
    high: quantile(means, 1 - tail),
    confidence,
  };
}

/** Most bundles that are drawn from: items beyond that are drawn in random bundles, whose sums vary as much. */
const BUNDLES = 1000;

/** Vectors of one width, one after the other: millions of draws add them up. */
interface Packed {
  readonly values: Float64Array;
  readonly width: number;
  readonly count: number;
}

/** Sums of seeded random bundles of near equal size; the vectors themselves where there are few. */
function bundle(vectors: readonly (readonly number[])[], rng: Rng): Packed {
  const width = itemAt(vectors, 0).length;
  const count = Math.min(vectors.length, BUNDLES);
  const values = new Float64Array(count * width);
  for (const [i, vector] of (count < vectors.length ? shuffled(vectors, rng) : vectors).entries())
    addTo(values.subarray((i % count) * width, ((i % count) + 1) * width), vector);
  return { values, width, count };
}

function resampledSum({ values, width, count }: Packed, rng: Rng): number[] {
  const sum = new Array<number>(width).fill(0);
  for (let i = 0; i < count; i++)
    for (let j = 0, at = rng.int(count) * width; j < width; j++, at++) sum[j]! += values[at]!;
  return sum;
}

function withoutInterval(value: number): Estimate | null {
  return Number.isNaN(value) ? null : { value, low: null, high: null, confidence: CONFIDENCE };
}

function sumOf(vectors: readonly (readonly number[])[]): number[] {
  const sum = itemAt(vectors, 0).map(() => 0);
  for (const vector of vectors) addTo(sum, vector);
  return sum;
}

/**
 * Statistics of a sum of vectors, one vector per independent item, with percentile bootstrap intervals over the items
 * (Efron & Tibshirani 1993, §13.3). Null where a statistic of all items is NaN; resamples where it is are left out. Of
 * fewer items than `LEAST_GROUPS` there is no interval.
 */
export function bootstrapStatistics(
  vectors: readonly (readonly number[])[],
  valuesOf: (sum: readonly number[]) => readonly number[],
  rng: Rng,
): readonly (Estimate | null)[] {
  if (vectors.length === 0) return [];
  if (vectors.length < LEAST_GROUPS) return valuesOf(sumOf(vectors)).map(withoutInterval);
  const bundles = bundle(vectors, rng);
  const draws = Array.from({ length: RESAMPLES }, () => valuesOf(resampledSum(bundles, rng)));
  const tail = (1 - CONFIDENCE) / 2;
  return valuesOf(sumOf(vectors)).map((value, i) => {
    const sorted = draws.map((draw) => itemAt(draw, i)).filter((drawn) => !Number.isNaN(drawn));
    sorted.sort((a, b) => a - b);
    if (Number.isNaN(value) || sorted.length === 0) return null;
    return { value, low: quantile(sorted, tail), high: quantile(sorted, 1 - tail), confidence: CONFIDENCE };
  });
}

/** Independent trials that all end alike leave room, at 95 %, for 3/n of the other end (Hanley and Lippman-Hand 1983). */
const RULE_OF_THREE = 3;

/**
 * The share of ones among zeros and ones, with its bootstrap interval. Where all are alike a bootstrap draws nothing else:
 * the far end is then the rule of three's over the clusters. Null where there are no values.
 */
export function rateInterval(clusters: readonly (readonly number[])[], rng: Rng): Interval | null {
  const interval = bootstrapMean(clusters, rng);
  if (interval === null || interval.low === null || (interval.mean > 0 && interval.mean < 1)) {
    return interval;
  }
  const room = Math.min(1, RULE_OF_THREE / clusters.filter((cluster) => cluster.length > 0).length);
  return interval.mean === 0 ? { ...interval, high: room } : { ...interval, low: 1 - room };
}
