import type { Candidate, TargetColumn } from '../stage.js';
import type { CandidateScreen, ScreenResult } from './candidate-screen.js';
import { checkNaturalness, type NaturalnessRule } from './naturalness-rule.js';

/** Asks naturalness rules in order; the first objection closes a bucket, by the rule's id. */
export class RuleScreen implements CandidateScreen {
  readonly fingerprint: string;
  readonly #rules: readonly NaturalnessRule[];

  /** `source` names the word lists and limits behind the rules, for the fingerprint. */
  constructor(rules: readonly NaturalnessRule[], source: string) {
    this.#rules = rules;
    this.fingerprint = `rules-4:${rules.map((rule) => rule.id).join(',')}:${source}`;
  }

  check(candidate: Candidate, target: TargetColumn): Promise<ScreenResult> {
    return Promise.resolve({
      rpl: checkNaturalness(this.#rules, 'RPL', target, candidate)?.rule ?? null,
      add: checkNaturalness(this.#rules, 'ADD', target, candidate)?.rule ?? null,
    });
  }
}
