import { join } from 'node:path';
import type { CorpusTable, RetrievedTable } from '../stage.js';
import type { CellDirectory } from './cell-directory.js';
import { INDEX_FILES, type CellManifest, type GraphManifest, type IndexManifest } from './index-manifest.js';
import type { TableStore } from './table-store.js';
import type { VectorTable } from './vector-table.js';
import { zip } from '../present.js';

const TABLES_PER_READ = 256;

/** The cells of an opened index. */
export interface OpenedCells {
  readonly manifest: CellManifest;
  readonly directory: CellDirectory;
}

export interface TableIndexParts {
  readonly folder: string;
  readonly manifest: IndexManifest;
  readonly graph: GraphManifest | null;
  readonly cells: OpenedCells | null;
  readonly fingerprint: string;
  readonly tables: TableStore;
  readonly loadVectors: () => Promise<VectorTable>;
}

/** An opened, checked index: tables by position (parsed when asked for) and their vectors. Made by `openIndex`. */
export class TableIndex {
  readonly folder: string;
  readonly manifest: IndexManifest;
  /** How the graph was built; null where the folder has none. */
  readonly graph: GraphManifest | null;
  /** Null where the index is not divided into cells. */
  readonly cells: OpenedCells | null;
  readonly fingerprint: string;
  /** Number of tables. */
  readonly size: number;
  readonly #tables: TableStore;
  readonly #loadVectors: () => Promise<VectorTable>;
  #vectors: Promise<VectorTable> | null = null;

  constructor(parts: TableIndexParts) {
    this.folder = parts.folder;
    this.manifest = parts.manifest;
    this.graph = parts.graph;
    this.cells = parts.cells;
    this.fingerprint = parts.fingerprint;
    this.size = parts.tables.size;
    this.#tables = parts.tables;
    this.#loadVectors = parts.loadVectors;
  }

  /** Path of `hnsw.bin`. */
  get graphPath(): string {
    return join(this.folder, INDEX_FILES.graph);
  }

  /**
   * All vectors in the order of the index. One that is divided into cells reads them at the first call, and needs them
   * for exact search only.
   * @throws IndexMismatchError when the file is not the one that was written.
   */
  vectors(): Promise<VectorTable> {
    this.#vectors ??= this.#loadVectors();
    return this.#vectors;
  }

  /** The table at a position, 0 to size - 1. @throws RangeError beyond. */
  table(position: number): CorpusTable {
    const [table] = position < this.size ? this.#tables.read([position]) : [];
    if (table !== undefined) return table;
    throw new RangeError(`the index has no table at position ${position}`);
  }

  /** All tables in the order of the index. */
  *tables(): Generator<CorpusTable> {
    for (let first = 0; first < this.size; first += TABLES_PER_READ) {
      const count = Math.min(TABLES_PER_READ, this.size - first);
      yield* this.#tables.read(Array.from({ length: count }, (_, offset) => first + offset));
    }
  }

  /** The `k` positions of the highest scores as tables, best first; equal scores in the order of the tables' ids. */
  best(positions: readonly number[], scores: ArrayLike<number>, k: number): readonly RetrievedTable[] {
    const last = k > 0 ? (Float64Array.from(scores).sort()[positions.length - k] ?? -Infinity) : Infinity;
    const places = zip(positions, scores).filter(([, score]) => score >= last);
    const tables = this.#tables.read(places.map(([position]) => position));
    return zip(tables, places)
      .map(([table, [, score]]) => ({ table, score }))
      .sort((a, b) => b.score - a.score || (a.table.id < b.table.id ? -1 : 1))
      .slice(0, k);
  }
}
