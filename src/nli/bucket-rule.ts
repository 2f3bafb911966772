import type { ListedFor, Reading } from '../stage.js';

/** Lowest min(e1, e2) of a replaceable candidate. */
export const RPL_MIN_ENTAILMENT = 0.65; // ADVETA §4.4
/** Highest max(e1, e2) of an addable candidate, against every column. */
export const ADD_MAX_ENTAILMENT = 0.45; // ADVETA §4.4

export interface Thresholds {
  readonly rplMin: number;
  readonly addMax: number;
  /**
   * From where on another column is equivalent, too, or from what the target reaches, if that is less. Default: rplMin.
   */
  readonly rivalMin?: number;
  /**
   * How likely readers must take a name for its bucket, and for close in topic; not asked of models that don't tell.
   */
  readonly reading?: Reading;
  /** The same of names that a language model wrote for the table. Default: `reading`. */
  readonly readingOfProposed?: Reading;
}

/**
 * How much less entailment is asked of a replacement that the thesaurus lists for the whole name: its writers have
 * judged it, and a small judge gives "given name" for "first name" 0.63, "bases on balls" for "walks" 0.48. Chosen by
 * reading what it had refused of the thesaurus in 310 tables of nine fields that were written for this: of 62 names
 * between 0.4 and the judge's threshold some nine of ten fit, of 48 below four of five.
 */
const LISTED_ALLOWANCE = 0.42;

/**
 * The thresholds for one candidate, by what a list of the project's own has it for. Of what the bank lists next to such
 * a column of such a table readers take three of four, and nearly all for close to it, whatever a small judge makes of
 * them: of these it is only asked whether they say what a column says.
 */
export function thresholdsFor(thresholds: Thresholds, listedFor?: ListedFor): Thresholds {
  if (listedFor === undefined) return thresholds;
  const { rplMin, reading, readingOfProposed = reading } = thresholds;
  if (listedFor === 'table')
    return readingOfProposed === undefined ? thresholds : { ...thresholds, reading: readingOfProposed };
  const eased = { ...thresholds, rplMin: Math.max(0, rplMin - LISTED_ALLOWANCE), rivalMin: rplMin };
  return listedFor === 'name' || reading === undefined
    ? eased
    : { ...eased, reading: { ...reading, addition: 0, topic: 0 } };
}

/** Bidirectional entailment of a candidate with one column; `e2` is null where it was not needed or not scored yet. */
export interface BidirectionalScore {
  /** The column compared with. */
  readonly column: string;
  /** Column as premise, candidate as hypothesis. */
  readonly e1: number;
  /** Candidate as premise, column as hypothesis. */
  readonly e2: number | null;
  /** How readers would take the candidate for the column; null where the model doesn't tell. */
  readonly reading?: Reading | null;
}

/** Which buckets are open to a candidate: dictionary candidates become RPL or are rejected (ADVETA §4.3). */
export interface OpenBuckets {
  readonly rpl: boolean;
  readonly add: boolean;
}

type BucketReason =
  | 'entailment'
  | 'listed'
  | 'no-equivalence'
  | 'equivalent-to-target'
  | 'not-entailed'
  | 'between-thresholds'
  | 'reads-odd'
  | 'equivalent-to-other'
  | 'entailed-by-other';

export interface BucketDecision {
  readonly bucket: 'RPL' | 'ADD' | 'rejected';
  readonly reason: BucketReason;
  /** The score that decided: against the target, or against the other column that stood in the way. */
  readonly by: BidirectionalScore;
}

/** The next step of the rule: another score to see, or the decision. */
export type RuleStep =
  | { readonly kind: 'decided'; readonly decision: BucketDecision }
  | { readonly kind: 'need-e2'; readonly of: 'target' | 'other' }
  | { readonly kind: 'need-other' };

function decided(bucket: BucketDecision['bucket'], reason: BucketReason, by: BidirectionalScore): RuleStep {
  return { kind: 'decided', decision: { bucket, reason, by } };
}

const lower = (score: BidirectionalScore): number => Math.min(score.e1, score.e2 ?? score.e1);
const upper = (score: BidirectionalScore): number => Math.max(score.e1, score.e2 ?? score.e1);

/** Checks whether readers would take a candidate so, as far as that is asked and told. */
function isRead({ reading }: BidirectionalScore, thresholds: Thresholds, as: keyof Reading): boolean {
  return thresholds.reading === undefined || (reading?.[as] ?? 1) >= thresholds.reading[as];
}

/**
 * Checks whether an addition is close to its column in topic (ADVETA §2.3), as the judge has learned it from readers;
 * null where it doesn't tell.
 */
export function isTopical({ reading = null }: BidirectionalScore, { reading: least }: Thresholds): boolean | null {
  return reading === null || least === undefined ? null : reading.topic >= least.topic;
}

/**
 * ADVETA §4.4 as a pure rule over the scores seen so far: RPL when min(e1, e2) ≥ rplMin against the target, ADD when
 * max(e1, e2) ≤ addMax against the target and every other column (footnote 5). Beyond the paper, an RPL candidate
 * must not be equivalent to another column of its table: questions would become ambiguous; and of either, readers must
 * be likely to take it, where the judge tells.
 *
 * `others` holds the scores against other columns so far, in the order compared; `othersLeft` how many are unseen.
 * The answer names the next score that can still change the decision, so nothing is scored past that point.
 */
export function decideBucket(
  target: BidirectionalScore,
  others: readonly BidirectionalScore[],
  othersLeft: number,
  open: OpenBuckets,
  thresholds: Thresholds,
): RuleStep {
  const { rplMin, addMax, rivalMin = rplMin } = thresholds;
  const isReplacement = open.rpl && lower(target) >= rplMin;
  const isAddition = open.add && upper(target) <= addMax;
  const mayBeRpl = isReplacement && isRead(target, thresholds, 'replacement');
  const mayBeAdd = isAddition && isRead(target, thresholds, 'addition');
  if (!mayBeRpl && !mayBeAdd) {
    if (isReplacement || isAddition) return decided('rejected', 'reads-odd', target);
    const between = open.add && lower(target) < rplMin;
    return decided(
      'rejected',
      between ? 'between-thresholds' : open.add ? 'equivalent-to-target' : 'not-entailed',
      target,
    );
  }
  if (target.e2 === null) return { kind: 'need-e2', of: 'target' };
  const equivalent = Math.min(rivalMin, lower(target));
  const conflict = others.find((other) => (mayBeRpl ? lower(other) >= equivalent : upper(other) > addMax));
  if (conflict !== undefined) {
    if (mayBeRpl && conflict.e2 === null) return { kind: 'need-e2', of: 'other' };
    return decided('rejected', mayBeRpl ? 'equivalent-to-other' : 'entailed-by-other', conflict);
  }
  if (mayBeAdd && others.at(-1)?.e2 === null) return { kind: 'need-e2', of: 'other' };
  if (othersLeft > 0) return { kind: 'need-other' };
  if (mayBeRpl) return decided('RPL', lower(target) < rivalMin ? 'listed' : 'entailment', target);
  const highest = [target, ...others].reduce((best, score) => (upper(score) > upper(best) ? score : best));
  return decided('ADD', 'no-equivalence', highest);
}

/** True where a score of columns or of how the candidate reads lies within `margin` of its threshold. */
export function isBorderline(
  scores: readonly BidirectionalScore[],
  { rplMin, addMax, reading: least }: Thresholds,
  margin: number,
): boolean {
  const isClose = (score: number | null, threshold: number): boolean =>
    score !== null && Math.abs(score - threshold) <= margin;
  const isEntailmentClose = scores.some(({ e1, e2 }) =>
    [e1, e2].some((score) => isClose(score, rplMin) || isClose(score, addMax)),
  );
  const reading = scores[0]?.reading ?? null;
  if (isEntailmentClose || reading === null || least === undefined) return isEntailmentClose;
  return (['replacement', 'addition', 'topic'] as const).some((as) => isClose(reading[as], least[as]));
}
