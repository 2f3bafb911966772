import { elementAt } from '../../present.js';
import type { EntailmentScorer, StageContext } from '../../stage.js';
import { changedWindow, wordingTokens } from './changed-window.js';
import { hasOppositeWord } from './opposite-words.js';

/** Why a wording is dropped. */
const GUARD_REASONS = ['contradicts its seed', 'does not say what its seed says', 'says the opposite'] as const;
export type GuardReason = (typeof GUARD_REASONS)[number];

/**
 * From here on a judge's contradiction counts, and below here its entailment counts as none, in either direction. Chosen
 * on Spider's train questions (docs/mutate.md has the table).
 */
const CONTRADICTION = 0.5;
const LEAST_ENTAILMENT = 0.06;

/** Two wordings of a question. */
export interface WordingPair {
  readonly before: string;
  readonly after: string;
}

/** Asks a table of opposites, then the NLI judge, whether another wording of a question still asks the same. */
export class SemanticGuard {
  /** Version of the rule. */
  static readonly fingerprint = 'window 5, contradiction 0.5, entailment 0.06, opposites 1';
  readonly #scorer: EntailmentScorer;

  constructor(scorer: EntailmentScorer) {
    this.#scorer = scorer;
  }

  /** Why each pair is refused, null where it is not; in input order. */
  async judge(pairs: readonly WordingPair[], context: StageContext): Promise<readonly (GuardReason | null)[]> {
    const opposite = pairs.map(({ before, after }) => hasOppositeWord(wordingTokens(before), wordingTokens(after)));
    const judged = await this.#askJudge(
      pairs.filter((_, i) => !elementAt(opposite, i)),
      context,
    );
    let next = 0;
    return opposite.map((isOpposite) => (isOpposite ? GUARD_REASONS[2] : elementAt(judged, next++)));
  }

  async #askJudge(pairs: readonly WordingPair[], context: StageContext): Promise<readonly (GuardReason | null)[]> {
    const asked = pairs.flatMap(({ before, after }) => {
      const [premise, hypothesis] = changedWindow(before, after);
      return [
        { premise, hypothesis },
        { premise: hypothesis, hypothesis: premise },
      ];
    });
    const scores = await this.#scorer.score(asked, context);
    return pairs.map((_, i) => {
      const both = scores.slice(2 * i, 2 * i + 2);
      if (both.some(({ contradiction }) => contradiction >= CONTRADICTION)) return GUARD_REASONS[0];
      return both.some(({ entailment }) => entailment < LEAST_ENTAILMENT) ? GUARD_REASONS[1] : null;
    });
  }
}
