import type { Recipe } from './recipe.js';

/**
 * Contextualized Table Augmentation, ADVETA §4.
 *
 * | value | paper | released notebook | here |
 * | --- | --- | --- | --- |
 * | tables retrieved | 100 of 600k | 50 | min(100, 5 % of the index): 100 of a small index would be no filter |
 * | candidates kept | 20 | 10 | 20 |
 * | a word stays | 0.25 | 0, 0.25 or 0.5 by length | 0.25 |
 * | RPL | min(e1, e2) ≥ 0.65 | 0.50, 0.70, 0.75 | the judge's own threshold, else 0.65 |
 * | ADD | max(e1, e2) ≤ 0.45, every column | min, its own column only | the judge's own, else 0.45, by max, every column |
 *
 * Beyond the paper: the naturalness rules, and no RPL candidate that is equivalent to another column.
 */
export const cta: Recipe = {
  id: 'cta',
  cites: 'ADVETA §4',
  rpl: { sources: ['retrieval', 'dictionary'], rule: { kind: 'entailment' } },
  add: { sources: ['retrieval', 'attributes'], rule: { kind: 'entailment' } },
  keep: null,
  naturalness: true,
};
