import { median } from 'simple-statistics';

/** Resident memory after so many pairs. */
export interface MemoryPoint {
  readonly pairs: number;
  readonly megabytes: number;
}

/** Pairs that a growth is given for. */
export const GROWTH_UNIT = 10_000;

/** Share of a run in which memory may still rise: arenas, code and caches fill. */
const WARM_UP = 0.25;

/** Points after the warm-up. */
export function afterWarmUp(points: readonly MemoryPoint[]): readonly MemoryPoint[] {
  const last = points.at(-1)?.pairs ?? 0;
  return points.filter(({ pairs }) => pairs >= WARM_UP * last);
}

/**
 * Median of the slopes between any two points (Theil and Sen), megabytes per 10,000 pairs: neither a high point nor the
 * one step down where a full memory is emptied decides. 0 for under two points.
 */
export function growthOf(points: readonly MemoryPoint[]): number {
  const slopes = points.flatMap((a, i) =>
    points.slice(i + 1).map((b) => (b.megabytes - a.megabytes) / (b.pairs - a.pairs)),
  );
  return slopes.length === 0 ? 0 : median(slopes) * GROWTH_UNIT;
}
