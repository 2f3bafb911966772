import { DotKernel } from './dot-kernel.js';
import { quantize, type VectorTable } from './vector-table.js';
import { itemAt, zip } from '../present.js';

/** Cells per square root of the number of tables. More make the build slower, fewer the search (docs/table-index.md). */
const CELLS_PER_ROOT = 2;
/** Vectors per cell that the middles are learned from; Faiss takes 39 to 256. */
const SAMPLE_PER_CELL = 40;
/** Rounds of k-means. */
export const ROUNDS = 6;
const VECTORS_PER_TURN = 1024;

/** How many cells an index of some number of tables is divided into: 490 of 60,000, 1,549 of 600,000. */
export function cellCount(tables: number): number {
  return Math.min(tables, Math.round(CELLS_PER_ROOT * Math.sqrt(tables)));
}

/** Vectors divided among cells. */
export interface Clusters {
  /** Middles, int8, `[cells, stride]`. */
  readonly centroids: Int8Array;
  /** Cell of each vector. */
  readonly cells: Uint32Array;
}

/** Called between vectors with how many comparisons were done of how many; may throw to stop. */
export type OnTurn = (done: number, total: number) => Promise<void>;

/** Spherical k-means with middles in int8. All sums are in one order, and all products of integers: no seed, no threads. */
class Clustering {
  readonly #vectors: VectorTable;
  readonly #cells: number;
  readonly #kernel: DotKernel;
  readonly #lengths: Float64Array;
  readonly #sample: Uint32Array;

  constructor(vectors: VectorTable, cells: number) {
    this.#vectors = vectors;
    this.#cells = cells;
    this.#kernel = new DotKernel(vectors.dimension, cells);
    this.#lengths = new Float64Array(cells);
    const size = Math.min(vectors.size, cells * SAMPLE_PER_CELL);
    this.#sample = Uint32Array.from({ length: size }, (_, i) => Math.floor((i * vectors.size) / size));
    for (let cell = 0; cell < cells; cell++) this.#place(cell, this.#sampled(Math.floor((cell * size) / cells)));
  }

  async run(onTurn: OnTurn): Promise<Clusters> {
    const [learned, { size }] = [this.#sample.length, this.#vectors];
    const total = ROUNDS * learned + size;
    for (let round = 0; round < ROUNDS; round++) {
      const members = await this.#assign(this.#sample, (done) => onTurn(round * learned + done, total));
      this.#move(members, round);
    }
    const all = Uint32Array.from({ length: size }, (_, position) => position);
    const cells = await this.#assign(all, (done) => onTurn(ROUNDS * learned + done, total));
    return { centroids: this.#kernel.rows.slice(), cells };
  }

  #place(cell: number, middle: Int8Array): void {
    this.#kernel.row(cell).set(middle);
    this.#lengths[cell] = Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0));
  }

  async #assign(positions: Uint32Array, onTurn: (done: number) => Promise<void>): Promise<Uint32Array> {
    const nearest = new Uint32Array(positions.length);
    for (const [i, position] of positions.entries()) {
      if (i % VECTORS_PER_TURN === 0) await onTurn(i);
      nearest[i] = this.#nearestTo(position);
    }
    return nearest;
  }

  /** The cell of the greatest cosine, the first of equal ones. */
  #nearestTo(position: number): number {
    this.#kernel.setStoredQuery(this.#vectors.stored(position));
    const dots = this.#kernel.dots(0, this.#cells);
    let [nearest, greatest] = [0, -Infinity];
    for (let cell = 0; cell < this.#cells; cell++) {
      const score = itemAt(dots, cell) / itemAt(this.#lengths, cell);
      if (score <= greatest) continue;
      [nearest, greatest] = [cell, score];
    }
    return nearest;
  }

  /** Moves each middle to the mean of its vectors' directions; an empty cell begins again at a vector of the sample. */
  #move(members: Uint32Array, round: number): void {
    const { dimension } = this.#vectors;
    const sums = new Float32Array(this.#cells * dimension);
    for (const [position, cell] of zip(this.#sample, members)) this.#vectors.addUnit(position, sums, cell * dimension);
    for (let cell = 0; cell < this.#cells; cell++) {
      const sum = sums.subarray(cell * dimension, (cell + 1) * dimension);
      const other = this.#sampled((cell * 7919 + round) % this.#sample.length);
      this.#place(cell, sum.some((value) => value !== 0) ? quantize(sum) : other);
    }
  }

  #sampled(at: number): Int8Array {
    return this.#vectors.stored(itemAt(this.#sample, at));
  }
}

/** Divides vectors into `cells` groups of like direction. The same vectors give the same groups on every machine. */
export function clusterVectors(vectors: VectorTable, cells: number, onTurn: OnTurn): Promise<Clusters> {
  return new Clustering(vectors, cells).run(onTurn);
}
