import type { Rng } from '../../stage.js';
import { bootstrapMean, type Interval } from './bootstrap.js';

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
