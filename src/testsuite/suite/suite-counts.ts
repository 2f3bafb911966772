import type { SuiteSchemaFile } from './suite-manifest.js';

/** Neighbors of some gold queries. */
export interface NeighborCounts {
  readonly golds: number;
  readonly neighbors: number;
  /** Of them, those that are shown to be equivalent, which no suite can distinguish. */
  readonly equivalent: number;
  /** Those that only a database distinguishes that breaks one of the data's constraints. */
  readonly equivalentUnderData: number;
  /** Of the others, those that no database distinguishes. */
  readonly left: number;
}

/** The neighbors of a schema's gold queries, counted. */
export function countNeighbors({ golds }: Pick<SuiteSchemaFile, 'golds'>): NeighborCounts {
  return golds.reduce(
    (sum, { neighbors, equivalent, equivalentUnderData, left }) => ({
      golds: sum.golds + 1,
      neighbors: sum.neighbors + neighbors,
      equivalent: sum.equivalent + equivalent,
      equivalentUnderData: sum.equivalentUnderData + equivalentUnderData.length,
      left: sum.left + left.length,
    }),
    { golds: 0, neighbors: 0, equivalent: 0, equivalentUnderData: 0, left: 0 },
  );
}

/** The neighbors that a suite is to distinguish: all shares are of them. */
export function countedNeighbors({
  neighbors,
  equivalent,
  equivalentUnderData,
}: Pick<NeighborCounts, 'neighbors' | 'equivalent' | 'equivalentUnderData'>): number {
  return neighbors - equivalent - equivalentUnderData;
}

/** Share of the neighbors that are not equivalent that are left, in [0, 1]; null where there is none. */
export function shareLeft(counts: NeighborCounts): number | null {
  const counted = countedNeighbors(counts);
  return counted === 0 ? null : counts.left / counted;
}
