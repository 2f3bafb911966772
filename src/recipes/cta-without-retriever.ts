import type { Recipe } from './recipe.js';
import { W2V_ADD } from './w2v.js';

/** Ablation, ADVETA §5.4: RPL from the dictionary alone, ADD as the W2V baseline makes it. */
export const ctaWithoutRetriever: Recipe = {
  id: 'cta-without-retriever',
  cites: 'ADVETA §5.4',
  rpl: { sources: ['dictionary'], rule: { kind: 'entailment' } },
  add: W2V_ADD,
  keep: null,
  naturalness: true,
};
