import type { EntailmentScorer, StageContext } from '../../../stage.js';
import { itemAt } from '../../../present.js';
import { type ChangedWords, changedWords, isDecisive } from './asked-words.js';

/** Why a wording is dropped. */
const GUARD_REASONS = {
  otherwise: 'counts, compares or negates otherwise',
  less: 'leaves out what its seed says',
  more: 'says more than its seed',
  other: 'names something else',
} as const;
export type GuardReason = (typeof GUARD_REASONS)[keyof typeof GUARD_REASONS];

/**
 * Below, words do not replace others: the judge's entailment, the lesser of both directions. Chosen on Spider's train
 * questions (`npm run bench:guard`, tuning part).
 */
const LEAST_ENTAILMENT = 0.45;

/** Two wordings of a question. */
export interface WordingPair {
  readonly before: string;
  readonly after: string;
}

/** Decides by the words alone: a reason, null if they are the same, `undecided` if some replace others. */
function byWords({ lost, gained }: ChangedWords): GuardReason | null | 'undecided' {
  if ([...lost, ...gained].some(isDecisive)) return GUARD_REASONS.otherwise;
  if (lost.length > 0 && gained.length > 0) return 'undecided';
  if (lost.length > 0) return GUARD_REASONS.less;
  return gained.length > 0 ? GUARD_REASONS.more : null;
}

const phraseOf = (words: readonly string[]): string => [...new Set(words)].join(' ');

/**
 * Compares the words of two wordings of a question, but for those of grammar and asking; only where words gave way to
 * others the NLI judge says whether they mean the same, as it does of names of columns.
 */
export class SemanticGuard {
  /** Version of the rule. */
  static readonly fingerprint = `words 1, entailment ${LEAST_ENTAILMENT}`;
  readonly #scorer: EntailmentScorer;

  constructor(scorer: EntailmentScorer) {
    this.#scorer = scorer;
  }

  /** Why each pair is refused, null where it is not; in input order. */
  async judge(pairs: readonly WordingPair[], context: StageContext): Promise<readonly (GuardReason | null)[]> {
    const changes = pairs.map(({ before, after }) => changedWords(before, after));
    const decided = changes.map(byWords);
    const judged = await this.#askJudge(
      changes.filter((_, i) => decided[i] === 'undecided'),
      context,
    );
    let next = 0;
    return decided.map((reason) => (reason === 'undecided' ? itemAt(judged, next++) : reason));
  }

  async #askJudge(changes: readonly ChangedWords[], context: StageContext): Promise<readonly (GuardReason | null)[]> {
    const asked = changes.flatMap(({ lost, gained }) => {
      const [premise, hypothesis] = [phraseOf(lost), phraseOf(gained)];
      return [
        { premise, hypothesis },
        { premise: hypothesis, hypothesis: premise },
      ];
    });
    const scores = await this.#scorer.score(asked, context);
    return changes.map((_, i) => {
      const both = scores.slice(2 * i, 2 * i + 2);
      return both.some(({ entailment }) => entailment < LEAST_ENTAILMENT) ? GUARD_REASONS.other : null;
    });
  }
}
