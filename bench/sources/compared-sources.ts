import { cta, ctaAndLlm, llm, random, type Recipe, w2v } from '../../src/recipes/recipes.js';

/** A row of the comparison: where names come from, and what is set for it. */
export interface ComparedSource {
  readonly id: string;
  readonly about: string;
  readonly recipe: Recipe;
}

const of = (about: string, recipe: Recipe, id = recipe.id): ComparedSource => ({ id, about, recipe });

const JUDGED = { kind: 'entailment' } as const;

/** Retrieval alone, the dictionary alone, a language model alone, all of them judged alike; CTA; and the baselines. */
export const COMPARED_SOURCES: readonly ComparedSource[] = [
  of('retrieval, judged', {
    ...cta,
    id: 'retrieval',
    rpl: { sources: ['retrieval'], rule: JUDGED },
    add: { sources: ['retrieval'], rule: JUDGED },
  }),
  // It proposes nothing to add (ADVETA §4.3).
  of('dictionary, judged', {
    ...cta,
    id: 'dictionary',
    rpl: { sources: ['dictionary'], rule: JUDGED },
    add: { sources: ['dictionary'], rule: { kind: 'rank', from: 0, to: 0, sample: 0 } },
  }),
  of('recorded proposals, judged', llm),
  of('retrieval and dictionary, judged', cta),
  of('all three, judged', ctaAndLlm, 'cta-and-llm'),
  of('word vectors by rank, no judge', w2v),
  of('names at random, no judge', random),
];
