import type { SaveState } from '../draft-keeper.js';

/**
 * Checks whether an answer is on the server, for eyes and screen readers. "Saved" means that the server has confirmed
 * it.
 */
export function SaveStatus({ state }: { readonly state: SaveState }) {
  return (
    <span class={`save ${state.kind}`} role="status" data-save={state.kind}>
      {wordsOf(state)}
    </span>
  );
}

function wordsOf(state: SaveState): string {
  switch (state.kind) {
    case 'untouched':
      return '';
    case 'saving':
      return 'Saving…';
    case 'saved':
      return 'Saved';
    case 'away':
      return 'Not saved: server is away, kept here, trying again';
    case 'conflict':
      return 'Not saved: changed elsewhere, choose a version';
    case 'refused':
      return `Not saved, kept here: ${state.message}`;
  }
}
