import { useLayoutEffect, useReducer } from 'preact/hooks';
import type { ListedItem } from '../api-shapes.js';
import { itemKey, useDesk } from './desk.js';
import { type Loaded, useLoaded } from './use-loaded.js';

/** The columns of a chunk as this page shows them: answers of which the list may not know yet are counted in. */
export function useChunkRows(chunk: number): Loaded<readonly ListedItem[]> {
  const { api, keeper } = useDesk();
  const loaded = useLoaded(`chunk ${chunk}`, () => api.chunkItems(chunk));
  const [, render] = useReducer<number, null>((round) => round + 1, 0);
  useLayoutEffect(() => keeper.watch(() => render(null)), []);
  const rows = loaded.value?.map((row) => {
    const answer = keeper.answerOf(itemKey(row.id));
    return answer === null ? row : { ...row, state: answer.state, flagged: answer.flagged };
  });
  return { ...loaded, value: rows ?? null };
}
