import type { HierarchicalNSW } from 'hnswlib-node';
import { IndexMismatchError, NativeModuleError } from '../errors.js';
import type { RetrievedTable, StageContext, TableRetriever, TargetTable } from '../stage.js';
import { embedTargets, rankByCosine } from './dense-query.js';
import { loadHnsw, readGraph, type LoadHnsw } from './hnsw-graph.js';
import { INDEX_FILES, rebuildFix } from './index-manifest.js';
import type { TableIndex } from './table-index.js';
import type { TextEmbedder } from './text-embedder.js';
import { clampTopK } from './top-k.js';

/** Breadth of the search: recall@100 was 1.0 at 200 on 18,000 tables; twice k keeps that for larger k. */
const MIN_EF = 200;

type LoadedGraph = { readonly graph: HierarchicalNSW } | { readonly missing: string };

async function loadGraph(index: TableIndex, load: LoadHnsw): Promise<LoadedGraph> {
  const repair = rebuildFix(index.folder);
  if (index.graph === null) return { missing: `the index has no graph (${INDEX_FILES.graph}). ${repair}` };
  try {
    return { graph: await readGraph(index.graphPath, index.vectors.dimension, load) };
  } catch (error) {
    if (error instanceof NativeModuleError) return { missing: `${error.message}. ${error.fix}` };
    const where = { file: index.graphPath };
    throw new IndexMismatchError('hnswlib can not read the graph', { fix: repair, where, cause: error });
  }
}

/**
 * ADVETA §4.1 over the HNSW graph of an index, in logarithmic time. The graph finds the neighbors; their scores are
 * computed again from the stored vectors, so they equal the exact retriever's. Where hnswlib-node or the graph is
 * missing, it searches exactly and says so in one warning.
 */
export class HnswRetriever implements TableRetriever {
  readonly id = 'hnsw';
  readonly fingerprint: string;
  readonly size: number;
  readonly #index: TableIndex;
  readonly #embedder: TextEmbedder;
  #graph: HierarchicalNSW | null;
  #warning: string | null;

  private constructor(index: TableIndex, embedder: TextEmbedder, loaded: LoadedGraph) {
    this.#index = index;
    this.#embedder = embedder;
    this.#graph = 'graph' in loaded ? loaded.graph : null;
    this.#warning = 'missing' in loaded ? `searching the index exactly: ${loaded.missing}` : null;
    this.size = index.size;
    const graph = this.#graph === null ? 'exact' : index.graph?.files[INDEX_FILES.graph].sha256.slice(0, 32);
    this.fingerprint = `hnsw:1:${graph}:${MIN_EF}:${index.fingerprint}:${embedder.fingerprint}`;
  }

  /**
   * Loads the graph; `load` takes the native module's place in tests.
   * @throws IndexMismatchError when hnswlib can not read the graph.
   */
  static async create(index: TableIndex, embedder: TextEmbedder, load: LoadHnsw = loadHnsw): Promise<HnswRetriever> {
    return new HnswRetriever(index, embedder, await loadGraph(index, load));
  }

  /** Scores are cosines of query and table, -1 to 1; equal ones in the order of the tables' ids. */
  async retrieve(
    targets: readonly TargetTable[],
    k: number,
    context: StageContext,
  ): Promise<readonly (readonly RetrievedTable[])[]> {
    this.#warnOnce(context);
    const limit = clampTopK(k, this.size);
    const queries = await embedTargets(targets, this.#embedder, this.id, context);
    return queries.map((query) => this.#search(query, limit));
  }

  async dispose(): Promise<void> {
    this.#graph = null;
  }

  #warnOnce(context: StageContext): void {
    if (this.#warning !== null) context.emit({ kind: 'warning', message: this.#warning });
    this.#warning = null;
  }

  #search(query: Float32Array, k: number): readonly RetrievedTable[] {
    const breadth = Math.max(MIN_EF, 2 * k);
    if (this.#graph === null || breadth >= this.size) return rankByCosine(this.#index, query, k);
    this.#graph.setEf(breadth);
    // All that the search saw is ranked anew, so that rounding in the graph does not decide at the k-th place.
    const { neighbors } = this.#graph.searchKnn(Array.from(query), breadth);
    return rankByCosine(this.#index, query, k, neighbors);
  }
}
