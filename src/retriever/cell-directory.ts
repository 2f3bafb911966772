import type { LinePlaces } from './table-store.js';

/** The data that an index divided into cells keeps in memory: about 20 bytes per table and a vector per cell. */
export interface CellDirectory {
  readonly lines: LinePlaces;
  /** Position in the index of the table at each place of `cells.i8`. */
  readonly positions: Uint32Array;
  /** Sum of the squared components of the vector at each place. */
  readonly squares: Uint32Array;
  /** Place where each cell begins; one more than there are cells, the last is the number of tables. */
  readonly starts: Uint32Array;
  /** Checksum of each cell's bytes in `cells.i8`. */
  readonly checks: Uint32Array;
  /** Middle of each cell, int8, `[cells, stride]`. */
  readonly centroids: Int8Array;
}

/** Lengths of the parts of `cells.bin` in bytes, in their order. */
function partLengths(tables: number, cells: number, stride: number): number[] {
  return [8 * (tables + 1), 4 * tables, 4 * tables, 4 * tables, 4 * (cells + 1), 4 * cells, cells * stride];
}

/** Length of a directory in bytes. */
export function directoryBytes(tables: number, cells: number, stride: number): number {
  return partLengths(tables, cells, stride).reduce((sum, length) => sum + length, 0);
}

/**
 * The parts of `cells.bin`: numbers as they lie in memory (little endian), the widest first, so that all are aligned.
 */
export function encodeDirectory(directory: CellDirectory): readonly Uint8Array[] {
  const { lines, positions, squares, starts, checks, centroids } = directory;
  return [lines.starts, lines.checks, positions, squares, starts, checks, centroids].map(
    (part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
  );
}

/** Reads what `encodeDirectory` wrote; `bytes` has the length that `directoryBytes` tells. */
export function decodeDirectory(bytes: ArrayBuffer, tables: number, cells: number, stride: number): CellDirectory {
  let next = 0;
  const offsets = partLengths(tables, cells, stride).map((length) => (next += length) - length);
  const [lineStarts, lineChecks, positions, squares, starts, checks, centroids] = offsets;
  return {
    lines: {
      starts: new Float64Array(bytes, lineStarts, tables + 1),
      checks: new Uint32Array(bytes, lineChecks, tables),
    },
    positions: new Uint32Array(bytes, positions, tables),
    squares: new Uint32Array(bytes, squares, tables),
    starts: new Uint32Array(bytes, starts, cells + 1),
    checks: new Uint32Array(bytes, checks, cells),
    centroids: new Int8Array(bytes, centroids, cells * stride),
  };
}
