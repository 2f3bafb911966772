import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../errors.js';
import { commitFile, writeDurably } from '../run/durable-file.js';
import { type CellDirectory, encodeDirectory } from './cell-directory.js';
import { checksumOf, type LinePlaces } from './table-store.js';
import { DotKernel, maxRows, rowStride } from './dot-kernel.js';
import {
  type CellManifest,
  CELLS_KIND,
  checkIndexFile,
  describeFile,
  INDEX_FILES,
  INDEX_VERSION,
  type IndexManifest,
  readIndexManifest,
} from './index-manifest.js';
import { itemAt, zip } from '../present.js';
import { quantize, VectorTable } from './vector-table.js';

/** Cells per square root of the number of tables. More make the build slower, fewer the search (docs/table-index.md). */
const CELLS_PER_ROOT = 2;
/** Vectors per cell that the middles are learned from; Faiss takes 39 to 256. */
const SAMPLE_PER_CELL = 40;
/** Rounds of k-means. */
const ROUNDS = 6;
const VECTORS_PER_TURN = 1024;

/** How many cells an index of some number of tables is divided into: 490 of 60,000, 1,549 of 600,000. */
export function cellCount(tables: number): number {
  return Math.min(tables, Math.round(CELLS_PER_ROOT * Math.sqrt(tables)));
}

/** Vectors divided among cells. */
interface Clusters {
  /** Middles, int8, `[cells, stride]`. */
  readonly centroids: Int8Array;
  /** Cell of each vector. */
  readonly cells: Uint32Array;
}

/** Called between vectors with how many comparisons were done of how many; may throw to stop. */
type OnTurn = (done: number, total: number) => Promise<void>;

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

/**
 * Indexes of more tables are divided into cells, smaller ones get a graph. Of 60,000 tables (docs/table-index.md) the graph takes
 * 1.7 kB a table, is read whole, costs four times the CPU of the whole build with cells, and finds fewer neighbors.
 */
export const CELLS_OVER = 20_000;

const LINE_END = 10;

export interface CellOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

function checkCapacity(folder: string, { count, dimension }: IndexManifest): void {
  const most = maxRows(dimension);
  if (count + cellCount(count) <= most) return;
  throw new ConfigError(
    `an index can't be searched with ${count} tables of ${dimension} dimensions, but with some ${most}`,
    {
      fix: 'Divide the corpus and build an index of each part.',
      where: { file: folder },
    },
  );
}

/** Reports progress in tables, lets others have a turn, and stops where that is asked for. */
function turnTaker({ signal, onProgress }: CellOptions, tables: number): OnTurn {
  return async (done, total) => {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    onProgress?.(Math.floor((done / total) * tables), tables);
  };
}

/** Positions of the vectors of each cell, in the order of the index. */
function membersOf(cells: Uint32Array, count: number): readonly (readonly number[])[] {
  const members = Array.from({ length: count }, (): number[] => []);
  for (const [position, cell] of cells.entries()) itemAt(members, cell).push(position);
  return members;
}

/** Writes the vectors of one cell; returns their checksum. */
async function writeCell(file: FileHandle, vectors: VectorTable, positions: readonly number[]): Promise<number> {
  const stride = rowStride(vectors.dimension);
  const rows = new Int8Array(positions.length * stride);
  for (const [row, position] of positions.entries()) rows.set(vectors.stored(position), row * stride);
  const bytes = new Uint8Array(rows.buffer);
  await file.appendFile(bytes);
  return checksumOf(bytes);
}

async function writeVectors(
  path: string,
  vectors: VectorTable,
  clusters: Clusters,
): Promise<Omit<CellDirectory, 'lines'>> {
  const count = clusters.centroids.length / rowStride(vectors.dimension);
  const members = membersOf(clusters.cells, count);
  const checks: number[] = [];
  const file = await open(path, 'w');
  try {
    for (const positions of members) checks.push(await writeCell(file, vectors, positions));
  } finally {
    await file.close();
  }
  let end = 0;
  const starts = Uint32Array.from([0, ...members.map(({ length }) => (end += length))]);
  const positions = Uint32Array.from(members.flat());
  const squares = positions.map((position) => vectors.squares(position));
  return { positions, squares, starts, checks: Uint32Array.from(checks), centroids: clusters.centroids };
}

/** Places and checksums of the lines of `tables.jsonl`, as the builder writes it: each ends with a line feed. */
async function findLines(path: string, count: number): Promise<LinePlaces> {
  const starts = new Float64Array(count + 1);
  const checks = new Uint32Array(count);
  let [position, offset] = [0, 0];
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      checks[position++] = checksumOf(bytes.subarray(start, end + 1));
      start = end + 1;
      starts[position] = offset + start;
    }
    offset += start;
    rest = bytes.subarray(start);
  }
  return { starts, checks };
}

/**
 * Divides an index folder into cells: `cells.i8` (the vectors again, cell by cell), `cells.bin` (what is kept in memory)
 * and `cells.json`. Needs no encoder; about a minute for 600,000 tables. The same vectors give the same bytes everywhere.
 * @throws IndexMismatchError when the folder is no sound index.
 * @throws ConfigError when it holds more tables than can be searched so.
 */
export async function buildCells(folder: string, options: CellOptions): Promise<CellManifest> {
  const manifest = await readIndexManifest(folder);
  checkCapacity(folder, manifest);
  const { [INDEX_FILES.vectors]: vectorFile, [INDEX_FILES.tables]: tableFile } = manifest.files;
  await checkIndexFile(folder, INDEX_FILES.vectors, vectorFile);
  await checkIndexFile(folder, INDEX_FILES.tables, tableFile);
  const path = (file: string): string => join(folder, file);
  const vectors = new VectorTable(await readFile(path(INDEX_FILES.vectors)), manifest.dimension);
  const clusters = await new Clustering(vectors, cellCount(manifest.count)).run(turnTaker(options, manifest.count));
  const divided = await writeVectors(path(`${INDEX_FILES.cellVectors}.tmp`), vectors, clusters);
  const lines = await findLines(path(INDEX_FILES.tables), manifest.count);
  await rm(path(INDEX_FILES.cellManifest), { force: true });
  commitFile(path(`${INDEX_FILES.cellVectors}.tmp`), path(INDEX_FILES.cellVectors));
  writeDurably(path(INDEX_FILES.cells), encodeDirectory({ lines, ...divided }));
  options.onProgress?.(manifest.count, manifest.count);
  return writeCellManifest(folder, manifest, divided.checks.length);
}

async function writeCellManifest(folder: string, index: IndexManifest, cells: number): Promise<CellManifest> {
  const manifest: CellManifest = {
    kind: CELLS_KIND,
    version: INDEX_VERSION,
    cells,
    rounds: ROUNDS,
    vectorsSha256: index.files[INDEX_FILES.vectors].sha256,
    tablesSha256: index.files[INDEX_FILES.tables].sha256,
    files: {
      [INDEX_FILES.cells]: await describeFile(join(folder, INDEX_FILES.cells)),
      [INDEX_FILES.cellVectors]: await describeFile(join(folder, INDEX_FILES.cellVectors)),
    },
  };
  writeDurably(join(folder, INDEX_FILES.cellManifest), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}
