import { type Candidate, sourceTraits, type TargetColumn } from '../stage.js';

/** The meaning of a rejection by each naturalness rule, and by consequences of association, for reports. */
export const RULE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'existing-name': 'The table has a column of that name, or is named so',
  'another-script': 'In Latin letters, of which the identifiers of the table have none',
  offensive: 'Holds an offensive word',
  symbols: 'Holds signs that no column name needs',
  digits: 'Holds digits that the column does not',
  short: 'Under four letters, and no usual word',
  misspelled: 'Holds a word that is not English',
  opaque: 'Ends in "id" or a code where the column does not',
  'opaque-column': 'The column’s own name does not say what it holds, so a new one would tell it',
  unread: 'The column’s identifier could not be read: `perturbql identifiers` shows it, --readings takes what it says',
  'word-repeat': 'Says a word twice',
  'too-long': 'Too long for a column name',
  'rare-word': 'Holds a rare word',
  'number-agreement': 'Plural where the column is singular, or the other way about',
  filler: 'Fits any table, so it goes with no column of this one',
  'row-kind': 'Says what a row of the table is, not what it has',
  'near-repeat': 'Nearly repeats a column of the table: "full name" next to "name"',
  restatement: 'Says what a column of the table says, in other words of time or role',
  'nested-of': 'Says "of" twice where the column does not',
  'rarer-word': 'Holds a word that is rarer than what it replaces',
  ambiguous: 'Could as well stand for another column of the table',
  synonym: 'A synonym of a column of the table, so nothing to add',
  'reads-odd': 'Readers would be unlikely to take it, as the judge has learned it from theirs',
  wordy: 'Says the column in more words, where another name replaces it',
  unassociated: 'Not associated enough with the column and its table to be added',
  'enough-additions': 'Not asked about as an addition: names that go better with the column are enough',
};

/** For each bucket the id of the rule that closes it to a candidate; null = open. */
export interface ScreenResult {
  readonly rpl: string | null;
  readonly add: string | null;
}

/**
 * Checks whether the dictionary proposes the name, alone or with retrieval: it then says the same, in a form that fits.
 */
export function isOfDictionary({ source, inDictionary }: Candidate): boolean {
  return sourceTraits(source).knownBy === 'dictionary' || inDictionary === true;
}

/** All rules in force, asked in order; the first that objects names the reason. */
export interface CandidateScreen {
  readonly fingerprint: string;
  check(candidate: Candidate, target: TargetColumn): Promise<ScreenResult>;
}

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
