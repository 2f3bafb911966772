import type { RetrievedTable, StageContext, TableRetriever, TargetTable } from '../stage.js';
import { embedTargets, rankByCosine } from './dense-query.js';
import type { TableIndex } from './table-index.js';
import type { TextEmbedder } from './text-embedder.js';
import { clampTopK } from './top-k.js';

/** ADVETA §4.1 by brute force: the cosine with every table of the index. Needs no native module; linear in its size. */
export class ExactRetriever implements TableRetriever {
  readonly id = 'exact';
  readonly fingerprint: string;
  readonly size: number;
  readonly #index: TableIndex;
  readonly #embedder: TextEmbedder;

  constructor(index: TableIndex, embedder: TextEmbedder) {
    this.#index = index;
    this.#embedder = embedder;
    this.size = index.size;
    this.fingerprint = `exact:1:${index.fingerprint}:${embedder.fingerprint}`;
  }

  /** Scores are cosines of query and table, -1 to 1; equal ones in the order of the tables' ids. */
  async retrieve(
    targets: readonly TargetTable[],
    k: number,
    context: StageContext,
  ): Promise<readonly (readonly RetrievedTable[])[]> {
    const limit = clampTopK(k, this.size);
    const queries = await embedTargets(targets, this.#embedder, this.id, context);
    const vectors = await this.#index.vectors();
    return queries.map((query) => rankByCosine(this.#index, vectors, query, limit));
  }
}
