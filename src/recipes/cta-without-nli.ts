import type { Recipe } from './recipe.js';

/**
 * Ablation, ADVETA §5.4: CTA's candidates, decided by ranked similarity alone. The paper gives no ranks for it;
 * ours are those of its W2V baseline (appendix D), so the reranker keeps 50.
 */
export const ctaWithoutNli: Recipe = {
  id: 'cta-without-nli',
  cites: 'ADVETA §5.4',
  rpl: { sources: ['retrieval', 'dictionary'], rule: { kind: 'rank', from: 0, to: 15, sample: 5 } },
  add: { sources: ['retrieval'], rule: { kind: 'rank', from: 15, to: 50, sample: 5 } },
  keep: 50,
  naturalness: true,
};
