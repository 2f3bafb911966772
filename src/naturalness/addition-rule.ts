import type { CandidateDecision } from '../formats/artifacts/candidates.js';
import type { Candidate } from '../stage.js';

/** Additions that a column has enough of: what is judged next would hardly be kept. */
const ENOUGH = 6;
/** Additions of a column that are judged at a time, the likeliest first. */
const JUDGED_AT_ONCE = 16;
/**
 * Least cosine of the target's table with the one that an addition comes from. Of what the retriever found nearer
 * readers took two thirds, of the bank's half; of what came from farther off a sixth and a fifth.
 */
const LEAST_DOMAIN = 0.6;
const LEAST_DOMAIN_OF_BANK = 0.7;
/** Columns of one table that the same name may be added for. */
const COLUMNS_PER_NAME = 2;

/** Additions from farther tables that are judged where a column has none close to it, and how many of them are kept. */
const FAR_JUDGED = 8;
const FAR_KEPT = 2;

/** The rule, for run manifests. */
export const ADDITION_RULE = `domain ${LEAST_DOMAIN} ${LEAST_DOMAIN_OF_BANK}, else ${FAR_KEPT} of ${FAR_JUDGED}, ${COLUMNS_PER_NAME} columns a name, two of three close, ${ENOUGH} enough`;

/**
 * Checks whether a name is of the target's domain, as far as the table that it comes from tells: a score beyond 1 is no
 * cosine, and what the bank lists for such a column of such a table is.
 */
export function isOfDomain({ origin, source, listedFor }: Candidate): boolean {
  const score = origin?.score ?? null;
  if (score === null || score > 1 || listedFor === 'column') return true;
  return score >= (source === 'bank' ? LEAST_DOMAIN_OF_BANK : LEAST_DOMAIN);
}

/** Those from the nearest of the farther tables. */
export function nearestFirst<T extends { readonly candidate: Candidate }>(far: readonly T[]): readonly T[] {
  const score = ({ candidate: { origin } }: T): number => origin?.score ?? 0;
  return [...far].sort((a, b) => score(b) - score(a)).slice(0, FAR_JUDGED);
}

/** Of what was accepted of them, the names that readers would likeliest take. */
export function bestOfFar(decisions: readonly CandidateDecision[]): readonly CandidateDecision[] {
  const close = decisions.filter(({ goes_with: kind }) => kind === 'column');
  return close.sort((a, b) => (b.acceptability ?? 0) - (a.acceptability ?? 0)).slice(0, FAR_KEPT);
}

/** When the judge is asked about each of a column's `count` additions, in the order proposed: 0 for the first round. */
export function judgingRound(rank: number): number {
  return Math.floor(rank / JUDGED_AT_ONCE);
}

/** Checks whether a column has so many accepted additions close to it in topic that no further round is needed. */
export function hasEnoughAdditions(accepted: number): boolean {
  return accepted >= ENOUGH;
}

/** An accepted addition, and whether it is close in topic to its column (ADVETA §2.3) rather than of the row alone. */
export interface Addition {
  readonly name: string;
  /** Its column, by position. */
  readonly column: number;
  /** How likely readers take it for close, 0 to 1. */
  readonly association: number;
  readonly isTopical: boolean;
}

/**
 * Which additions of a table are kept. A name is with the two columns that it is closest to: what fits every column is
 * associated with none (ADVETA §2.3). Of those that a column then has, at least two of three are close to it in topic:
 * what merely belongs to the row is kept for it as far as that holds, and one name where nothing is close.
 */
export function keepAdditions(additions: readonly Addition[]): readonly boolean[] {
  const ranked = [...additions.keys()].sort((a, b) => additions[b]!.association - additions[a]!.association || a - b);
  const holders = new Map<string, number>();
  const spread = ranked.filter((i) => {
    const { name } = additions[i]!;
    const held = holders.get(name) ?? 0;
    holders.set(name, held + 1);
    return held < COLUMNS_PER_NAME;
  });
  const topical = new Map<number, number>();
  for (const i of spread) {
    const { column, isTopical } = additions[i]!;
    if (isTopical) topical.set(column, (topical.get(column) ?? 0) + 1);
  }
  const ofRow = new Map<number, number>();
  const kept = new Set(
    spread.filter((i) => {
      const { column, isTopical } = additions[i]!;
      if (isTopical) return true;
      const taken = ofRow.get(column) ?? 0;
      const close = topical.get(column) ?? 0;
      ofRow.set(column, taken + 1);
      return taken < (close === 0 ? 1 : Math.floor(close / 2));
    }),
  );
  return additions.map((_, i) => kept.has(i));
}
