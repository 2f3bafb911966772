import type { AnswerState } from '../annotation.js';

/** State of an item, in a word; `open`: not touched. */
export const STATE_WORDS: Readonly<Record<AnswerState | 'open', string>> = {
  open: 'open',
  draft: 'draft',
  done: 'handed in',
  skipped: 'skipped',
};
