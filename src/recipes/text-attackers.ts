import type { Recipe, RecipePath } from './recipe.js';

type Attacker = 'neighbors' | 'masked';

/** Five at random from a range of ranks; the attackers rank, not the word vectors of whole names. */
function draw(source: Attacker, from: number, to: number): RecipePath {
  return { sources: [source], rule: { kind: 'rank', from, to, sample: 5, order: 'proposed' } };
}

/** ADVETA appendix D: both follow W2V, RPL from the best 15, ADD from ranks 15 to 50. */
function baseline(id: 'textfooler' | 'bert-attack', source: Attacker): Recipe {
  const [rpl, add] = [draw(source, 0, 15), draw(source, 15, 50)];
  return { id, cites: 'ADVETA appendix D', rpl, add, keep: null, naturalness: false };
}

/**
 * TextFooler (Jin et al. 2020) on column names: words give way to their neighbors in word vectors, where part of speech
 * and sentence stay.
 */
export const textfooler = baseline('textfooler', 'neighbors');

/** BERT-Attack (Li et al. 2020) on column names: words give way to what a masked language model puts in their place. */
export const bertAttack = baseline('bert-attack', 'masked');
