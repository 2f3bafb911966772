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

/** Slope of the least-squares line, megabytes per 10,000 pairs: one high point does not decide. 0 for under two points. */
export function growthOf(points: readonly MemoryPoint[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ pairs }) => pairs)), mean(points.map(({ megabytes }) => megabytes))];
  const spread = points.reduce((sum, { pairs }) => sum + (pairs - x) ** 2, 0);
  const slope = points.reduce((sum, { pairs, megabytes }) => sum + (pairs - x) * (megabytes - y), 0) / spread;
  return points.length < 2 ? 0 : slope * GROWTH_UNIT;
}
