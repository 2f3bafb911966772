import { cta } from './cta.js';
import type { Recipe } from './recipe.js';

/**
 * A language model proposes, and what decides of CTA's candidates decides: the naturalness rules, the judge (ADVETA §4.4)
 * and association.
 */
export const llm: Recipe = {
  id: 'llm',
  cites: 'ours; judged as ADVETA §4.4',
  rpl: { sources: ['llm'], rule: { kind: 'entailment' } },
  add: { sources: ['llm'], rule: { kind: 'entailment' } },
  keep: null,
  naturalness: true,
};

/** CTA's candidates and a language model's. */
export const ctaAndLlm: Recipe = {
  ...cta,
  id: 'cta+llm',
  cites: 'ADVETA §4, and ours',
  rpl: { ...cta.rpl, sources: [...cta.rpl.sources, ...llm.rpl.sources] },
  add: { ...cta.add, sources: [...cta.add.sources, ...llm.add.sources] },
};
