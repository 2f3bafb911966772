import { IndexMismatchError, NativeModuleError } from '../errors.js';
import type { RetrievedTable, StageContext, TableRetriever, TargetTable } from '../stage.js';
import { CellSearch } from './cell-search.js';
import { embedTargets, rankByCosine } from './dense-query.js';
import { loadHnsw, readGraph, type LoadHnsw } from './hnsw-graph.js';
import { INDEX_FILES, rebuildFix } from './index-manifest.js';
import type { OpenedCells, TableIndex } from './table-index.js';
import type { TextEmbedder } from './text-embedder.js';
import { clampTopK } from './top-k.js';
import type { VectorTable } from './vector-table.js';

/** Breadth of the search: recall@100 was 1.0 at 200 on 18,000 tables; twice k keeps that for larger k. */
const MIN_EF = 200;

/** A way to find the nearest tables: over cells, over the graph, or exactly. */
interface NeighborSearch {
  /** Everything besides the index that determines its answers. */
  readonly key: string;
  /** Why it searches exactly although it should not; null where it does as it should. */
  readonly missing: string | null;
  /** The `k` nearest tables to a unit vector, with their exact cosines, best first. */
  find(query: Float32Array, k: number): readonly RetrievedTable[];
}

function searchCells(index: TableIndex, { manifest, directory }: OpenedCells): NeighborSearch {
  const { dimension } = index.manifest;
  const cells = new CellSearch({ folder: index.folder, dimension, directory });
  return {
    key: `cells-${manifest.files[INDEX_FILES.cells].sha256.slice(0, 32)}`,
    missing: null,
    find: (query, k) => {
      const { positions, scores } = cells.search(query, k);
      return index.best(positions, scores, k);
    },
  };
}

function searchExactly(index: TableIndex, vectors: VectorTable, missing: string): NeighborSearch {
  return { key: 'exact', missing, find: (query, k) => rankByCosine(index, vectors, query, k) };
}

async function searchGraph(index: TableIndex, load: LoadHnsw): Promise<NeighborSearch> {
  const vectors = await index.vectors();
  const repair = rebuildFix(index.folder);
  if (index.graph === null) {
    return searchExactly(index, vectors, `the index has no graph (${INDEX_FILES.graph}). ${repair}`);
  }
  try {
    const graph = await readGraph(index.graphPath, vectors.dimension, load);
    const find = (query: Float32Array, k: number): readonly RetrievedTable[] => {
      const breadth = Math.max(MIN_EF, 2 * k);
      if (breadth >= index.size) return rankByCosine(index, vectors, query, k);
      graph.setEf(breadth);
      // All that the search saw is ranked again, so that rounding in the graph does not decide at the k-th place.
      const { neighbors } = graph.searchKnn(Array.from(query), breadth);
      return rankByCosine(index, vectors, query, k, neighbors);
    };
    return { key: index.graph.files[INDEX_FILES.graph].sha256.slice(0, 32), missing: null, find };
  } catch (error) {
    if (error instanceof NativeModuleError) return searchExactly(index, vectors, `${error.message}. ${error.fix}`);
    const where = { file: index.graphPath };
    throw new IndexMismatchError('hnswlib can not read the graph', { fix: repair, where, cause: error });
  }
}

/**
 * ADVETA §4.1 in less than linear time: over the cells of an index that is divided into them (one of over 20,000
 * tables), else over its HNSW graph. Either finds the neighbors; their scores are computed again from the stored
 * vectors, so they equal the exact retriever's. Where hnswlib-node or the graph is missing, it searches exactly and
 * says so in one warning.
 */
export class HnswRetriever implements TableRetriever {
  readonly id = 'hnsw';
  readonly fingerprint: string;
  readonly size: number;
  readonly #embedder: TextEmbedder;
  readonly #open: () => Promise<NeighborSearch>;
  #search: NeighborSearch | null;
  #warning: string | null;

  private constructor(
    index: TableIndex,
    embedder: TextEmbedder,
    search: NeighborSearch,
    open: () => Promise<NeighborSearch>,
  ) {
    this.#embedder = embedder;
    this.#search = search;
    this.#open = open;
    this.#warning = search.missing === null ? null : `searching the index exactly: ${search.missing}`;
    this.size = index.size;
    this.fingerprint = `hnsw:1:${search.key}:${MIN_EF}:${index.fingerprint}:${embedder.fingerprint}`;
  }

  /**
   * Loads the graph or the cells' directory; `load` takes the native module's place in tests.
   * @throws IndexMismatchError when hnswlib can not read the graph.
   */
  static async create(index: TableIndex, embedder: TextEmbedder, load: LoadHnsw = loadHnsw): Promise<HnswRetriever> {
    const { cells } = index;
    const open = async (): Promise<NeighborSearch> =>
      cells === null ? searchGraph(index, load) : searchCells(index, cells);
    return new HnswRetriever(index, embedder, await open(), open);
  }

  /**
   * Scores are cosines of query and table, -1 to 1; equal ones in the order of the tables' ids.
   * @throws IndexMismatchError when a part of the index that is read now is not the one that was written.
   */
  async retrieve(
    targets: readonly TargetTable[],
    k: number,
    context: StageContext,
  ): Promise<readonly (readonly RetrievedTable[])[]> {
    this.#warnOnce(context);
    const limit = clampTopK(k, this.size);
    const queries = await embedTargets(targets, this.#embedder, this.id, context);
    this.#search ??= await this.#open();
    const search = this.#search;
    return queries.map((query) => search.find(query, limit));
  }

  async dispose(): Promise<void> {
    this.#search = null;
  }

  #warnOnce(context: StageContext): void {
    if (this.#warning !== null) context.emit({ kind: 'warning', message: this.#warning });
    this.#warning = null;
  }
}
