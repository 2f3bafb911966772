import { quantize, VectorTable } from '../../src/retriever/vector-table.js';
import { type Base, createSyntheticVector } from './synthetic-tables.js';

const RANKS = [1, 10, 100] as const;
const SAMPLES = 200;

/** Median cosine of a table with its nearest, 10th and 100th nearest other one. */
export type NeighborProfile = Readonly<Record<(typeof RANKS)[number], number>>;

function profileOf(vectors: VectorTable): NeighborProfile {
  const step = Math.max(1, Math.floor(vectors.size / SAMPLES));
  const byRank: number[][] = RANKS.map(() => []);
  for (let position = 0; position < vectors.size; position += step) {
    const query = Float32Array.from(vectors.unit(position));
    const cosines = Float64Array.from({ length: vectors.size }, (_, other) => vectors.cosine(query, other)).sort();
    // The nearest of all is the table itself.
    for (const [i, rank] of RANKS.entries()) byRank[i]!.push(cosines[cosines.length - 1 - rank] ?? NaN);
  }
  const medians = byRank.map((cosines) => cosines.sort((a, b) => a - b)[cosines.length >> 1]!);
  return { 1: medians[0]!, 10: medians[1]!, 100: medians[2]! };
}

function tableOf(count: number, dimension: number, vectorAt: (position: number) => Float32Array): VectorTable {
  const values = new Int8Array(count * dimension);
  for (let position = 0; position < count; position++) {
    values.set(quantize(vectorAt(position)), position * dimension);
  }
  return new VectorTable(new Uint8Array(values.buffer), dimension);
}

/** How near neighbors are among the real tables, and among as many synthetic ones: the two should be alike. */
export function profileNeighbors(base: Base, seed: number): { real: NeighborProfile; synthetic: NeighborProfile } {
  const { vectors, dimension, tables } = base;
  const real = (i: number): Float32Array => vectors.subarray(i * dimension, (i + 1) * dimension);
  return {
    real: profileOf(tableOf(tables.length, dimension, real)),
    synthetic: profileOf(tableOf(tables.length, dimension, (i) => createSyntheticVector(base, seed, i))),
  };
}
