import type { DraftKeeper } from './draft-keeper.js';

/** Calls back when all that waited for a server that was away is saved. Returns how to end that. */
export function watchReturn(keeper: Pick<DraftKeeper, 'watch' | 'unsaved'>, onReturn: () => void): () => void {
  let wasAway = false;
  return keeper.watch(() => {
    const unsaved = keeper.unsaved();
    if (unsaved.some(({ state }) => state.kind === 'away')) wasAway = true;
    else if (wasAway && unsaved.length === 0) {
      wasAway = false;
      onReturn();
    }
  });
}
