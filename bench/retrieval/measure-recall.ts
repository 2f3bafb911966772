import type { StageContext, TableRetriever } from '../../src/stage.js';
import type { RetrievalQuery } from './retrieval-tasks.js';

export const DEPTHS = [1, 10, 100] as const;

/** Mean share, 0 to 1, of the wanted tables among the first 1, 10 and 100, of those that could be there. */
export type Recall = Readonly<Record<(typeof DEPTHS)[number], number>>;

function shareWithin(found: readonly string[], { wanted }: RetrievalQuery, depth: number): number {
  const hits = found.slice(0, depth).filter((id) => wanted.has(id)).length;
  return hits / Math.min(depth, wanted.size);
}

/** Asks a retriever all queries of a task. */
export async function measureRecall(
  retriever: TableRetriever,
  queries: readonly RetrievalQuery[],
  context: StageContext,
): Promise<Recall> {
  // One more than needed, since the asking table is left out of its answer.
  const targets = queries.map(({ target }) => target);
  const answers = await retriever.retrieve(targets, DEPTHS[2] + 1, context);
  const meanAt = (depth: number): number => {
    const shares = queries.map((query, position) => {
      const ids = answers[position]!.map(({ table }) => table.id).filter((id) => id !== query.own);
      return shareWithin(ids, query, depth);
    });
    return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  };
  return { 1: meanAt(1), 10: meanAt(10), 100: meanAt(100) };
}
