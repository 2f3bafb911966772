import type { RetrievedTable, StageContext, TargetTable } from '../stage.js';
import { renderTargetQuery } from './table-context.js';
import type { TableIndex } from './table-index.js';
import { embedQueriesChecked, type TextEmbedder } from './text-embedder.js';
import type { VectorTable } from './vector-table.js';

const BATCH_SIZE = 32;

/** Query vectors of the targets, in order; reports progress under the stage's id after each batch. */
export async function embedTargets(
  targets: readonly TargetTable[],
  embedder: TextEmbedder,
  stage: string,
  context: StageContext,
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let first = 0; first < targets.length; first += BATCH_SIZE) {
    context.signal.throwIfAborted();
    const batch = targets.slice(first, first + BATCH_SIZE).map(renderTargetQuery);
    vectors.push(...(await embedQueriesChecked(embedder, batch, context.signal)));
    context.emit({ kind: 'progress', stage, done: vectors.length, total: targets.length });
  }
  return vectors;
}

/** The `k` tables nearest to a query vector among the positions (all where not given), by exact cosine. */
export function rankByCosine(
  index: TableIndex,
  vectors: VectorTable,
  query: Float32Array,
  k: number,
  positions: readonly number[] = Array.from({ length: index.size }, (_, position) => position),
): readonly RetrievedTable[] {
  const scores = Float64Array.from(positions, (position) => vectors.cosine(query, position));
  return index.best(positions, scores, k);
}
