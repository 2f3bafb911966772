import type { CandidateSourceKind } from '../stage.js';
import type { RecipeName } from './recipe-names.js';

/** How candidates become decisions: by the judge's entailment, or by their rank in similarity alone. */
type PathRule =
  | { readonly kind: 'entailment' }
  /**
   * `sample` drawn at random from the candidates ranked `from` (inclusive, 0-based) to `to` (exclusive): by the
   * similarity of their word vectors, or in the order in which their one source proposes them.
   */
  | {
      readonly kind: 'rank';
      readonly from: number;
      readonly to: number;
      readonly sample: number;
      readonly order?: 'proposed';
    };

interface RecipePath {
  readonly sources: readonly CandidateSourceKind[];
  readonly rule: PathRule;
}

/** One published setting: where RPL and ADD candidates come from and what decides. */
export interface Recipe {
  readonly id: string;
  /** Where it is described. */
  readonly cites: string;
  readonly rpl: RecipePath;
  readonly add: RecipePath;
  /** Candidates kept by the reranker; null = the setting `reranker.keep`. */
  readonly keep: number | null;
  /** True if the naturalness rules run; baselines go without, as published, but names stay distinct and usable. */
  readonly naturalness: boolean;
}

/** Checks whether a judge decides of some candidates. */
export function isJudged({ rpl, add }: Recipe): boolean {
  return rpl.rule.kind === 'entailment' || add.rule.kind === 'entailment';
}

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
 * Beyond the paper: the bank of columns, additions by what a row is, the naturalness rules, and no RPL candidate that is equivalent to another
 * column.
 */
export const cta: Recipe = {
  id: 'cta',
  cites: 'ADVETA §4',
  rpl: { sources: ['bank', 'retrieval', 'dictionary'], rule: { kind: 'entailment' } },
  add: { sources: ['bank', 'retrieval', 'attributes'], rule: { kind: 'entailment' } },
  keep: null,
  naturalness: true,
};

/** ADVETA appendix D: five at random from the 15 most similar terms, RPL. */
const W2V_RPL: RecipePath = { sources: ['vocabulary'], rule: { kind: 'rank', from: 0, to: 15, sample: 5 } };
/** ADVETA appendix D: five at random from the terms ranked 15 to 50, ADD. */
const W2V_ADD: RecipePath = { sources: ['vocabulary'], rule: { kind: 'rank', from: 15, to: 50, sample: 5 } };

/** Word-vector baseline, ADVETA appendix D: similarity in the whole vocabulary, no table context and no judge. */
export const w2v: Recipe = {
  id: 'w2v',
  cites: 'ADVETA appendix D',
  rpl: W2V_RPL,
  add: W2V_ADD,
  keep: null,
  naturalness: false,
};

/** Ablation, ADVETA §5.4: RPL from the dictionary alone, ADD as the W2V baseline makes it. */
const ctaWithoutRetriever: Recipe = {
  id: 'cta-without-retriever',
  cites: 'ADVETA §5.4',
  rpl: { sources: ['dictionary'], rule: { kind: 'entailment' } },
  add: W2V_ADD,
  keep: null,
  naturalness: true,
};

/**
 * Ablation, ADVETA §5.4: CTA's candidates, decided by ranked similarity alone. The paper gives no ranks for it;
 * ours are those of its W2V baseline (appendix D), so the reranker keeps 50.
 */
const ctaWithoutNli: Recipe = {
  id: 'cta-without-nli',
  cites: 'ADVETA §5.4',
  rpl: { sources: ['retrieval', 'dictionary'], rule: { kind: 'rank', from: 0, to: 15, sample: 5 } },
  add: { sources: ['retrieval'], rule: { kind: 'rank', from: 15, to: 50, sample: 5 } },
  keep: 50,
  naturalness: true,
};

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
const textfooler = baseline('textfooler', 'neighbors');

/** BERT-Attack (Li et al. 2020) on column names: words give way to what a masked language model puts in their place. */
const bertAttack = baseline('bert-attack', 'masked');

/** Lower bound, ADVETA appendix B.1 (random substitution): column names of the index drawn at random. */
export const random: Recipe = {
  id: 'random',
  cites: 'ADVETA appendix B.1',
  rpl: { sources: ['random'], rule: { kind: 'rank', from: 0, to: 20, sample: 5 } },
  add: { sources: ['random'], rule: { kind: 'rank', from: 0, to: 20, sample: 5 } },
  keep: null,
  naturalness: false,
};

/**
 * A language model proposes, and what decides of CTA's candidates decides: the naturalness rules, the judge (ADVETA
 * §4.4) and association.
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

/** Every published setting, by name. */
export const RECIPES: Readonly<Record<RecipeName, Recipe>> = {
  cta,
  'cta-without-retriever': ctaWithoutRetriever,
  'cta-without-nli': ctaWithoutNli,
  w2v,
  textfooler,
  'bert-attack': bertAttack,
  random,
  llm,
  'cta+llm': ctaAndLlm,
};
