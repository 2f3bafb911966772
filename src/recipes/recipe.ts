import type { CandidateSourceKind } from '../stage.js';

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

export interface RecipePath {
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
  /** Whether the naturalness rules run; baselines go without, as published, but names stay distinct and usable. */
  readonly naturalness: boolean;
}
