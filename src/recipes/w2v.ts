import type { Recipe, RecipePath } from './recipe.js';

/** ADVETA appendix D: five at random from the 15 most similar terms, RPL. */
const W2V_RPL: RecipePath = { sources: ['vocabulary'], rule: { kind: 'rank', from: 0, to: 15, sample: 5 } };
/** ADVETA appendix D: five at random from the terms ranked 15 to 50, ADD. */
export const W2V_ADD: RecipePath = { sources: ['vocabulary'], rule: { kind: 'rank', from: 15, to: 50, sample: 5 } };

/** Word-vector baseline, ADVETA appendix D: similarity in the whole vocabulary, no table context and no judge. */
export const w2v: Recipe = {
  id: 'w2v',
  cites: 'ADVETA appendix D',
  rpl: W2V_RPL,
  add: W2V_ADD,
  keep: null,
  naturalness: false,
};
