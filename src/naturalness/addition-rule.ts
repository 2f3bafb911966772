import { tally } from '../counts.js';
/** Additions that a column has enough of: what is judged next would hardly be kept. */
const ENOUGH = 6;
/** Additions of a column that are judged at a time, the likeliest first. */
const JUDGED_AT_ONCE = 8;
/** Additions of a column that are judged at all. */
const JUDGED = 32;
/** Columns of one table that the same name may be added for. */
const COLUMNS_PER_NAME = 2;

/** The rule, for run manifests. */
export const ADDITION_RULE = `${JUDGED} judged, ${JUDGED_AT_ONCE} at a time, ${COLUMNS_PER_NAME} columns a name, two of three close, ${ENOUGH} enough`;

/** When the judge is asked about a column's additions by their rank, 0 for the first round; null for those never asked. */
export function judgingRound(rank: number): number | null {
  return rank < JUDGED ? Math.floor(rank / JUDGED_AT_ONCE) : null;
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
  const ranked = [...additions].sort((a, b) => b.association - a.association);
  const holders = new Map<string, number>();
  const spread = ranked.filter(({ name }) => {
    const held = holders.get(name) ?? 0;
    holders.set(name, held + 1);
    return held < COLUMNS_PER_NAME;
  });
  const topical = tally(spread.flatMap(({ column, isTopical }) => (isTopical ? [column] : [])));
  const ofRow = new Map<number, number>();
  const kept = new Set(
    spread.filter(({ column, isTopical }) => {
      if (isTopical) return true;
      const taken = ofRow.get(column) ?? 0;
      const close = topical.get(column) ?? 0;
      ofRow.set(column, taken + 1);
      return taken < (close === 0 ? 1 : Math.floor(close / 2));
    }),
  );
  return additions.map((addition) => kept.has(addition));
}
