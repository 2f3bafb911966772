import { join } from 'node:path';
import type { CorpusTable, RetrievedTable } from '../stage.js';
import { INDEX_FILES, type GraphManifest, type IndexManifest } from './index-manifest.js';
import type { VectorTable } from './vector-table.js';

const LINE_END = 10;

function findLineStarts(bytes: Uint8Array): number[] {
  const starts: number[] = [];
  for (let start = 0; start < bytes.length;) {
    starts.push(start);
    const end = bytes.indexOf(LINE_END, start);
    start = end === -1 ? bytes.length : end + 1;
  }
  return starts;
}

export interface TableIndexParts {
  readonly folder: string;
  readonly manifest: IndexManifest;
  readonly graph: GraphManifest | null;
  readonly fingerprint: string;
  /** Contents of `tables.jsonl`. */
  readonly tables: Buffer;
  readonly vectors: VectorTable;
}

/** An opened, checked index: tables by position (parsed when asked for) and their vectors. Made by `openIndex`. */
export class TableIndex {
  readonly folder: string;
  readonly manifest: IndexManifest;
  /** How the graph was built; null where the folder has none. */
  readonly graph: GraphManifest | null;
  readonly fingerprint: string;
  readonly vectors: VectorTable;
  /** Number of tables. */
  readonly size: number;
  readonly #bytes: Buffer;
  readonly #starts: readonly number[];

  constructor(parts: TableIndexParts) {
    this.folder = parts.folder;
    this.manifest = parts.manifest;
    this.graph = parts.graph;
    this.fingerprint = parts.fingerprint;
    this.vectors = parts.vectors;
    this.#bytes = parts.tables;
    this.#starts = findLineStarts(parts.tables);
    this.size = this.#starts.length;
  }

  /** Path of `hnsw.bin`. */
  get graphPath(): string {
    return join(this.folder, INDEX_FILES.graph);
  }

  /** The table at a position, 0 to size - 1. @throws RangeError beyond. */
  table(position: number): CorpusTable {
    const start = this.#starts[position];
    if (start === undefined) throw new RangeError(`the index has no table at position ${position}`);
    const line = this.#bytes.toString('utf8', start, this.#starts[position + 1] ?? this.#bytes.length);
    return JSON.parse(line) as CorpusTable;
  }

  /** All tables in the order of the index. */
  *tables(): Generator<CorpusTable> {
    for (let position = 0; position < this.size; position++) yield this.table(position);
  }

  /** The `k` positions of the highest scores as tables, best first; equal scores in the order of the tables' ids. */
  best(positions: readonly number[], scores: ArrayLike<number>, k: number): readonly RetrievedTable[] {
    const last = k > 0 ? (Float64Array.from(scores).sort()[positions.length - k] ?? -Infinity) : Infinity;
    return positions
      .map((_, place) => place)
      .filter((place) => scores[place]! >= last)
      .map((place) => ({ table: this.table(positions[place]!), score: scores[place]! }))
      .sort((a, b) => b.score - a.score || (a.table.id < b.table.id ? -1 : 1))
      .slice(0, k);
  }
}
