import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { CellDirectory } from './cell-directory.js';
import { checksumOf } from './table-store.js';
import { DotKernel } from './dot-kernel.js';
import { INDEX_FILES, indexMismatch } from './index-manifest.js';
import { rankPlaces, TopPlaces } from './top-places.js';
import { cosineWith } from './vector-table.js';
import { itemAt, zip } from '../present.js';

/**
 * A search compares the query with the tables of the nearest cells until it has seen this many times the cube root of
 * their number: 15,700 of 60,000, 33,700 of 600,000. The neighbors of a query spread over ever smaller a share of them.
 */
const SEEN_PER_ROOT = 400;
/** At least this many are ranked again by their exact cosines; the first pass rounds the query. */
const MIN_RANKED = 200;

/** Tables that a search has found, with their exact cosines, in no order. */
export interface FoundPositions {
  readonly positions: readonly number[];
  readonly scores: Float64Array;
}

/** The parts of an opened index that a search needs. */
export interface CellParts {
  readonly folder: string;
  readonly dimension: number;
  readonly directory: CellDirectory;
}

/** The `count` cells of the highest scores, best first, equal ones in their own order. */
function nearestFirst(scores: Float64Array, count: number): Uint32Array {
  return Uint32Array.from(rankPlaces(scores, count), ({ place }) => place);
}

/** Where the tables of a cell begin and end. */
function boundsOf(starts: Uint32Array, cell: number): { readonly first: number; readonly end: number } {
  const [first = 0, end = first] = starts.subarray(cell, cell + 2);
  return { first, end };
}

function sizeOf(starts: Uint32Array, cell: number): number {
  const { first, end } = boundsOf(starts, cell);
  return end - first;
}

/** As many of the first cells as hold `enough` tables together; null where all of them hold fewer. */
function takeCells(order: Uint32Array, starts: Uint32Array, enough: number): Uint32Array | null {
  let seen = 0;
  const last = order.findIndex((cell) => (seen += sizeOf(starts, cell)) >= enough);
  return last === -1 ? null : order.subarray(0, last + 1);
}

/**
 * Search in an index that is divided into cells (an inverted file, Jégou et al. 2011). A cell's vectors are read from
 * `cells.i8` when a query first comes near it, and stay in memory: what is never asked about is never read.
 */
export class CellSearch {
  readonly #parts: CellParts;
  /** Row by row: the cells' middles, then the vectors at their places in `cells.i8`, zeros where not read yet. */
  readonly #kernel: DotKernel;
  /** Lengths of the middles. */
  readonly #lengths: Float64Array;
  /** Length of the vector at each place. */
  readonly #norms: Float64Array;
  readonly #isRead: Uint8Array;

  constructor(parts: CellParts) {
    const { dimension, directory } = parts;
    const cells = directory.checks.length;
    this.#parts = parts;
    this.#kernel = new DotKernel(dimension, cells + directory.positions.length);
    this.#kernel.rows.set(directory.centroids);
    this.#norms = Float64Array.from(directory.squares).map(Math.sqrt);
    this.#isRead = new Uint8Array(cells);
    this.#lengths = Float64Array.from({ length: cells }, (_, cell) =>
      Math.sqrt(this.#kernel.row(cell).reduce((sum, value) => sum + value * value, 0)),
    );
  }

  /** Tables whose vectors are in memory by now. */
  get readTables(): number {
    const { starts } = this.#parts.directory;
    return this.#isRead.reduce((sum, isRead, cell) => sum + isRead * sizeOf(starts, cell), 0);
  }

  /**
   * The `k` nearest tables and some more, as far as the nearest cells hold them.
   * @throws IndexMismatchError when a cell that is read is not the one that was written.
   */
  search(query: Float32Array, k: number): FoundPositions {
    const { positions } = this.#parts.directory;
    const wanted = Math.min(positions.length, Math.max(MIN_RANKED, 2 * k));
    this.#kernel.setQuery(query);
    const cells = this.#nearestCells(wanted);
    this.#read(cells);
    const places = this.#nearestPlaces(cells, wanted);
    const { rows, stride } = this.#kernel;
    const scores = Float64Array.from(places, (place) =>
      cosineWith(query, rows, this.#rowOf(place) * stride, itemAt(this.#norms, place)),
    );
    return { positions: Array.from(places, (place) => itemAt(positions, place)), scores };
  }

  /** Cells by falling cosine of query and middle, until they hold enough tables. */
  #nearestCells(wanted: number): Uint32Array {
    const { starts, positions } = this.#parts.directory;
    const dots = this.#kernel.dots(0, this.#lengths.length);
    const scores = Float64Array.from(zip(dots, this.#lengths), ([dot, length]) => dot / length);
    const enough = Math.max(wanted, SEEN_PER_ROOT * Math.cbrt(positions.length));
    // Sorting all would take longer than comparing: twice as many as are needed on average will do, or else all.
    const likely = Math.ceil((2 * dots.length * enough) / positions.length);
    const some = likely < dots.length ? takeCells(nearestFirst(scores, likely), starts, enough) : null;
    return some ?? takeCells(nearestFirst(scores, dots.length), starts, enough) ?? nearestFirst(scores, dots.length);
  }

  #rowOf(place: number): number {
    return this.#lengths.length + place;
  }

  #nearestPlaces(cells: Uint32Array, wanted: number): Uint32Array {
    const { starts } = this.#parts.directory;
    const nearest = new TopPlaces(wanted);
    for (const cell of cells) {
      const { first, end } = boundsOf(starts, cell);
      const dots = this.#kernel.dots(this.#rowOf(first), end - first);
      dots.forEach((dot, i) => nearest.offer(first + i, dot / itemAt(this.#norms, first + i)));
    }
    return nearest.places();
  }

  #read(cells: Uint32Array): void {
    const missing = cells.filter((cell) => this.#isRead[cell] === 0);
    if (missing.length === 0) return;
    const file = this.#open();
    try {
      for (const cell of missing) this.#readCell(file, cell);
    } finally {
      closeSync(file);
    }
  }

  #open(): number {
    const { folder } = this.#parts;
    try {
      return openSync(join(folder, INDEX_FILES.cellVectors), 'r');
    } catch (cause) {
      throw indexMismatch(`the index has no ${INDEX_FILES.cellVectors}`, folder, INDEX_FILES.cellVectors, cause);
    }
  }

  #readCell(file: number, cell: number): void {
    const { folder, directory } = this.#parts;
    const { stride, rows } = this.#kernel;
    const { first, end } = boundsOf(directory.starts, cell);
    const start = first * stride;
    const at = rows.byteOffset + this.#rowOf(0) * stride + start;
    const bytes = new Uint8Array(rows.buffer, at, (end - first) * stride);
    const length = bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, start);
    if (length === bytes.length && checksumOf(bytes) === directory.checks[cell]) {
      this.#isRead[cell] = 1;
      return;
    }
    const message = `cell ${cell + 1} of ${directory.checks.length} is damaged: its checksum differs`;
    throw indexMismatch(message, folder, INDEX_FILES.cellVectors);
  }
}
