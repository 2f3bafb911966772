import type { Recipe } from './recipe.js';

/** Lower bound, ADVETA appendix B.1 (random substitution): column names of the index drawn at random. */
export const random: Recipe = {
  id: 'random',
  cites: 'ADVETA appendix B.1',
  rpl: { sources: ['random'], rule: { kind: 'rank', from: 0, to: 20, sample: 5 } },
  add: { sources: ['random'], rule: { kind: 'rank', from: 0, to: 20, sample: 5 } },
  keep: null,
  naturalness: false,
};
