/** Least association of an added column with its target and table; chosen by reading Spider's training databases. */
export const ASSOCIATION_FLOOR = 0.65;
/** Below this nothing is kept, however few candidates a column has. */
export const LEAST_ASSOCIATION = 0.3;
/** The nearest candidates that a column keeps although they are under the floor. */
const ALWAYS_KEPT = 3;

/**
 * Which of a column's accepted ADD candidates are associated enough (ADVETA §2.3): those above the floor, and where
 * there are fewer than three, the nearest three that are not wholly foreign.
 */
export function keepAssociated(associations: readonly number[]): readonly boolean[] {
  const ranked = [...associations.keys()].sort((a, b) => associations[b]! - associations[a]!);
  const kept = new Set(
    ranked.filter((i, rank) => {
      const floor = rank < ALWAYS_KEPT ? LEAST_ASSOCIATION : ASSOCIATION_FLOOR;
      return associations[i]! >= floor;
    }),
  );
  return associations.map((_, i) => kept.has(i));
}
