import type { Candidate, TargetColumn } from '../stage.js';

/** Which perturbation a rule guards: replacing a column (RPL), adding one (ADD), or either. */
type RuleBucket = 'RPL' | 'ADD' | 'both';

/**
 * Rejects candidates that people would not call natural (ADVETA §2.2, phraseology correctness) or that clash with the
 * table. Pure: the same arguments give the same answer.
 */
export interface NaturalnessRule {
  /** Name of the rule's flag and of its count in reports. */
  readonly id: string;
  readonly appliesTo: RuleBucket;
  /** A reason to reject the candidate, as a short clause for the report; null to let it pass. */
  check(candidateName: string, target: TargetColumn, candidate: Candidate): string | null;
}

/** The facts about words that rules need; given from outside, so that they need no files. */
export interface NaturalnessContext {
  /**
   * Place of a word in the order of frequency, 0 = most frequent; null when the vocabulary lacks it, or has no such
   * order.
   */
  frequencyRank(word: string): number | null;
  /** Checks whether a word is English, in its base form or inflected. */
  isWord(word: string): boolean;
  /** Base form and number of a noun phrase in lower case, by its head; null when that is no known noun. */
  nounForm(phrase: string): { readonly base: string; readonly number: 'singular' | 'plural' | 'invariant' } | null;
  /** Checks whether a word is usual in schemas, however rare in prose ("postcode"); none is when absent. */
  isFamiliar?(word: string): boolean;
}

/** The first rule that rejects a candidate, and why. */
export interface NaturalnessVerdict {
  readonly rule: string;
  readonly reason: string;
}

/** Runs the rules of one bucket in order; null when all let the candidate pass. */
export function checkNaturalness(
  rules: readonly NaturalnessRule[],
  bucket: 'RPL' | 'ADD',
  target: TargetColumn,
  candidate: Candidate,
): NaturalnessVerdict | null {
  for (const rule of rules) {
    if (rule.appliesTo !== 'both' && rule.appliesTo !== bucket) continue;
    const reason = rule.check(candidate.name, target, candidate);
    if (reason !== null) return { rule: rule.id, reason };
  }
  return null;
}
