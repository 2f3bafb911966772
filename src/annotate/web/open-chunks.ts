import type { ChunkProgress } from '../annotation.js';

/** Checks whether columns of a chunk are still to be handed in. */
export function hasWork({ items, done, skipped }: ChunkProgress): boolean {
  return done + skipped < items;
}

/** The chunk to go on with after a finished one: the next that has work, from the first again after the last. */
export function chunkAfter(chunks: readonly ChunkProgress[], finished: number): number | undefined {
  const at = chunks.findIndex(({ chunk }) => chunk === finished);
  // The list may not know yet that the finished one is: it is left out.
  return [...chunks.slice(at + 1), ...chunks.slice(0, Math.max(0, at))].find(hasWork)?.chunk;
}
